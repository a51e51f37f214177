/** Finds the secrets in an exchange, so that reports hide them wherever they turn up. */
import { type HeaderLine, valueOf, valuesOf, type WireBody, type WireExchange } from '../wire-exchange.ts';
import type { Redaction } from './report-redaction.ts';
import { isSecretHeader, isSecretMember } from './secrets.ts';

/** The operations whose whole plain text is a token. */
const tokenPaths = /^\/(rest\/)?session\/token(\?|$)/;

/** Adds what an exchange tells. */
export const learnSecrets = ({ request, reply }: WireExchange, redaction: Redaction): void => {
  redaction.add(
    ...secretsInHeaders(request.headers),
    ...secretsInBody(request.body),
    ...secretsInHeaders(reply.headers),
    ...secretsInBody(reply.body),
    ...(tokenPaths.test(request.path) && isText(reply.headers) ? [textOf(reply.body).trim()] : []),
  );
};

const isText = (headers: readonly HeaderLine[]): boolean =>
  (valueOf(headers, 'content-type') ?? '').startsWith('text/plain');

const secretsInHeaders = (headers: readonly HeaderLine[]): string[] => [
  ...valuesOf(headers, 'set-cookie').flatMap((line) => cookieValue(line.split(';', 1)[0] ?? '')),
  ...valuesOf(headers, 'cookie').flatMap((line) => line.split(';').flatMap(cookieValue)),
  ...headers
    .filter(([name]) => isSecretHeader(name) && !/cookie/i.test(name))
    .flatMap(([, value]) => [value.replace(/^(basic|bearer)\s+/i, '')]),
];

/** A cookie that is cleared has a word such as `deleted`, which is not a secret; the shortest secret is longer. */
const cookieValue = (pair: string): string[] => {
  const value = pair.slice(pair.indexOf('=') + 1).trim();
  return pair.includes('=') && value !== '' ? [value] : [];
};

const textOf = (body: WireBody): string => (body.isWhole ? Buffer.from(body.kept).toString() : '');

const secretsInBody = (body: WireBody): string[] => {
  const text = textOf(body);
  if (!/^\s*[[{]/.test(text) || !/pass|token|secret|jwt/i.test(text)) return [];
  try {
    return secretMembersOf(JSON.parse(text));
  } catch {
    return [];
  }
};

const secretMembersOf = (value: unknown): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'string' && isSecretMember(name) ? [inner] : secretMembersOf(inner),
  );
};
