/** Checks that no token is taken but those that the target has signed. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { isRecord } from '../../../../basics/json.ts';
import { type Answer, CheckFailure, expectStatus, expectThat } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { inJson } from '../writing/record-kinds.ts';
import { type JsonRecord, memberOf } from '../../record-members.ts';
import { askHidden } from './basic-checks.ts';
import { expectForbidden } from './refusals.ts';
import { postNode, authenticationChecks } from './sessions.ts';
import { contractRule, sources, type Rule } from '../../rule.ts';

/** The token in an answer of `/jwt/token`. Its value is in no message. */
export const tokenIn = ({ json }: Answer): string => {
  const token = memberOf(json, 'token');
  if (typeof token === 'string') return token;
  throw new CheckFailure('The answer has no text in its member "token".');
};

/** Asks for a token as the account that makes content (`context.maker`). */
export const getToken = async (context: CheckContext): Promise<string> =>
  tokenIn(expectStatus(await context.ask({ path: inJson('/jwt/token'), as: context.maker() }), 200));

type Parts = { readonly head: JsonRecord; readonly claims: JsonRecord; readonly signature: string };

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
  return { head: decoded(head), claims: decoded(claims), signature };
};

export const bearer = (token: string) => ['Authorization', `Bearer ${token}`] as const;

/** Another account than the one of the token. */
const otherUser = { webid: '99999999', sub: 'verify-nobody' };

const inPast = { iat: 1_000_000_000, exp: 1_000_007_200 };

/** By a key that the target does not know. */
const signedByOther = (text: string): string =>
  sign('sha256', Buffer.from(text), generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey).toString(
    'base64url',
  );

/** What a forged token has otherwise than a right one: members of its head and its claims; `sign` makes the signature of both, or none. */
type Forgery = {
  readonly head?: JsonRecord;
  readonly claims?: JsonRecord;
  readonly sign?: (text: string, signature: string) => string | undefined;
};

/** Tokens that nobody but a careless server takes: made of a right one, or a text. */
const forgeries: readonly (readonly [name: string, words: string, forgery: Forgery | string])[] = [
  ['no-signature', 'without a signature and alg=none', { head: { alg: 'none' }, sign: () => '' }],
  ['algorithm-none', 'with alg=none and a signature', { head: { alg: 'none' } }],
  ['empty-signature', 'with an empty signature', { sign: () => '' }],
  ['two-parts', 'without its third part', { sign: () => undefined }],
  [
    ...(['other-signature', 'with one changed letter in the signature'] as const),
    { sign: (_text, own) => `${own.startsWith('A') ? 'B' : 'A'}${own.slice(1)}` },
  ],
  ['other-claims', 'with changed claims and the old signature', { claims: { roles: ['administrator'] } }],
  ['other-account', 'of another account with the old signature', { claims: otherUser }],
  ['longer', 'with a longer life and the old signature', { claims: { exp: 9_999_999_999 } }],
  ['expired', 'that has expired', { claims: inPast }],
  ['other-key', 'that another key has signed', { sign: signedByOther }],
  [
    ...(['other-key-expired', 'that another key has signed and that has expired'] as const),
    { claims: inPast, sign: signedByOther },
  ],
  [
    ...(['hmac', 'with a signature of HS256'] as const),
    { head: { alg: 'HS256' }, sign: (text) => createHmac('sha256', 'secret').update(text).digest('base64url') },
  ],
  ['no-token', 'that is not a token at all', 'verify'],
  ['dots', 'of nothing but dots', '..'],
];

/** The line of a forged token. Parts that nothing replaces stay as the target has written them. */
const forged = async (context: CheckContext, forgery: Forgery | string) => {
  if (typeof forgery === 'string') return bearer(forgery);
  const token = await getToken(context);
  const [head = '', claims = ''] = token.split('.');
  const parts = partsOf(token);
  const text = [
    forgery.head === undefined ? head : encoded({ ...parts.head, ...forgery.head }),
    forgery.claims === undefined ? claims : encoded({ ...parts.claims, ...forgery.claims }),
  ].join('.');
  const signature = forgery.sign === undefined ? parts.signature : forgery.sign(text, parts.signature);
  return bearer(signature === undefined ? text : `${text}.${signature}`);
};

const lettingIn = forgeries.map(([name, words, forgery]): Rule =>
  contractRule(`forged.${name}`, `${sources.authentication}; RFC 8725 §3.1`)(
    `A token ${words} lets nobody in: 403, as credentials were supplied.`,
    async (context) => expectForbidden(await askHidden(context, await forged(context, forgery))),
    { also: ['getNode'] },
  ),
);

const writing = forgeries
  .slice(0, 10)
  .map(([name, words, forgery]): Rule =>
    contractRule(`forged-write.${name}`)(
      `A POST with a token ${words} answers 403 and makes nothing.`,
      async (context) => expectForbidden(await postNode(context, await forged(context, forgery))),
      { also: ['createNode'] },
    ),
  );

export const forgeryChecks: readonly Check[] = authenticationChecks('token', [...lettingIn, ...writing], ['getToken']);
