/**
 * Makes the tokens that lead from one part of a list to the next. A token says all that is needed to go on, so that reading changes
 * nothing: the real site counts its tokens and keeps them.
 */
import * as v from 'valibot';
import { parsedJson } from '../../../basics/json.ts';

export type ListRequest = {
  readonly verb: string;
  readonly prefix: string;
  readonly set: string | undefined;
  readonly from: string | undefined;
  readonly until: string | undefined;
  /** How many records have been listed before. */
  readonly cursor: number;
};

const text = v.nullable(v.string());
const tokenShape = v.tuple([
  ...[v.string(), v.string(), text, text, text],
  ...[v.pipe(v.number(), v.integer(), v.minValue(0)), v.number()],
] as const);

/** `expires` in seconds since 1970. */
export const tokenOf = ({ verb, prefix, set, from, until, cursor }: ListRequest, expires: number): string =>
  encoded(JSON.stringify([verb, prefix, set ?? null, from ?? null, until ?? null, cursor, expires]));

/** Undefined for a text that is not a token, and for one of another verb or one that has expired. */
export const readToken = (token: string, verb: string, now: number): ListRequest | undefined => {
  const result = v.safeParse(tokenShape, parsedJson(Buffer.from(token, 'base64url').toString()));
  if (!result.success) return undefined;
  const [of, prefix, set, from, until, cursor, expires] = result.output;
  if (of !== verb || expires <= now) return undefined;
  return { verb, prefix, set: set ?? undefined, from: from ?? undefined, until: until ?? undefined, cursor };
};

/** Base64 for URLs (RFC 4648 §5). */
const encoded = (plain: string): string => Buffer.from(plain).toString('base64url');
