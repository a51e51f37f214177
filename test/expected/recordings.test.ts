/** What the real site answered in the second lab is what Atoll answers, but for the differences that `recordings.yml` names. */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { recordedGroup, type Group, type Recorded } from '../contract/recordings/second-lab/groups.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { basic, pathOf } from '../support/requests.ts';

/** Without what is about caches, and about sessions and tokens whose values are masked. */
const groups = [
  ...(['node-post-fields', 'node-base-fields', 'malformed-json', 'terms-and-users'] as const),
  ...(['media-and-file', 'standard-file-upload', 'deletes-dangling-links', 'extra-focused'] as const),
];

/** Why Atoll answers otherwise, and how: by group, the numbers of the exchanges. Only the members that are here are compared. */
type Difference = {
  readonly why: string;
  readonly of: Readonly<Partial<Record<Group, readonly number[]>>>;
  readonly status?: number;
  readonly message?: string;
};
const differences = parse(readFileSync(join(import.meta.dirname, 'recordings.yml'), 'utf8')) as readonly Difference[];

type Answer = { readonly status: number; readonly headers: Headers; readonly text: string };

let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await createTestAtoll({
    fixture: 'empty',
    site: (site) => ({ ...site, flood: undefined, methodOverride: true, tokensOfToday: true, tokenAtLogin: true }),
  });
});

describe.each(groups)('the recorded group %s', (group) => {
  it('is answered as it was', async () => {
    // Standard uploads are stored below the month.
    atoll.clock.set('2026-11-22T06:00:00Z');
    await atoll.reset();
    places = new Map();
    const odd: string[] = [];
    for (const recorded of recordedGroup(group)) {
      if (isMasked(recorded)) continue;
      const answer = await ask(recorded);
      if (recorded.prepares || recorded.isLeftOut) continue;
      const wanted = wantedOf(group, recorded);
      const seen = seenOf(answer, Object.keys(wanted));
      if (isDeepStrictEqual(seen, wanted)) continue;
      const { method, path, credentials } = recorded.request;
      const asked = `${recorded.number} ${recorded.label}: ${method} ${path} ${credentials ?? 'visitor'}`;
      odd.push(`${asked}\n  ${JSON.stringify(wanted)}\n  ${JSON.stringify(seen)}`);
    }
    expect(odd.join('\n')).toBe('');
  }, 60_000);
});

/** Values that the recording has masked cannot be sent again. */
const isMasked = ({ request }: Recorded): boolean =>
  /<(jwt|session|token|csrf)/.test(JSON.stringify(request)) || /\(/.test(request.credentials ?? '');

/** The paths of records that were made, as recorded and here. */
let places = new Map<string, string>();

const ask = async ({ request, response: recorded, sent }: Recorded): Promise<Answer> => {
  const { port } = atoll.server.address() as AddressInfo; // it listens on a port
  const path = request.path.replace(
    /^\/(node|media|taxonomy\/term)\/\d+(?=\D|$)/,
    (place) => places.get(place) ?? place,
  );
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: request.method,
    headers: { ...request.headers, ...(request.credentials === null ? {} : basic(request.credentials).headers) },
    redirect: 'manual',
    body: sent === undefined || ['GET', 'HEAD'].includes(request.method) ? null : new Uint8Array(sent),
  });
  const there = recorded.headers['Location'];
  const here = response.headers.get('location');
  if (response.status === 201 && typeof there === 'string' && here !== null) places.set(pathOf(there), pathOf(here));
  return { status: response.status, headers: response.headers, text: await response.text() };
};

type Compared = { readonly status: number; readonly body?: unknown; readonly location?: string };

const wantedOf = (group: Group, { number, request, response }: Recorded): Compared => {
  const difference = differences.find(({ of }) => of[group]?.includes(number) === true);
  if (difference !== undefined) {
    const { status = response.status, message } = difference;
    return message === undefined ? { status } : { status, body: { message } };
  }
  const location = response.headers['Location'];
  const isJson = typeof response.body === 'object' && response.body !== null && request.method !== 'HEAD';
  return {
    status: response.status,
    ...(isJson ? { body: general(response.body) } : {}),
    ...(typeof location === 'string' ? { location: generalText(location) } : {}),
  };
};

const seenOf = ({ status, headers, text }: Answer, names: readonly string[]): Compared => ({
  status,
  ...(names.includes('body') ? { body: general(parsed(text)) } : {}),
  ...(names.includes('location') ? { location: generalText(headers.get('location') ?? '') } : {}),
});

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

/** Members that only one of the two shows: `path`, and the logs of revisions, which the real site hides from some (decisions: Readings). */
const passedOver = new Set(['path', 'revision_log', 'revision_log_message']);

/** Fields of numbers that count up: a site that refuses one more record counts otherwise. */
const counters = new Set(['nid', 'vid', 'mid', 'fid', 'tid', 'revision_id']);

/** A body without what differs from run to run. */
const general = (value: unknown): unknown => {
  if (typeof value === 'string') return generalText(value);
  if (Array.isArray(value)) return value.map(general);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => !passedOver.has(name));
  return Object.fromEntries(
    members.map(([name, member]) => {
      if (counters.has(name) && JSON.stringify(member).includes('"value"')) return [name, '<number>'];
      return [name, name === 'target_id' && isCounted(value) ? '<number>' : general(member)];
    }),
  );
};

/** Nodes, media and files are made by the recordings; terms and accounts were there. */
const isCounted = (item: object): boolean => /"target_type":"(node|media|file)"/.test(JSON.stringify(item));

const generalText = (text: string): string =>
  text
    .replace(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/, '<uuid>')
    .replace(/\/(node|media|file|term)\/\d+/g, (path) => path.replace(/\d+/, '<number>'))
    .replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/, '<time>');
