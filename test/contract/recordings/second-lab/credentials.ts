/** Puts credentials in place of those that the lab has masked: passwords, tokens signed with the key of the tests, and sessions. */
import { createHmac, createPublicKey, createSign } from 'node:crypto';
import { testSigningKey } from '../../../support/signing-key.ts';

export const accountOf = (credentials: string | null): string =>
  (credentials ?? '').replace(/ \((?:password ".*"|token|session cookie.*)\)$/, '');

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const signed = (claims: object, header: object = {}): string => {
  const head = { typ: 'JWT', alg: 'RS256', ...header };
  const text = `${part(head)}.${part(claims)}`;
  const signer = createSign(head.alg === 'RS512' ? 'RSA-SHA512' : 'RSA-SHA256').update(text);
  return `${text}.${signer.sign(testSigningKey, 'base64url')}`;
};

type Told = { readonly label: string; readonly at: number };

const uids: Readonly<Record<string, number>> = { admin: 1, editor: 2, viewer: 3, plain: 4, blocked: 5, owner: 6 };

const claimsOf = (account: string, now: number) => ({
  iat: now,
  exp: now + 7200,
  drupal: { uid: String(uids[account] ?? 0) },
  webid: String(uids[account] ?? 0),
  iss: 'http://localhost:8000',
  sub: account,
  roles: ['authenticated', account],
});

const made = new Map<string, string>();

/** A label has several exchanges in a row. To sign costs 5 ms. */
const once = (key: string, make: () => string): string => {
  const token = made.get(key) ?? make();
  made.set(key, token);
  return token;
};

const tokenOf = (account: string, { label, at }: Told): string => {
  const now = Math.floor(at / 1000);
  if (account === 'mut' || account === 'forged') return once(`${label} ${at}`, () => madeToken(label, now));
  return once(`${account} ${now}`, () => signed({ ...claimsOf(account, now), aud: ['islandora'] }));
};

/** A token of the editor, made elsewhere with the site's own key, and changed as the label tells. */
const madeToken = (label: string, now: number): string => {
  const claims = claimsOf('editor', now);
  const change = mutations[label];
  if (change !== undefined) return change(signed(claims), claims);
  const changes = madeElsewhere[label.replace(/^forged /, '')];
  if (changes === undefined) throw new Error(`no token is known for "${label}"`);
  const { header, ...changed } = changes(now);
  return signed({ ...claims, ...changed }, header);
};

const mutations: Readonly<Record<string, (token: string, claims: object) => string>> = {
  'jwt tampered payload': (token, claims) => {
    const [head, , signature] = token.split('.');
    return `${head}.${part({ ...claims, drupal: { uid: '1' }, webid: '1' })}.${signature}`;
  },
  'jwt no signature': (token) => `${token.slice(0, token.lastIndexOf('.'))}.`,
  'jwt two parts': (token) => token.slice(0, token.lastIndexOf('.')),
  'jwt alg none': (_, claims) => `${part({ typ: 'JWT', alg: 'none' })}.${part(claims)}.`,
  'jwt alg HS256': (_, claims) => {
    const text = `${part({ typ: 'JWT', alg: 'HS256' })}.${part(claims)}`;
    const secret = createPublicKey(testSigningKey).export({ type: 'spki', format: 'pem' });
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  },
  'jwt four parts': (token) => `${token}.x`,
  'jwt spaces': (token) => token.replaceAll('.', ' . '),
};

type Made = { readonly header?: object; readonly [claim: string]: unknown };

/** The claims that differ; undefined leaves one out. */
const madeElsewhere: Readonly<Record<string, (now: number) => Made>> = {
  full: () => ({}),
  expired: (now) => ({ iat: now - 7200, exp: now - 3600 }),
  'expired 100s ago (leeway)': (now) => ({ exp: now - 100 }),
  'nbf future': (now) => ({ nbf: now + 3600 }),
  'iat future': (now) => ({ iat: now + 3600 }),
  'iat future 100s': (now) => ({ iat: now + 100 }),
  'no exp': () => ({ exp: undefined }),
  'no iat': () => ({ iat: undefined }),
  'no webid': () => ({ webid: undefined }),
  'no sub': () => ({ sub: undefined }),
  'no roles': () => ({ roles: undefined }),
  'no iss': () => ({ iss: undefined }),
  'other iss': () => ({ iss: 'http://other.example' }),
  'no drupal.uid': () => ({ drupal: undefined }),
  'uid 3 webid 2': () => ({ drupal: { uid: '3' } }),
  'webid 3 sub editor': () => ({ webid: '3' }),
  'webid 2 sub viewer': () => ({ sub: 'viewer' }),
  'unknown uid': () => ({ drupal: { uid: '999' }, webid: '999' }),
  blocked: () => ({ drupal: { uid: '5' }, webid: '5', sub: 'blocked' }),
  'uid 0': () => ({ drupal: { uid: '0' }, webid: '0', sub: '' }),
  'admin roles claim': () => ({ roles: ['administrator'] }),
  'empty roles': () => ({ roles: [] }),
  'int webid': () => ({ webid: 2 }),
  'no aud': () => ({ aud: undefined }),
  'other aud': () => ({ aud: ['http://other.example'] }),
  'aud str': () => ({ aud: 'http://other.example' }),
  'exp str': (now) => ({ exp: String(now + 7200) }),
  'exp huge': () => ({ exp: 99_999_999_999 }),
  'sub upper': () => ({ sub: 'EDITOR' }),
  'alg RS512 header': () => ({ header: { alg: 'RS512' } }),
  kid: () => ({ header: { kid: 'x' } }),
};

/** 43 characters, as the tokens of sessions have. */
const secret = (text: string): string => text.replaceAll(/\W/g, '-').padEnd(43, '-');

const sessionName = 'SESS49960de5880e8c687434170f6476605b';
/** The CSRF token of the editor, which stands in a few headers as it was. */
const recordedCsrfToken = 'hDeyTtMp1kMdM3OK2OeiE9K3nj46MYMdAHFaDWOa5Iw';
const csrfOf = (session: string): string => secret(`csrf-token-of-${session}`);
const logoutOf = (session: string): string => secret(`logout-token-of-${session}`);

/** The header lines of the credentials that the lab names. */
export const credentialLines = (credentials: string | null, told: Told): (readonly [string, string])[] => {
  if (credentials === null) return [];
  const account = accountOf(credentials);
  const kind = credentials.slice(account.length);
  if (kind === ' (token)') return [['Authorization', `Bearer ${tokenOf(account, told)}`]];
  if (kind.startsWith(' (session cookie')) {
    const cookie = ['Cookie', `${sessionName}=session-of-${account}`] as const;
    return kind.includes('X-CSRF-Token') ? [cookie, ['X-CSRF-Token', csrfOf(account)]] : [cookie];
  }
  const password = /^ \(password "(.*)"\)$/.exec(kind)?.[1] ?? account;
  return [['Authorization', `Basic ${Buffer.from(`${account}:${password}`).toString('base64')}`]];
};

/** A text of a request without masks. `last` is the token that `/session/token` has answered last. */
export const unmaskedRequest = (text: string, { label, at, credentials, last }: Told & Sender): string =>
  text
    .replaceAll('<jwt>', () => tokenOf('editor', { label, at }))
    .replaceAll(`${sessionName}=<session>`, `${sessionName}=${'A'.repeat(43)}`)
    .replaceAll(recordedCsrfToken, csrfOf('editor'))
    .replaceAll('<token>', () => maskedToken(label, credentials, last));

type Sender = { readonly credentials: string | null; readonly last: string };

/** The CSRF token or the logout token of an account's session, or what was met last. */
const maskedToken = (label: string, credentials: string | null, last: string): string => {
  if (label.includes('{{csrf_vi}}')) return csrfOf('viewer');
  if (label === 'use session token' || label === 'anon csrf with cookie') return last;
  const isCsrf = label === 'logout csrf token' || label === 'csrf no cookie' || label === 'token in query';
  return isCsrf ? csrfOf('editor') : logoutOf(accountOf(credentials) || 'editor');
};

/** A text of an answer without masks. The first session of an account is the one that its later requests name. */
export const unmaskedReply = (text: string, number: number, session: string): string =>
  text
    .replaceAll(/(?<="csrf_token":\s?")<token>/g, csrfOf(session))
    .replaceAll(/(?<="logout_token":\s?")<token>/g, logoutOf(session))
    // Nobody sends these tokens, so that a signature is not needed.
    .replaceAll(/(?<="(?:access_)?token":\s?")<token>/g, `${part({ typ: 'JWT' })}.${part({ number })}.`)
    .replaceAll('<session>', `session-of-${session}`)
    .replaceAll(/^<token>$/g, sessionTokenOf(number));

export const sessionTokenOf = (number: number): string => secret(`session-token-${number}`);
