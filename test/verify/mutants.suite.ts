/**
 * `atoll verify` finds every planted bug, and nothing at a healthy server. It prints which checks found which bug, and writes
 * them to `coverage/verify/mutants.json`. Run by `npm run test:suite -- verify`; one bug: `npm run test:suite -- verify -t NAME`.
 * `npm run test:suite -- verify --short` looks for every twelfth bug.
 */
import { afterAll, describe, expect, it } from '@jest/globals';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startAtoll } from '../../src/cli/entries/atoll.ts';
import type { CheckResult } from '../../src/checks/checks.ts';
import { root } from '../support/atoll.ts';
import { mutants as allMutants } from './mutants/all-mutants.ts';
import { startMutant } from './mutants/mutant-server.ts';
import type { Mutant } from './mutants/mutant.ts';
import { findingsIn, isFinding, lineOf, verified, type VerifyOptions } from './verified.ts';

const mutants = process.env['SUITE'] === 'verify-short' ? allMutants.filter((_, at) => at % 12 === 0) : allMutants;

type Row = { readonly name: string; readonly topic: string; readonly rule: string; readonly found: readonly string[] };

const rows: Row[] = [];
/** What a healthy server was blamed for, wrongly. It finds no planted bug. */
const falseAlarms = new Set<string>();
/** `ONLY=create,patch` chooses checks by their names, to look into one of them. */
const chosen: VerifyOptions = process.env['ONLY'] === undefined ? {} : { only: process.env['ONLY'].split(',') };

afterAll(async () => {
  if (rows.length === 0) return;
  const width = Math.max(...rows.map(({ name }) => name.length));
  const lines = rows.map(
    ({ name, found }) => `${name.padEnd(width)}  ${found.length === 0 ? 'NOT FOUND' : shortened(found)}`,
  );
  const missed = rows.filter(({ found }) => found.length === 0);
  process.stdout.write(
    `${lines.join('\n')}\n\n${rows.length - missed.length} of ${rows.length} planted bugs were found.\n`,
  );
  const folder = join(root, 'coverage/verify');
  const file = join(folder, 'mutants.json');
  await mkdir(folder, { recursive: true });
  // A run of some bugs keeps what is known of the others.
  const before = JSON.parse(await readFile(file, 'utf8').catch(() => '[]')) as readonly Row[]; // this file's own
  const known = new Map([...before, ...rows].map((row) => [row.name, row]));
  const all = allMutants.flatMap(({ name }) => known.get(name) ?? []);
  await writeFile(file, `${JSON.stringify(all, undefined, 2)}\n`);
});

const shortened = (names: readonly string[]): string =>
  names.length > 4 ? `${names.slice(0, 4).join(', ')} and ${names.length - 4} more` : names.join(', ');

describe('a healthy server has no findings', () => {
  const findings = async (url: string, options: VerifyOptions = chosen): Promise<readonly string[]> =>
    findingsIn(await verified(url, options)).map((finding) => {
      falseAlarms.add(finding.check.name);
      return lineOf(finding);
    });

  it('in its main world and in a forked one', async () => {
    const atoll = await startAtoll();
    try {
      expect(await findings(atoll.url)).toEqual([]);
      expect(await findings((await atoll.world('verified')).url)).toEqual([]);
    } finally {
      await atoll.close();
    }
  });

  it('with the starter site', async () => {
    const atoll = await startAtoll({ site: 'starter-site' });
    try {
      expect(await findings(atoll.url, { ...chosen, site: 'starter-site' })).toEqual([]);
    } finally {
      await atoll.close();
    }
  });

  it('behind the server that the mutants are made of', async () => {
    const server = await startMutant(undefined);
    try {
      expect(await findings(server.url)).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});

/** The checks where a topic's bugs are looked for first. What they do not find is looked for by all checks. */
const likely: Readonly<Record<string, readonly string[]>> = {
  statuses: ['method.*', 'head.*', 'read.*', 'create.*', 'patch.*', 'delete.*', 'upload.*'],
  errors: ['error.*', 'id.*', 'create.*', 'request.*', 'unauthenticated.*', 'permission.*'],
  records: ['record.*', 'value.*', 'model.*'],
  links: ['link.*', 'linkset.*', 'sees.*'],
  authentication: [
    'basic.*',
    'token*',
    'session.*',
    'login.*',
    'logout.*',
    'csrf.*',
    'unauthenticated.*',
    'provider.*',
  ],
  permissions: ['sees.*', 'permission.*', 'unauthenticated.*'],
  updates: ['patch.*', 'sequence.*'],
  writes: ['create.*', 'delete.*', 'sequence.*', 'record.*'],
  input: ['request.*', 'create.*', 'patch.*', 'order.*'],
  uploads: ['upload*', 'replace.*'],
  'file content': ['content.*', 'replace.*', 'record.*', 'delete.*'],
  formats: ['format.*', 'json-ld.*', 'error.*'],
};

/**
 * The checks that find it, one at least: a run is ended at its first finding, unless `FULL` is set. A run that cannot go on
 * because of the bug names why.
 */
const foundBy = async (mutant: Mutant, only: readonly string[] | undefined): Promise<readonly string[]> => {
  const server = await startMutant(mutant);
  const found: string[] = [];
  const ending = new AbortController();
  const onResult = (result: CheckResult): void => {
    if (!isFinding(result) || falseAlarms.has(result.check.name)) return;
    found.push(result.check.name);
    if (process.env['FULL'] === undefined) ending.abort();
  };
  try {
    await verified(server.url, { ...(only === undefined ? {} : { only }), onResult, signal: ending.signal });
    return found;
  } catch (error) {
    return [...found, `the run ended: ${error instanceof Error ? error.message : String(error)}`];
  } finally {
    await server.stop();
  }
};

const foundOf = async (mutant: Mutant): Promise<readonly string[]> => {
  if (chosen.only !== undefined || process.env['FULL'] !== undefined) return foundBy(mutant, chosen.only);
  const found = await foundBy(mutant, likely[mutant.topic]);
  return found.length > 0 ? found : foundBy(mutant, undefined);
};

describe.each([...new Set(mutants.map(({ topic }) => topic))])('a planted bug in %s is found', (topic) => {
  const some = mutants.filter((mutant) => mutant.topic === topic);
  it.each(some.map((mutant) => [mutant.name, mutant] as const))('%s', async (_name, mutant) => {
    const began = performance.now();
    const found = await foundOf(mutant);
    rows.push({ name: mutant.name, topic: mutant.topic, rule: mutant.rule, found });
    const seconds = Math.round((performance.now() - began) / 1000);
    process.stderr.write(`${mutant.name}: ${found.length === 0 ? 'NOT FOUND' : shortened(found)} (${seconds} s)\n`);
    expect(found).not.toEqual([]);
  });
});
