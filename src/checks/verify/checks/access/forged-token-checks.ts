/** Checks that no token is taken but those that the target has signed. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { isRecord } from '../../../../basics/json.ts';
import { type Answer, CheckFailure, expectStatus, expectThat } from '../../answer.ts';
import { type Check, type CheckContext, contractRule } from '../../check.ts';
import { inJson } from '../writing/record-kinds.ts';
import { type JsonRecord, memberOf } from '../../record-members.ts';
import { sources } from '../writing/writing-check.ts';
import { askHidden } from './basic-checks.ts';
import { expectForbidden } from './refusals.ts';
import { checksOf, postNode, type Rule } from './sessions.ts';

/** The token in an answer of `/jwt/token`. Its value is in no message. */
export const tokenIn = ({ json }: Answer): string => {
  const token = memberOf(json, 'token');
  if (typeof token === 'string') return token;
  throw new CheckFailure('The answer has no text in its member "token".');
};

/** Asks for a token as the account that makes content (`context.maker`). */
export const getToken = async (context: CheckContext): Promise<string> =>
  tokenIn(expectStatus(await context.ask({ path: inJson('/jwt/token'), as: context.maker() }), 200));

type Parts = {
  readonly head: JsonRecord;
  readonly claims: JsonRecord;
  readonly signature: string;
  readonly text: string;
};

const decoded = (part: string): JsonRecord => {
  const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
  return isRecord(value) ? value : {};
};

const encoded = (value: JsonRecord): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The parts of a token (RFC 7519 §3). Throws `CheckFailure` when it is none. */
export const partsOf = (token: string): Parts => {
  const [head = '', claims = '', signature = ''] = token.split('.');
  const isToken = token.split('.').length === 3 && [head, claims, signature].every((part) => /^[\w-]+$/.test(part));
  expectThat(isToken, 'The token has not the three parts of a signed JSON Web Token.');
  return { head: decoded(head), claims: decoded(claims), signature, text: `${head}.${claims}` };
};

export const bearer = (token: string) => ['Authorization', `Bearer ${token}`] as const;

/** A key that the target does not know. */
const otherKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

const signedByOther = (head: JsonRecord, claims: JsonRecord): string => {
  const text = `${encoded(head)}.${encoded(claims)}`;
  return `${text}.${sign('sha256', Buffer.from(text), otherKey()).toString('base64url')}`;
};

/** Another account than the one of the token. */
const otherUser = (claims: JsonRecord): JsonRecord => ({ ...claims, webid: '99999999', sub: 'verify-nobody' });

const inPast = (claims: JsonRecord): JsonRecord => ({ ...claims, iat: 1_000_000_000, exp: 1_000_007_200 });

const flipped = (signature: string): string => `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;

/** Tokens that nobody but a careless server takes, made of a right one. */
const forgeries: readonly (readonly [name: string, words: string, make: (token: Parts) => string])[] = [
  [
    'no-signature',
    'without a signature and alg=none',
    ({ head, claims }) => `${encoded({ ...head, alg: 'none' })}.${encoded(claims)}.`,
  ],
  [
    'algorithm-none',
    'with alg=none and a signature',
    ({ head, claims, signature }) => `${encoded({ ...head, alg: 'none' })}.${encoded(claims)}.${signature}`,
  ],
  ['empty-signature', 'with an empty signature', ({ text }) => `${text}.`],
  ['two-parts', 'without its third part', ({ text }) => text],
  [
    'other-signature',
    'with one changed letter in the signature',
    ({ text, signature }) => `${text}.${flipped(signature)}`,
  ],
  [
    'other-claims',
    'with changed claims and the old signature',
    ({ head, claims, signature }) =>
      `${encoded(head)}.${encoded({ ...claims, roles: ['administrator'] })}.${signature}`,
  ],
  [
    'other-account',
    'of another account with the old signature',
    ({ head, claims, signature }) => `${encoded(head)}.${encoded(otherUser(claims))}.${signature}`,
  ],
  [
    'longer',
    'with a longer life and the old signature',
    ({ head, claims, signature }) => `${encoded(head)}.${encoded({ ...claims, exp: 9_999_999_999 })}.${signature}`,
  ],
  [
    'expired',
    'that has expired',
    ({ head, claims, signature }) => `${encoded(head)}.${encoded(inPast(claims))}.${signature}`,
  ],
  ['other-key', 'that another key has signed', ({ head, claims }) => signedByOther(head, claims)],
  [
    'other-key-expired',
    'that another key has signed and that has expired',
    ({ head, claims }) => signedByOther(head, inPast(claims)),
  ],
  [
    'hmac',
    'with a signature of HS256',
    ({ head, claims }) => {
      const text = `${encoded({ ...head, alg: 'HS256' })}.${encoded(claims)}`;
      return `${text}.${createHmac('sha256', 'secret').update(text).digest('base64url')}`;
    },
  ],
  ['no-token', 'that is not a token at all', () => 'verify'],
  ['dots', 'of nothing but dots', () => '..'],
];

const forged = async (context: CheckContext, make: (token: Parts) => string) =>
  bearer(make(partsOf(await getToken(context))));

const lettingIn = forgeries.map(([name, words, make]): Rule => ({
  ...contractRule(`forged.${name}`, `${sources.authentication}; RFC 8725 §3.1`),
  rule: `A token ${words} lets nobody in: 403, as credentials were supplied.`,
  operations: ['getToken', 'getNode'],
  run: async (context) => expectForbidden(await askHidden(context, await forged(context, make))),
}));

const writing = forgeries.slice(0, 10).map(([name, words, make]): Rule => ({
  ...contractRule(`forged-write.${name}`),
  rule: `A POST with a token ${words} answers 403 and makes nothing.`,
  operations: ['getToken', 'createNode'],
  run: async (context) => expectForbidden(await postNode(context, await forged(context, make))),
}));

export const forgeryChecks: readonly Check[] = checksOf('token', [...lettingIn, ...writing]);
