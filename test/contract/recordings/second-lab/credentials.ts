/** The credentials that a recorded exchange names, as headers: passwords, sessions, and tokens that were met or are made here. */
import { createHmac, createPublicKey, createSign } from 'node:crypto';
import type { Answer } from '../compare.ts';
import { testSigningKey } from '../../../support/signing-key.ts';

type Session = { readonly cookie: string; readonly csrf: string; readonly logout: string };

/** What a sequence has met of the sessions and tokens of its accounts. */
export type Wallet = {
  readonly sessions: Map<string, Session>;
  readonly tokens: Map<string, string>;
  /** Tokens made here, by what they are for. */
  readonly made: Map<string, string>;
  /** The last answer of `/session/token`. */
  sessionToken: string;
};

export const createWallet = (): Wallet => ({
  sessions: new Map(),
  tokens: new Map(),
  made: new Map(),
  sessionToken: '',
});

/** Remembers the first session and the last token of each account. */
export const meet = (
  wallet: Wallet,
  path: string,
  credentials: string | null,
  { text, headers, status }: Answer,
): void => {
  if (status !== 200) return;
  if (path.startsWith('/session/token')) wallet.sessionToken = text;
  if (path.startsWith('/jwt/token')) wallet.tokens.set(accountOf(credentials), textOf(text, 'token'));
  if (!path.startsWith('/user/login')) return;
  const name = textOf(text, 'name');
  const cookie = /^(SESS[0-9a-f]{32}=[^;]+);/.exec(headers['set-cookie']?.[0] ?? '')?.[1];
  if (cookie === undefined || wallet.sessions.has(name)) return;
  wallet.sessions.set(name, { cookie, csrf: textOf(text, 'csrf_token'), logout: textOf(text, 'logout_token') });
};

const textOf = (json: string, member: string): string => new RegExp(`"${member}":"([^"]*)"`).exec(json)?.[1] ?? '';

export const accountOf = (credentials: string | null): string =>
  (credentials ?? '').replace(/ \((?:password ".*"|token|session cookie.*)\)$/, '');

export type Sign = { readonly label: string; readonly now: number; readonly baseUrl: string };

/** The headers of the named credentials. `passwordOf` knows the accounts of the site. */
export const credentialHeaders = (
  credentials: string | null,
  wallet: Wallet,
  passwordOf: (account: string) => string,
  sign: Sign,
): Record<string, string> => {
  if (credentials === null) return {};
  const account = accountOf(credentials);
  const kind = credentials.slice(account.length);
  const session = wallet.sessions.get(account);
  if (kind === ' (token)') {
    const isMade = account === 'mut' || account === 'forged';
    return { Authorization: `Bearer ${isMade ? madeOnce(wallet, sign) : (wallet.tokens.get(account) ?? '')}` };
  }
  if (kind === ' (session cookie)') return { Cookie: session?.cookie ?? '' };
  if (kind === ' (session cookie and X-CSRF-Token)') {
    return { Cookie: session?.cookie ?? '', 'X-CSRF-Token': session?.csrf ?? '' };
  }
  const password = /^ \(password "(.*)"\)$/.exec(kind)?.[1] ?? passwordOf(account);
  return { Authorization: `Basic ${Buffer.from(`${account}:${password}`).toString('base64')}` };
};

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const signed = (claims: object, header: object = {}): string => {
  const head = { typ: 'JWT', alg: 'RS256', ...header };
  const text = `${part(head)}.${part(claims)}`;
  const signer = createSign(head.alg === 'RS512' ? 'RSA-SHA512' : 'RSA-SHA256').update(text);
  return `${text}.${signer.sign(testSigningKey, 'base64url')}`;
};

/** A label has several exchanges in a row. To sign costs 5 ms. */
const madeOnce = ({ made }: Wallet, sign: Sign): string => {
  const token = made.get(sign.label) ?? madeToken(sign);
  made.set(sign.label, token);
  return token;
};

/** A token of the editor, made elsewhere with the site's own key, and changed as the label tells. */
const madeToken = ({ label, now, baseUrl }: Sign): string => {
  const claims = {
    iat: now,
    exp: now + 7200,
    drupal: { uid: '2' },
    webid: '2',
    iss: baseUrl,
    sub: 'editor',
    roles: ['authenticated', 'editor'],
  };
  const change = mutations[label];
  if (change !== undefined) return change(signed(claims), claims);
  const made = madeElsewhere[label.replace(/^forged /, '')];
  if (made === undefined) throw new Error(`no token is known for "${label}"`);
  const { header, ...changed } = made(now);
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

/** The token that `<token>` stands for in a request: the CSRF token or the logout token of an account's session, or what was met last. */
export const maskedToken = (wallet: Wallet, label: string, credentials: string | null): string => {
  const editor = wallet.sessions.get('editor');
  const own = wallet.sessions.get(accountOf(credentials)) ?? editor;
  if (label.includes('{{csrf_vi}}')) return wallet.sessions.get('viewer')?.csrf ?? '';
  if (label === 'use session token' || label === 'anon csrf with cookie') return wallet.sessionToken;
  if (label === 'logout csrf token' || label === 'csrf no cookie' || label === 'token in query')
    return editor?.csrf ?? '';
  return own?.logout ?? '';
};
