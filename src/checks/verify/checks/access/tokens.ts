/** Gets tokens and takes them apart. */
import { isRecord } from '../../../../basics/json.ts';
import { CheckFailure, expectStatus, expectThat, type Answer } from '../../answer.ts';
import type { CheckContext } from '../../check.ts';
import { inJson } from '../writing/record-kinds.ts';
import { memberOf, type JsonRecord } from '../writing/record-values.ts';

/** The token in an answer of `/jwt/token`. Its value is in no message. */
export const tokenIn = ({ json }: Answer): string => {
  const token = memberOf(json, 'token');
  if (typeof token === 'string') return token;
  throw new CheckFailure('The answer has no text in its member "token".');
};

/** A token of the maker. */
export const getToken = async (context: CheckContext): Promise<string> =>
  tokenIn(expectStatus(await context.ask({ path: inJson('/jwt/token'), as: context.maker() }), 200));

export type Parts = {
  readonly head: JsonRecord;
  readonly claims: JsonRecord;
  readonly signature: string;
  readonly text: string;
};

const decoded = (part: string): JsonRecord => {
  const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
  return isRecord(value) ? value : {};
};

export const encoded = (value: JsonRecord): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The parts of a token (RFC 7519 §3). Throws `CheckFailure` when it is none. */
export const partsOf = (token: string): Parts => {
  const [head = '', claims = '', signature = ''] = token.split('.');
  const isToken = token.split('.').length === 3 && [head, claims, signature].every((part) => /^[\w-]+$/.test(part));
  expectThat(isToken, 'The token has not the three parts of a signed JSON Web Token.');
  return { head: decoded(head), claims: decoded(claims), signature, text: `${head}.${claims}` };
};

export const bearer = (token: string) => ['Authorization', `Bearer ${token}`] as const;
