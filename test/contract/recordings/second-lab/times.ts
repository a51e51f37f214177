/** When the recorded exchanges happened, as far as their own records and later ones tell. */
import type { Recorded } from './groups.ts';

type Fields = Readonly<Record<string, readonly { readonly value?: unknown }[] | undefined>>;

const hour = 3_600_000;

/** When the first exchange that tells it happened. */
export const startOf = (recorded: readonly Recorded[]): number =>
  recorded.map((exchange) => timeIn(exchange, 'created')).find((time) => time !== undefined) ?? 0;

/** Milliseconds since 1970 for each exchange; undefined where nothing tells. */
export const timesOf = (recorded: readonly Recorded[]): readonly (number | undefined)[] => {
  const start = startOf(recorded);
  const isPlausible = (time: number | undefined): boolean => time !== undefined && time >= start && time < start + hour;
  return recorded.map((exchange, at) => {
    const { method, path } = exchange.request;
    if (method === 'GET' || method === 'HEAD' || exchange.response.status >= 300) return undefined;
    const told = timeIn(exchange, 'changed') ?? laterTime(recorded.slice(at + 1), exchange, path);
    return isPlausible(told) ? told : undefined;
  });
};

const timeIn = ({ response }: Recorded, member: 'changed' | 'created'): number | undefined => {
  const { body } = response;
  if (typeof body !== 'object' || body === null) return undefined;
  const value = (body as Fields)[member]?.[0]?.value; // a record's known shape
  return typeof value === 'string' ? Date.parse(value) : undefined;
};

/** An upload answers without a record: the next record of the media tells. */
const laterTime = (later: readonly Recorded[], { response }: Recorded, path: string): number | undefined => {
  const made = /\/(node|media)\/(\d+)$/.exec(String(response.headers['Location']));
  const [, type, id] = made ?? /^\/(media)\/(\d+)\/source/.exec(path) ?? [];
  if (type === undefined) return undefined;
  const member = type === 'node' ? 'nid' : 'mid';
  const record = later.find(({ response: { body } }) => idOf(body, member) === Number(id));
  return record === undefined ? undefined : timeIn(record, made === null ? 'changed' : 'created');
};

const idOf = (body: unknown, member: 'nid' | 'mid'): unknown =>
  typeof body === 'object' && body !== null ? (body as Fields)[member]?.[0]?.value : undefined; // a record's known shape
