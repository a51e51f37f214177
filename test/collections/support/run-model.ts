/** Carries out steps of the model on a server, and compares each answer. */
import { expect } from '@jest/globals';
import { withoutTimes } from './kinds.ts';
import { answerOf, type Expected, type Kind, requestOf, type State, type Step, type Value } from './model.ts';
import type { Place } from './steps.ts';

const headers = { 'X-Api-Key': 'k' };

type List = { readonly records: readonly Value[]; readonly next: string | undefined };

/** A page of a list, as its document has it. */
const readPage = async (response: Response, path: string): Promise<List> => {
  const body = (await response.json()) as readonly Value[] | Readonly<Record<string, unknown>>; // by the document
  if (Array.isArray(body)) {
    const next = /<([^>]*)>; *rel="?next/.exec(response.headers.get('Link') ?? '')?.[1];
    return {
      records: body as readonly Value[],
      next: next === undefined ? undefined : new URL(next, response.url).href,
    };
  }
  const { data, carts, next_cursor: cursor } = body as Readonly<Record<string, unknown>>;
  const next = typeof cursor === 'string' ? `${path}?limit=3&cursor=${encodeURIComponent(cursor)}` : undefined;
  return { records: (data ?? carts) as readonly Value[], next };
};

/** All pages. */
export const readAll = async ({ fetch }: Place, path: string): Promise<{ status: number; list: readonly Value[] }> => {
  const list: Value[] = [];
  for (let next: string | undefined = `${path}?limit=3`; next !== undefined;) {
    const response: Response = await fetch(next, { headers });
    if (response.status !== 200) return { status: response.status, list: [] };
    const page: List = await readPage(response, path);
    list.push(...page.records);
    next = page.next;
  }
  return { status: 200, list };
};

export const send = ({ fetch }: Place, { method, path, body }: ReturnType<typeof requestOf>): Promise<Response> =>
  fetch(path, {
    method,
    headers:
      body === undefined ? headers : { ...headers, 'Content-Type': method === 'PATCH' ? merge : 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
const merge = 'application/merge-patch+json';

const checkRecord = (about: unknown, got: Value, right: Value): void =>
  expect([about, withoutTimes(got)]).toEqual([about, withoutTimes(right)]);

/** Changes the state as the step does. */
export const carryOut = async (place: Place, state: State, kinds: readonly Kind[], step: Step): Promise<void> => {
  const kind = kinds.find(({ name }) => name === step.kind);
  if (kind === undefined) throw new Error(`There is no kind ${step.kind}.`);
  const asked = requestOf(state, kind, step);
  const right = answerOf(state, kinds, kind, step);
  if (step.does === 'list') {
    const { status, list } = await readAll(place, asked.path);
    const shown = { status, list: list.map(withoutTimes) };
    const records = (right.list ?? []).map(withoutTimes);
    expect([asked, shown]).toEqual([asked, { status: right.status, list: records }]);
    return;
  }
  const response = await send(place, asked);
  const text = await response.text();
  const isMocked = response.headers.get('Atoll-Mocked') === 'true';
  if (response.status !== right.status || isMocked !== (right.isMocked ?? false))
    expect([asked, response.status, isMocked, text.slice(0, 300)]).toEqual([
      asked,
      right.status,
      right.isMocked ?? false,
      '',
    ]);
  await checkAnswer(place, { asked, kind, right, response, text });
};

type Answered = {
  readonly asked: ReturnType<typeof requestOf>;
  readonly kind: Kind;
  readonly right: Expected;
  readonly response: Response;
  readonly text: string;
};

const checkAnswer = async (place: Place, { asked, kind, right, response, text }: Answered): Promise<void> => {
  if (right.record === undefined) return;
  const body = JSON.parse(text) as Value; // an object by the document
  if (right.store === undefined) {
    checkRecord(asked, body, right.record);
    if (asked.method !== 'GET') return;
    const again = await place.fetch(asked.path, { headers: { 'If-None-Match': response.headers.get('ETag') ?? '' } });
    expect([asked, again.status]).toEqual([asked, 304]);
    return;
  }
  const id = String(body[kind.id]);
  expect([asked, id]).not.toEqual([asked, 'undefined']);
  right.store(id);
  const path = `${asked.path}/${encodeURIComponent(id)}`;
  expect([asked, new URL(response.headers.get('Location') ?? '', `${place.url}/`).pathname]).toEqual([
    ...[asked, new URL(place.url + path).pathname],
  ]);
  const stored = (await (await place.fetch(path)).json()) as Value;
  checkRecord([asked, 'stored'], stored, { ...right.record, [kind.id]: stored[kind.id] });
  expect([asked, String(stored[kind.id])]).toEqual([asked, id]);
};
