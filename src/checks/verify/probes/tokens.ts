/** Asks for tokens, and forges some: such as nobody but a careless server takes. */
import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { once } from '../../../basics/once.ts';
import { isRecord, parsedJson } from '../../../basics/json.ts';
import { CheckFailure, expectStatus } from '../answer.ts';
import type { CheckContext } from '../check.ts';
import { inJson } from '../checks/writing/record-kinds.ts';
import { type JsonRecord, memberOf } from '../record-members.ts';

/** As the account that makes everything. The token is in no message. */
export const getToken = async (context: CheckContext): Promise<string> => {
  const answer = expectStatus(await context.ask({ path: inJson('/jwt/token'), as: context.maker() }), 200);
  const token = memberOf(answer.json, 'token');
  if (typeof token === 'string') return token;
  throw new CheckFailure('The answer has no text in its member "token".');
};

const decoded = (part: string): JsonRecord => {
  const value = parsedJson(Buffer.from(part, 'base64url').toString());
  return isRecord(value) ? value : {};
};

const encoded = (value: JsonRecord): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** What a forged token has otherwise than a right one: members of its head and its claims; `sign` makes the signature of both, or none. */
type Forgery = {
  readonly head?: JsonRecord;
  readonly claims?: JsonRecord;
  readonly sign?: (text: string, signature: string) => string | undefined;
};

const inPast = { iat: 1_000_000_000, exp: 1_000_007_200 };

const otherKeys = once(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));

/** By a key that the server does not know. */
const signedByOther = (text: string): string =>
  sign('sha256', Buffer.from(text), otherKeys().privateKey).toString('base64url');

const forgeries = {
  'without its signature, by alg=none': { head: { alg: 'none' }, sign: () => '' },
  'with its signature, by alg=none': { head: { alg: 'none' } },
  'with an empty signature': { sign: () => '' },
  'without its third part': { sign: () => undefined },
  'with another letter in its signature': { sign: (_text, own) => `${own.startsWith('A') ? 'B' : 'A'}${own.slice(1)}` },
  'with other roles': { claims: { roles: ['administrator'] } },
  'of another account': { claims: { webid: '99999999', sub: 'verify-nobody' } },
  'with a longer life': { claims: { exp: 9_999_999_999 } },
  'of the past': { claims: inPast },
  'by another key': { sign: signedByOther },
  'of the past, by another key': { claims: inPast, sign: signedByOther },
  'by HS256': {
    head: { alg: 'HS256' },
    sign: (text) => createHmac('sha256', 'secret').update(text).digest('base64url'),
  },
} satisfies Readonly<Record<string, Forgery>>;

/** Parts that nothing replaces stay as the server has written them. Throws for words that name no forgery. */
export const forgedToken = async (context: CheckContext, words: string): Promise<string> => {
  const forgery: Forgery | undefined = new Map<string, Forgery>(Object.entries(forgeries)).get(words);
  if (forgery === undefined) throw new Error(`There is no forged token "${words}".`);
  const [head = '', claims = '', signature = ''] = (await getToken(context)).split('.');
  const text = [
    forgery.head === undefined ? head : encoded({ ...decoded(head), ...forgery.head }),
    forgery.claims === undefined ? claims : encoded({ ...decoded(claims), ...forgery.claims }),
  ].join('.');
  const signed = forgery.sign === undefined ? signature : forgery.sign(text, signature);
  return signed === undefined ? text : `${text}.${signed}`;
};
