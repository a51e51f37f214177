/** Learns from two answers to the same request which records of one server stand for which of the other. */
import {
  headerValue,
  keptText,
  type HeaderLine,
  type WireBody,
  type WireReply,
  type WireRequest,
} from '../../exchange/exchange.ts';
import { parsedJson } from '../../basics/json.ts';
import { linksOf } from './compare-headers.ts';
import type { JsonComparison } from './compare-json.ts';
import type { Side } from './difference.ts';
import type { IdKind } from './id-map.ts';
import { ownIdIn } from './json-paths.ts';
import { splitText } from './tokens.ts';

type Replies = Readonly<Record<Side, WireReply>>;
type Made = { readonly kind: IdKind; readonly id: string };

export const isMade = ({ status }: WireReply): boolean => status === 201;

/** Two records that were made by the same request stand for each other, whatever was thought before. */
export const learnMade = ({ target, atoll }: Replies, { pairs }: JsonComparison): void => {
  if (!isMade(target) || !isMade(atoll)) return;
  const [theirs, ours] = [madeBy(target), madeBy(atoll)];
  if (theirs === undefined || ours?.kind !== theirs.kind) return;
  pairs.learn({ kind: theirs.kind, target: theirs.id, atoll: ours.id });
};

/** Aliases that the target has made by itself stand for the paths of their records. */
export const learnAliases = (request: WireRequest, target: WireReply, { aliases }: JsonComparison): void => {
  const body = jsonOf(target.body, target.headers);
  aliases.noteSent(jsonOf(request.body, request.headers));
  aliases.learnRecords(body);
  if (isMade(target)) aliases.learnLocation(headerValue(target.headers, 'location'), body);
  aliases.learnLinks(linksOf(target));
};

/** By the address of the new record, or by its own id. */
export const madeBy = (reply: WireReply): Made | undefined => {
  const last = splitText(headerValue(reply.headers, 'location') ?? '').tokens.at(-1);
  if (last !== undefined && /^(?:node|media|file|taxonomy_term|user|path_alias|redirect)$/.test(last.kind)) {
    return { kind: last.kind as IdKind, id: last.text }; // one of these
  }
  return ownIdIn(jsonOf(reply.body, reply.headers));
};

/** The object or list in a body that may be JSON. */
export const jsonOf = (body: WireBody, headers: readonly HeaderLine[]): object | undefined => {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  if (!body.isWhole || body.bytes === 0 || !/json/i.test(type)) return undefined;
  const value = parsedJson(keptText(body));
  return typeof value === 'object' && value !== null ? value : undefined;
};
