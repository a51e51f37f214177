/** Finds the secrets of an exchange by their places. */
import { keptText, type HeaderLine, headerValue, type WireBody, type WireExchange } from '../wire-exchange.ts';
import { isRecord } from '../../basics/json.ts';
import { isPlaceholder, isSecretHeader, isSecretMember, isSecretParameter } from './secrets.ts';
import { secretsIn } from './shown-texts.ts';
import { isSuspectValue } from './suspicion.ts';

/** A request or a reply, as far as its text is known. */
export type SpokenMessage = {
  readonly headers: readonly HeaderLine[];
  readonly text: string | undefined;
};

/** The operations whose whole plain text is a token. */
const tokenPaths = /^\/(rest\/)?session\/token(\?|$)/;

/** The secrets of a request to a path, and of its reply. */
export const secretsSpoken = (path: string, request: SpokenMessage, reply: SpokenMessage): readonly string[] => [
  ...[...new URLSearchParams(/\?(.*)/s.exec(path)?.[1] ?? '')].flatMap(([name, value]) =>
    isSecretParameter(name, value) ? [value] : [],
  ),
  ...(path.includes('%') ? secretsIn(path) : []),
  ...[request, reply].flatMap(({ headers, text = '' }) => [
    ...headers.flatMap(secretsInHeader),
    ...secretsInText(text),
  ]),
  ...(tokenPaths.test(path) && isPlainText(reply) ? [(reply.text ?? '').trim()] : []),
];

/** The secrets of an exchange as it was on the wire. */
export const secretsInExchange = ({ request, reply }: WireExchange): readonly string[] =>
  secretsSpoken(request.path, spoken(request), spoken(reply));

export const spoken = ({ headers, body }: { headers: readonly HeaderLine[]; body: WireBody }): SpokenMessage => ({
  headers,
  text: body.isWhole ? keptText(body) : undefined,
});

const isPlainText = ({ headers }: SpokenMessage): boolean =>
  (headerValue(headers, 'content-type') ?? '').startsWith('text/plain');

/** A cookie that says which world is meant is open to everybody. */
const openCookie = /^\s*atoll_world=/;

const secretsInHeader = ([name, value]: HeaderLine): string[] => {
  if (/^set-cookie2?$/i.test(name)) return cookieValue(value.split(';', 1)[0] ?? '');
  if (/^cookie2?$/i.test(name)) return value.split(';').flatMap(cookieValue);
  if (!isSecretHeader(name) || isPlaceholder(value)) return [];
  const secret = value.replace(/^(basic|bearer)\s+/i, '');
  if (!/^basic\s/i.test(value)) return [secret];
  // A client may send the same password in another place, where no name tells.
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(secret, 'base64').toString()) ?? [];
  // Without a password there is only the name, which may be shown.
  return password === '' ? [] : [secret, password ?? ''];
};

/** A cookie that is cleared has a word such as `deleted`, which is not a secret; the shortest secret is longer. */
const cookieValue = (pair: string): string[] => {
  const value = pair.slice(pair.indexOf('=') + 1).trim();
  return value !== '' && !openCookie.test(pair) ? [value] : [];
};

const secretsInText = (text: string): string[] => {
  if (!/^\s*[[{]/.test(text)) return [];
  try {
    return secretMembersOf(JSON.parse(text), false);
  } catch {
    return [];
  }
};

/** The texts below a member with a secret name. */
const secretMembersOf = (value: unknown, isSecret: boolean): string[] => {
  if (typeof value === 'string') return isSecret && !isPlaceholder(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => secretMembersOf(item, isSecret));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    secretMembersOf(inner, isSecret || isSecretMember(name) || isSuspectValue(name, inner)),
  );
};
