/** Asks for credentials as a document does: each scheme by the form of what the client sends (OpenAPI 3.1 §4.8.27, §4.8.30). */
import type { Operation, Requirement, SecurityScheme } from '../document/operation.ts';
import { Refusal } from '../refusal.ts';
import { headerLine } from '../exchange.ts';

/** What a client has sent to identify itself. `who` is the name in Basic, else undefined. */
export type Credentials = { readonly scheme: string; readonly value: string; readonly who?: string };

type Sent = {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: string;
};

/** Base64 and its variant for addresses (RFC 7235 §2.1, `token68`). */
const token68 = /^[A-Za-z0-9\-._~+/]+=*$/;

/**
 * The credentials of the first alternative that the request has all of. None where anybody may ask. Throws a refusal of kind
 * `credentials` with a challenge for each scheme that has one.
 */
export const requireCredentials = (
  { security }: Operation,
  schemes: ReadonlyMap<string, SecurityScheme>,
  sent: Sent,
  { known = noSchemes, met = noSchemes, realm = 'Atoll' }: Known = {},
): readonly Credentials[] => {
  if (security.length === 0) return [];
  const one = (name: string): Credentials | undefined => {
    if (known.has(name)) return met.has(name) ? { scheme: name, value: '' } : undefined;
    return credentialsOf(schemes.get(name), sent);
  };
  const alternatives = security.map((requirement) => [...requirement.keys()].map(one));
  const found = alternatives.find((each) => each.every((credentials) => credentials !== undefined));
  // `{}` is an alternative, too; credentials that were sent go before it.
  const better = alternatives.find((each) => each.length > 0 && each.every((credentials) => credentials !== undefined));
  if (found !== undefined) return (better ?? found).filter((each) => each !== undefined);
  throw new Refusal('credentials', reasonOf(security), { headers: challengesOf(security, schemes, realm) });
};

/** The schemes that the application checks itself, those of them that the request meets, and the name of its realm. */
type Known = {
  readonly known?: ReadonlySet<string> | undefined;
  readonly met?: ReadonlySet<string> | undefined;
  readonly realm?: string | undefined;
};

const noSchemes: ReadonlySet<string> = new Set();

const reasonOf = (security: readonly Requirement[]): string =>
  `Credentials are required: ${security.map((each) => [...each.keys()].join(' and ')).join(', or ')}.`;

/** Undefined where the request has none, or malformed ones. */
const credentialsOf = (scheme: SecurityScheme | undefined, sent: Sent): Credentials | undefined => {
  // Nothing is known of a scheme that the document does not have.
  if (scheme === undefined || scheme.type === 'mutualTLS') return { scheme: scheme?.name ?? '', value: '' };
  const { name, type } = scheme;
  if (type === 'apiKey') {
    const value = keyOf(scheme, sent);
    return value === undefined || value === '' ? undefined : { scheme: name, value };
  }
  const [, kind = '', value = ''] = /^\s*(\S+)\s+(.*?)\s*$/.exec(sent.headers['authorization'] ?? '') ?? [];
  const wanted = type === 'http' ? scheme.scheme : 'bearer';
  if (kind.toLowerCase() !== wanted) return undefined;
  if (wanted === 'basic') {
    const who = userOf(value);
    return who === undefined ? undefined : { scheme: name, value, who };
  }
  if (wanted === 'bearer') return token68.test(value) ? { scheme: name, value } : undefined;
  // RFC 7616 §3.4: these have to be there.
  if (
    wanted === 'digest' &&
    !['username', 'realm', 'nonce', 'uri', 'response'].every((each) => value.includes(`${each}=`))
  )
    return undefined;
  return value === '' ? undefined : { scheme: name, value };
};

const keyOf = ({ in: place, parameter = '' }: SecurityScheme, { headers, query }: Sent): string | undefined => {
  if (place === 'header') return headers[parameter.toLowerCase()];
  if (place === 'query') return new URLSearchParams(query).get(parameter) ?? undefined;
  const cookie = (headers['cookie'] ?? '').split(';').map((each) => each.trim());
  return cookie.find((each) => each.startsWith(`${parameter}=`))?.slice(parameter.length + 1);
};

/** The name in `name:password` as Base64 (RFC 7617 §2). */
const userOf = (value: string): string | undefined => {
  if (!token68.test(value)) return undefined;
  const text = Buffer.from(value, 'base64').toString('utf8');
  const at = text.indexOf(':');
  return at === -1 ? undefined : text.slice(0, at);
};

/** A line for each scheme of HTTP that one of the alternatives has. A key has no challenge. */
const challengesOf = (
  security: readonly Requirement[],
  schemes: ReadonlyMap<string, SecurityScheme>,
  realm: string,
): Readonly<Record<string, readonly string[]>> => {
  const names = new Set(security.flatMap((requirement) => [...requirement.keys()]));
  const challenges = new Set(
    [...names].flatMap((name) => challengeOf(schemes.get(name), scopesOf(name, security), realm)),
  );
  return challenges.size === 0 ? {} : { 'WWW-Authenticate': [...challenges] };
};

const scopesOf = (name: string, security: readonly Requirement[]): readonly string[] =>
  security.flatMap((requirement) => requirement.get(name) ?? []);

const challengeOf = (scheme: SecurityScheme | undefined, scopes: readonly string[], name: string): string[] => {
  if (scheme === undefined) return [];
  const { type } = scheme;
  const kind = type === 'http' ? scheme.scheme : type === 'oauth2' || type === 'openIdConnect' ? 'bearer' : undefined;
  if (kind === undefined) return [];
  const realm = `realm="${headerLine(name).replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  if (kind === 'basic') return [`Basic ${realm}, charset="UTF-8"`];
  if (kind === 'digest') return [`Digest ${realm}, qop="auth", algorithm=SHA-256, nonce="YXRvbGw"`];
  const named = kind === 'bearer' ? 'Bearer' : kind;
  return [scopes.length === 0 ? `${named} ${realm}` : `${named} ${realm}, scope="${[...new Set(scopes)].join(' ')}"`];
};
