/** The probes of `atoll verify`, taken with Atoll alone, are answered as `expected/probes/SITE.yml` says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { CheckSkip } from '../../src/checks/verify/answer.ts';
import { beginDialogue, type Taken } from '../../src/checks/verify/probes/dialogue.ts';
import { probesFor, type Probe } from '../../src/checks/verify/probes/expand.ts';
import { openReference } from '../../src/checks/verify/probes/reference.ts';
import { root } from '../support/atoll.ts';
import { someOf } from '../support/long-run.ts';
import { openTarget } from './verified.ts';

type Texts = readonly string[];
type Expected = Readonly<Record<string, Texts | Readonly<Record<string, Texts>>>>;

/** A status alone is a number there. */
const readExpected = (site: string): Expected =>
  parse(readFileSync(join(root, `test/expected/probes/${site}.yml`), 'utf8'), (_key, value: unknown) =>
    typeof value === 'number' || typeof value === 'string' ? String(value).trim() : value,
  ) as Expected;

/** The value at a place, as a JSON Pointer: `/headers/NAME`, `/body/…`. */
const valueAtPlace = ({ answer, reply }: Taken, place: string): unknown => {
  const [part, ...path] = place.slice(1).split('/');
  if (part === 'headers') return answer.header(String(path[0]).toLowerCase());
  const text = Buffer.from(reply.body.kept).toString();
  const json = answer.json === undefined ? text : (JSON.parse(text) as unknown);
  return path.reduce<unknown>((value, step) => (Object(value) as Readonly<Record<string, unknown>>)[step], json);
};

/** A value as the file has it: what the server chooses is `…`, and a number that counts its records `#`. */
const written = (place: string, value: unknown): string => {
  if (typeof value !== 'string') {
    const json = JSON.stringify(value).replace(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/, '…');
    if (/^\/body\/[nmt]id\//.test(place)) return '#';
    if (typeof value !== 'object') return json;
    return json.length > 200 && Array.isArray(value) ? `${value.length} records` : json.replace(/\d+/g, '#');
  }

  if (value.includes('\uFFFD')) return `${value.length} characters`;
  if (value.startsWith('SESS')) return value.replace(/^[^;]*/, '…').replace(/expires=[^;]*/i, 'expires=…');
  if (/^[\w-]{43}$/.test(value)) return '…';
  return /^(https?:|\/)/.test(value) ? value.replace(/^https?:\/\/[^/]*/, '').replace(/\d+/g, '#') : value.trim();
};

/** The status, and what else matters: a text that a person reads. */
const textOf = (matters: readonly string[], taken: Taken): string => {
  const others = matters.flatMap((place) => {
    if (place === '/unchanged') return taken.isUnchanged === true ? 'unchanged' : 'changed';
    if (place === '/changes') return JSON.stringify(taken.changes);
    if (place === '/headers/Link') return `${taken.answer.links.length} links`;
    const value = valueAtPlace(taken, place);
    return value === undefined || value === '' ? [] : written(place, value);
  });
  return [taken.reply.status, ...others].join(' ').trim();
};

describe.each([
  ['default', undefined],
  ['starter-site', 'starter-site'],
])('the probes of the site %s', (name, site) => {
  let opened: Awaited<ReturnType<typeof openReference>>;
  let probes: readonly Probe[] = [];
  const expected = readExpected(name);
  beforeAll(async () => {
    const target = await openTarget('http://localhost', undefined, site);
    opened = await openReference(target, { label: 'atoll probes' });
    const offered = new Set(opened.context.judge.operations.map(({ id }) => id));
    const all = probesFor(target.contract, target.contract.probes);
    probes = all.filter(({ operations }) => operations.every((id) => offered.has(id)));
  }, 60_000);
  afterAll(() => opened.close());

  const answersOf = async (probe: Probe, account: string | undefined): Promise<Texts | undefined> => {
    const { context } = opened;
    const dialogue = beginDialogue(
      probe,
      context,
      context.accounts.find((each) => each.name === account),
    );
    const texts: string[] = [];
    try {
      for (const step of probe.steps) texts.push(textOf(step.matters, await dialogue.take(step)));
      return texts;
    } catch (error) {
      if (error instanceof CheckSkip) return undefined;
      throw error;
    }
  };

  // The code is the same on both sites: the second one has other answers, of which a share is asked for in `npm test`.
  it.each(site === undefined ? Object.keys(expected) : someOf(Object.keys(expected)))('%s', async (key) => {
    const probe = probes.find((each) => each.name === key);
    if (probe === undefined) throw new Error(`There is no probe ${key}.`);
    if (!probe.isForEachAccount) {
      expect(await answersOf(probe, undefined)).toEqual(expected[key]);
      return;
    }
    const answers: Record<string, Texts> = {};
    for (const account of opened.context.accounts) {
      const texts = await answersOf(probe, account.name);
      if (texts !== undefined) answers[account.name] = texts;
    }
    expect(answers).toEqual(expected[key]);
  });

  it('all have their right answers', () => {
    expect(probes.map((each) => each.name).filter((each) => !Object.hasOwn(expected, each))).toEqual([]);
  });
});
