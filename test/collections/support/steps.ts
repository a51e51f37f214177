/** Requests in order, with the answers that are right: rows of the tables of collections. */
import { expect } from '@jest/globals';
import { valueAt } from '../../../src/basics/json-pointer.ts';
import type { Fetch } from '../../../src/exchange/exchange-worlds.ts';

/** By header, `Link next` or JSON pointer: a text, a pattern, or null where it must be absent. */
type RightHeaders = Readonly<Record<string, string | RegExp | null>>;

export type Step = {
  /** `GET /books/1`. In texts `<name>` is what an earlier step has kept. */
  readonly ask: string;
  readonly sent?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly status: number | readonly number[];
  /** Members that matter; lists in full. Null: no body. */
  readonly body?: unknown;
  readonly right?: RightHeaders;
  /** By name: a header, `Link next` or a JSON pointer into the body. */
  readonly keeps?: Readonly<Record<string, string>>;
  /** Whether the mock without a memory answers. */
  readonly isMocked?: boolean;
};

type Plain = (ask: string, status: Step['status'], body?: unknown, right?: RightHeaders) => Step;
type Sending = (ask: string, sent: unknown, status: Step['status'], body?: unknown, right?: RightHeaders) => Step;

const plain =
  (method: string): Plain =>
  (ask, status, body, right) => ({ ask: `${method} ${ask}`, status, body, ...(right === undefined ? {} : { right }) });
const sending =
  (method: string, type: string): Sending =>
  (ask, sent, status, body, right) => ({
    ...{ ask: `${method} ${ask}`, sent, status, body, headers: { 'Content-Type': type } },
    ...(right === undefined ? {} : { right }),
  });

export const get = plain('GET');
export const head = plain('HEAD');
export const del = plain('DELETE');
export const post = sending('POST', 'application/json');
export const put = sending('PUT', 'application/json');
/** A merge patch (RFC 7396). */
export const patch = sending('PATCH', 'application/merge-patch+json');
/** Operations (RFC 6902). */
export const jsonPatch = sending('PATCH', 'application/json-patch+json');
export const patchAsJson = sending('PATCH', 'application/json');

export const having = (headers: Readonly<Record<string, string>>, step: Step): Step => ({
  ...step,
  headers: { ...step.headers, ...headers },
});
export const keeping = (keeps: Readonly<Record<string, string>>, step: Step): Step => ({ ...step, keeps });
export const mocked = (step: Step): Step => ({ ...step, isMocked: true });

/** The value of a member that must not be there. */
export const absent = Symbol('absent');

/** Every record of a list, by one member. */
export const listOf = (member: string, ...values: unknown[]): unknown => values.map((value) => ({ [member]: value }));

export type Place = { readonly fetch: Fetch; readonly url: string };
export type Kept = Map<string, string>;

/** The path inside the world that an address leads to, in one spelling; else the whole address. */
const pathIn = ({ url }: Place, from: string, value: string): string => {
  const resolved = new URL(value, `${url}${from}`);
  if (!resolved.href.startsWith(`${url}/`)) return resolved.href;
  const { pathname } = new URL(url);
  const path = resolved.pathname.slice(pathname === '/' ? 0 : pathname.length);
  return path.split('/').map(spelled).join('/') + resolved.search;
};

const spelled = (segment: string): string => encodeURIComponent(decodeURIComponent(segment));

const filled = (value: unknown, kept: Kept): unknown => {
  if (typeof value === 'string') return value.replaceAll(/<(\w+)>/g, (whole, name: string) => kept.get(name) ?? whole);
  if (Array.isArray(value)) return value.map((each) => filled(each, kept));
  if (typeof value !== 'object' || value === null || 'asymmetricMatch' in value) return value;
  // `fromEntries` keeps a member `__proto__`.
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, kept)]));
};

/** A path as it is, anything else as a part of one. */
const askFilled = (ask: string, kept: Kept): string =>
  ask.replaceAll(/<(\w+)>/g, (whole, name: string) => {
    const value = kept.get(name) ?? whole;
    return value.startsWith('/') ? value : encodeURIComponent(value);
  });

/** The target of a `Link` (RFC 8288) by its relation. */
const linkIn = (header: string | null, relation: string): string | undefined => {
  const links = [...(header ?? '').matchAll(/<([^>]*)>\s*;[^,<]*?rel="?([\w-]+)"?/g)];
  return links.find(([, , rel]) => rel === relation)?.[1];
};

type Answer = {
  readonly place: Place;
  readonly from: string;
  readonly response: Response;
  readonly text: string;
};

/** A JSON pointer into the body, `Link next`, or the name of a header. What leads somewhere is a path of the world. */
const valueOf = ({ place, from, response, text }: Answer, where: string): string | undefined => {
  const [header = '', relation] = where.split(' ');
  const value = where.startsWith('/')
    ? valueAt(JSON.parse(text), where.slice(1).split('/'))
    : relation === undefined
      ? response.headers.get(header)
      : linkIn(response.headers.get(header), relation);
  if (value === undefined || value === null) return undefined;
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  const isAddress = header === 'Location' || relation !== undefined || /^(https?:|\/|\?)/.test(shown);
  return isAddress ? pathIn(place, from, shown) : shown;
};

const checkHeaders = (about: string, right: RightHeaders, answer: Answer, kept: Kept): void => {
  for (const [where, wanted] of Object.entries(right)) {
    const got = valueOf(answer, where) ?? null;
    const expected =
      typeof wanted === 'string' ? filled(wanted, kept) : wanted === null ? null : expect.stringMatching(wanted);
    expect([about, where, got]).toEqual([about, where, expected]);
  }
};

/** Sends the requests, and compares each answer. Resolves with what was kept. */
export const walk = async (place: Place, steps: readonly Step[], kept: Kept = new Map()): Promise<Kept> => {
  for (const step of steps) {
    const [method = '', from = ''] = askFilled(step.ask, kept).split(/ (.*)/);
    const about = `${method} ${from}`;
    const { sent } = step;
    const response = await place.fetch(from, {
      method,
      headers: filled(step.headers ?? {}, kept) as Record<string, string>,
      ...(sent === undefined ? {} : { body: typeof sent === 'string' ? sent : JSON.stringify(filled(sent, kept)) }),
    });
    const text = await response.text();
    const answer: Answer = { place, from, response, text };
    const allowed = [step.status].flat();
    if (!allowed.includes(response.status))
      expect([about, response.status, text.slice(0, 500)]).toEqual([about, allowed.join(' or '), '']);
    const mark = response.headers.get('Atoll-Mocked');
    expect([about, 'Atoll-Mocked', mark]).toEqual([about, 'Atoll-Mocked', step.isMocked === true ? 'true' : null]);
    checkHeaders(about, step.right ?? {}, answer, kept);
    checkBody(about, filled(step.body, kept), text);
    for (const [name, where] of Object.entries(step.keeps ?? {})) {
      const value = valueOf(answer, where);
      expect([about, where, value]).toEqual([about, where, expect.anything()]);
      kept.set(name, String(value));
    }
  }
  return kept;
};

const checkBody = (about: string, right: unknown, text: string): void => {
  if (right === undefined) return;
  if (right === null) {
    expect([about, text]).toEqual([about, '']);
    return;
  }
  expect([about, text]).not.toEqual([about, '']);
  const body = JSON.parse(text) as unknown;
  for (const keys of absentIn(right)) expect([about, keys, valueAt(body, keys)]).toEqual([about, keys, undefined]);
  expect({ about, body }).toMatchObject({ about, body: withoutAbsent(right) });
};

const absentIn = (right: unknown, keys: readonly string[] = []): (readonly string[])[] => {
  if (right === absent) return [keys];
  if (typeof right !== 'object' || right === null) return [];
  return Object.entries(right).flatMap(([key, each]) => absentIn(each, [...keys, key]));
};

const withoutAbsent = (right: unknown): unknown => {
  if (Array.isArray(right)) return right.map(withoutAbsent);
  if (typeof right !== 'object' || right === null || 'asymmetricMatch' in right) return right;
  const members = Object.entries(right).filter(([, each]) => each !== absent);
  return Object.fromEntries(members.map(([key, each]) => [key, withoutAbsent(each)]));
};
