/** Writes a request that one server got for the other one: path, headers and JSON with the other's ids and addresses. */
import type { HeaderLine, WireRequest } from '../../exchange/exchange.ts';
import { jsonOf } from '../compare/learn.ts';
import type { JsonComparison } from '../compare/compare-json.ts';
import type { Side } from '../compare/difference.ts';
import type { Path } from '../compare/json-paths.ts';
import { translateId, translateText } from '../compare/equal-values.ts';

/** Those of one connection, those that each server makes itself, and those that the credential map translates. */
const leftOut: ReadonlySet<string> = new Set([
  ...['host', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'te', 'trailer', 'upgrade', 'expect'],
  ...['proxy-connection', 'accept-encoding', 'authorization', 'cookie', 'x-csrf-token'],
]);

const validators: ReadonlySet<string> = new Set([
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
]);

export const translatePath = (path: string, from: Side, comparison: JsonComparison): string =>
  translateText(path, from, comparison).replace(/\s/g, encodeURIComponent);

/** Every header line but the credentials. */
export const translateHeaders = (
  headers: readonly HeaderLine[],
  from: Side,
  comparison: JsonComparison,
): HeaderLine[] =>
  headers.flatMap(([name, value]): HeaderLine[] => {
    const key = name.toLowerCase();
    if (leftOut.has(key)) return [];
    if (validators.has(key)) return [[name, comparison.pairs.counterpart('etag', value, from) ?? value]];
    return [[name, translateText(value, from, comparison)]];
  });

/** Undefined when the body can be sent as it is. */
export const translateBody = (
  { headers, body }: Pick<WireRequest, 'headers' | 'body'>,
  from: Side,
  comparison: JsonComparison,
): Uint8Array | undefined => {
  const value = jsonOf(body, headers);
  if (value === undefined) return undefined;
  const before = JSON.stringify(value);
  const after = JSON.stringify(translated(value, [], { from, comparison, root: value, parent: undefined }));
  return before === after ? undefined : Buffer.from(after);
};

type Translating = {
  readonly from: Side;
  readonly comparison: JsonComparison;
  readonly root: unknown;
  readonly parent: unknown;
};

const translated = (value: unknown, path: Path, translating: Translating): unknown => {
  const { from, comparison, root, parent } = translating;
  if (typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))) {
    const kind = comparison.idKindAt(path, root, parent);
    if (kind === undefined) return value;
    const id = translateId(kind, String(value), from, comparison);
    return typeof value === 'number' ? Number(id) : id;
  }
  if (typeof value === 'string') return translateText(value, from, comparison);
  if (typeof value !== 'object' || value === null) return value;
  const inside = { ...translating, parent: value };
  if (Array.isArray(value)) return value.map((one, at) => translated(one, [...path, String(at)], inside));
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, translated(one, [...path, name], inside)]),
  );
};

/** Remembers the validators of two answers, for conditional requests. */
export const pairValidators = (
  { target, atoll }: Readonly<Record<Side, readonly HeaderLine[]>>,
  { pairs }: JsonComparison,
): void => {
  for (const name of ['etag', 'last-modified']) {
    const [theirs, ours] = [target, atoll].map((lines) => lines.find(([own]) => own.toLowerCase() === name)?.[1]);
    if (theirs !== undefined && ours !== undefined) pairs.learn({ kind: 'etag', target: theirs, atoll: ours });
  }
};
