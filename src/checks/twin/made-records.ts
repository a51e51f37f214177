/** Learns from two answers which records each server has just made, and which one the other has not. */
import { valueOf, type WireReply } from '../../exchange/wire-exchange.ts';
import type { JsonComparison } from '../../contract/compare/compare-json.ts';
import type { Side } from '../../contract/compare/difference.ts';
import type { IdKind } from '../../contract/compare/id-map.ts';
import { splitText } from '../../contract/compare/tokens.ts';
import { jsonOf } from './translate-request.ts';

type Replies = Readonly<Record<Side, WireReply>>;
type Made = { readonly kind: IdKind; readonly id: string };

const isMade = ({ status }: WireReply): boolean => status === 201;

/** Two records that were made by the same request stand for each other, whatever was thought before. */
export const learnMade = ({ target, atoll }: Replies, { pairs }: JsonComparison): void => {
  if (!isMade(target) || !isMade(atoll)) return;
  const [theirs, ours] = [madeBy(target), madeBy(atoll)];
  if (theirs === undefined || ours?.kind !== theirs.kind) return;
  pairs.learn({ kind: theirs.kind, target: theirs.id, atoll: ours.id });
};

/** Notes what only the target has made. */
export const missMade = ({ target, atoll }: Replies, { pairs }: JsonComparison): void => {
  if (!isMade(target) || isMade(atoll) || atoll.status < 300) return;
  const made = madeBy(target);
  if (made !== undefined) pairs.miss(made.kind, made.id);
};

/** The first record in a path that only the target has, in words. */
export const missingIn = (path: string, { pairs }: JsonComparison): string | undefined => {
  const found = splitText(path).tokens.find(({ kind, text }) => pairs.isMissing(kind as IdKind, text)); // others never are
  return found === undefined ? undefined : `${found.kind.replace('_', ' ')} ${found.text}, which the target has made`;
};

const ownIds = { nid: 'node', mid: 'media', fid: 'file', tid: 'taxonomy_term' } as const;

/** By the address of the new record, or by its own id. */
const madeBy = (reply: WireReply): Made | undefined => {
  const last = splitText(valueOf(reply.headers, 'location') ?? '').tokens.at(-1);
  if (last !== undefined && /^(?:node|media|file|taxonomy_term|user|path_alias|redirect)$/.test(last.kind)) {
    return { kind: last.kind as IdKind, id: last.text }; // one of these
  }
  const record = (jsonOf(reply.body, reply.headers) ?? {}) as Readonly<Record<string, unknown>>; // anything may be answered
  for (const [name, kind] of Object.entries(ownIds)) {
    const [item] = [record[name]].flat();
    const value = typeof item === 'object' && item !== null ? (item as { readonly value?: unknown }).value : undefined;
    if (typeof value === 'number') return { kind, id: String(value) };
  }
  return undefined;
};
