/** Writes a text that was meant for one server for the other one: addresses, ids, uuids and secrets. */
import { otherSide, type Side } from './difference.ts';
import type { IdKind } from './id-map.ts';
import type { Common } from './equal-values.ts';
import { replaceTokens } from './tokens.ts';

/** No server has a record with this id. */
const nobodysId = '2147483646';

/** The text as the other side would be sent it. */
export const translateText = (text: string, from: Side, common: Common): string => {
  const { pairs, hosts } = common;
  const known = pairs.counterpart('secret', text, from);
  if (known !== undefined) return known;
  const translated = replaceTokens(hosts.neutral(text, from), ({ kind, text: token }) => {
    if (kind === 'time' || kind === 'month' || kind === 'cookieName' || kind === 'mail') return token;
    if (kind === 'uuid' || kind === 'secret') return pairs.counterpart(kind, token, from) ?? token;
    return translateId(kind, token, from, common);
  });
  return hosts.of(translated, otherSide(from));
};

/** An id without a pair keeps its number, unless that number is another record's on the other side. */
export const translateId = (kind: IdKind, id: string, from: Side, { pairs }: Common): string => {
  const known = pairs.counterpart(kind, id, from);
  if (known !== undefined) return known;
  return pairs.counterpart(kind, id, otherSide(from)) === undefined ? id : nobodysId;
};
