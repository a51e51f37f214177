/** Asks a server over HTTP, step by step, and compares its answers with the expected ones. */
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import { baseUrl, type TestAtoll } from '../support/atoll.ts';
import { pngBytes } from '../support/png.ts';
import type { Step } from './read-answers.ts';

type Values = Map<string, unknown>;
type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly bytes: Buffer;
};

/** Values that the server chooses: `<name>` is what an earlier step saved, or one of these kinds of value. */
const kinds: ReadonlyMap<string, () => unknown> = new Map(
  Object.entries({
    '<uuid>': () => expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
    '<time>': () => expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    '<number>': () => expect.any(Number),
    '<text>': () => expect.stringMatching(/./),
    '<anything>': () => expect.anything(),
  }),
);

/** A text between `</` and `/>` is a pattern. */
const patternIn = (text: string): unknown => {
  const [, pattern] = /^<\/(.*)\/>$/s.exec(text) ?? [];
  return pattern === undefined ? undefined : expect.stringMatching(new RegExp(pattern, 's'));
};

/** The dialogues with one server. Each begins in the world as it was filled. */
export const createDialogue = (atoll: TestAtoll) => {
  const { port } = atoll.server.address() as AddressInfo; // it listens on a port
  let values: Values = new Map();
  let sessions = new Map<string, Record<string, string>>();
  /** The steps that the world began with, as long as nothing has changed since. */
  let untouched: readonly Step[] | undefined;

  const ask = async (line: string, headers: Record<string, string>, body?: Uint8Array): Promise<Answer> => {
    const [method = '', path = ''] = line.split(/ (.*)/s);
    const target = path.startsWith(baseUrl) ? path.slice(baseUrl.length) : path;
    const response = await fetch(`http://127.0.0.1:${port}${target}`, {
      ...{ method, headers, redirect: 'manual' },
      body: body === undefined ? null : new Uint8Array(body),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, text: bytes.toString('utf8'), bytes };
  };

  const passwordOf = (name: string): string =>
    atoll.site.accounts.find((account) => account.name === name)?.demoPassword ?? name;

  const basicOf = (as: string): Record<string, string> => {
    const [name = '', password = passwordOf(name)] = as.split(':');
    return { Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` };
  };

  /** The headers of an account by a provider; a session lasts until the next world begins, a token for all worlds. */
  const credentialsOf = async (as: string, by: Step['by'] = 'basic'): Promise<Record<string, string>> => {
    if (as === 'visitor') return {};
    if (as === 'bad token') return { Authorization: 'Bearer a.b.c' };
    if (by === 'basic') return basicOf(as);
    const key = `${as} ${by}`;
    const known = sessions.get(key);
    if (known !== undefined) return known;
    const made = by === 'bearer' ? await tokenOf(as) : await sessionOf(as, by);
    sessions.set(key, made);
    return made;
  };

  const tokenOf = async (as: string): Promise<Record<string, string>> => {
    const answer = await ask('GET /jwt/token?_format=json', basicOf(as));
    return { Authorization: `Bearer ${(JSON.parse(answer.text) as { token: string }).token}` }; // as the contract has it
  };

  const sessionOf = async (as: string, by: Step['by']): Promise<Record<string, string>> => {
    const login = JSON.stringify({ name: as, pass: passwordOf(as) });
    const answer = await ask('POST /user/login?_format=json', {}, Buffer.from(login));
    const Cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const { csrf_token } = JSON.parse(answer.text) as { csrf_token: string }; // as a real site answers a login
    return by === 'cookie alone' ? { Cookie } : { Cookie, 'X-CSRF-Token': csrf_token };
  };

  /** Replaces the names of saved values by the values. A text that is a name alone becomes the value itself. */
  const filled = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (values.has(value)) return values.get(value);
      return [...values].reduce((text, [name, saved]) => text.replaceAll(name, String(saved)), value);
    }
    if (Array.isArray(value)) return value.map(filled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member)]));
  };

  /** The expected value, with kinds of values as what they match. */
  const matching = (value: unknown): unknown => {
    const ready = filled(value);
    const deep = (part: unknown): unknown => {
      if (typeof part === 'string') return kinds.get(part)?.() ?? patternIn(part) ?? part;
      if (Array.isArray(part)) return part.map(deep);
      if (typeof part !== 'object' || part === null) return part;
      return Object.fromEntries(Object.entries(part).map(([name, member]) => [name, deep(member)]));
    };
    return deep(ready);
  };

  const take = async (step: Step): Promise<void> => {
    if (step.clock !== undefined) atoll.clock.set(step.clock);
    if (step.clock !== undefined || step.as?.includes(':') === true) untouched = undefined;
    if (step.ask === undefined) return;
    const body = bodyOf(step, filled);
    const answer = await ask(
      String(filled(step.ask)),
      {
        ...(await credentialsOf(step.as ?? 'visitor', step.by)),
        ...(step.json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(filled(step.send ?? {}) as Record<string, string>), // texts, as the schema has it
      },
      body,
    );
    if (mayHaveChanged(step.ask, answer.status)) untouched = undefined;
    const wanted = expectedOf(step, matching);
    expect(seenOf(step, answer, Object.keys(wanted))).toEqual(wanted);
    for (const [name, place] of Object.entries(step.save ?? {})) {
      const saved = /^(\/|$)/.test(place) ? valueAt(parsed(answer.text), place) : answer.headers.get(place);
      expect({ step: step.ask, saved }).not.toEqual({ step: step.ask, saved: undefined });
      values.set(`<${name}>`, saved);
    }
  };

  /** Begins a world, and takes the steps that a file gives. */
  const begin = async (given: readonly Step[]): Promise<void> => {
    await atoll.reset();
    atoll.clock.set('2024-05-01T12:00:00Z');
    values = new Map();
    sessions = new Map([...sessions].filter(([key]) => key.endsWith(' bearer')));
    for (const step of given) await take(step);
    untouched = given;
  };

  return {
    begin,
    /** As `begin`, but a world that nothing has changed since is kept. */
    beginUnlessFresh: async (given: readonly Step[]): Promise<void> => {
      if (untouched !== given) await begin(given);
    },
    take,
  };
};

/** Logins and logouts count, and open sessions. */
const mayHaveChanged = (line: string, status: number): boolean =>
  !/^(GET|HEAD|OPTIONS) /.test(line) && (status < 400 || line.includes(' /user/'));

const bodyOf = ({ json, text, png }: Step, filled: (value: unknown) => unknown): Uint8Array | undefined => {
  if (json !== undefined) return Buffer.from(JSON.stringify(filled(json)));
  if (text !== undefined) return Buffer.from(String(filled(text)));
  return png === undefined ? undefined : pngBytes(...png);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};

/** The value at a JSON pointer, RFC 6901. */
const valueAt = (body: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], body); // whatever is there

const linesOf = (headers: Headers): string[] =>
  (headers.get('link') ?? '').split(/, (?=<)/).filter((line) => line !== '');

/** What an answer has of what a step expects, in the same form. */
const seenOf = (step: Step, answer: Answer, names: readonly string[]): Record<string, unknown> => {
  const body = parsed(answer.text);
  const links = linesOf(answer.headers);
  const all: Record<string, () => unknown> = {
    ask: () => step.ask,
    status: () => answer.status,
    body: () => body,
    at: () => Object.fromEntries(Object.keys(step.at ?? {}).map((pointer) => [pointer, valueAt(body, pointer)])),
    lacks: () => (step.lacks ?? []).filter((pointer) => valueAt(body, pointer) !== undefined),
    members: () => Object.keys(body as object).sort(),
    content: () => answer.text,
    links: () => links,
    'has links': () => links,
    'lacks links': () => links.filter((line) => (step['lacks links'] ?? []).some((part) => line.includes(part))),
    headers: () => Object.fromEntries(Object.keys(step.headers ?? {}).map((name) => [name, answer.headers.get(name)])),
  };
  const seen = Object.fromEntries(names.map((name) => [name, all[name]?.()]));
  // A status that was not expected says why.
  return step.status === answer.status || 'body' in seen ? seen : { ...seen, body };
};

/** Headers are texts, also where a saved number is one. */
const textsOf = (headers: unknown): unknown =>
  Object.fromEntries(
    Object.entries(headers as object).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'number' ? String(value) : value,
    ]),
  );

const expectedOf = (step: Step, matching: (value: unknown) => unknown): Record<string, unknown> => ({
  ask: step.ask,
  ...(step.status === undefined ? {} : { status: step.status }),
  ...(step.message === undefined ? {} : { body: { message: matching(step.message) } }),
  ...('body' in step ? { body: matching(step.body) } : {}),
  ...(step.at === undefined ? {} : { at: matching(step.at) }),
  ...(step.lacks === undefined ? {} : { lacks: [] }),
  ...(step.members === undefined ? {} : { members: [...step.members].sort() }),
  ...(step.content === undefined ? {} : { content: matching(step.content) }),
  ...(step.links === undefined ? {} : { links: matching(step.links) }),
  ...(step['has links'] === undefined
    ? {}
    : { 'has links': expect.arrayContaining(matching(step['has links']) as unknown[]) }),
  ...(step['lacks links'] === undefined ? {} : { 'lacks links': [] }),
  ...(step.headers === undefined ? {} : { headers: textsOf(matching(step.headers)) }),
});
