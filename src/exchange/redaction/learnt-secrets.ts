/** Remembers secrets that were met, to find them wherever they turn up, and finds those of an exchange by their places. */
import { isRecord } from '../../basics/json.ts';
import { type HeaderLine, valueOf, type WireBody, type WireExchange } from '../wire-exchange.ts';
import { isPlaceholder, isSecretHeader, isSecretMember, isSecretParameter } from './secrets.ts';
import { isSuspectValue } from './suspicion.ts';

export type LearntSecrets = {
  /** `mark` takes the place of the secret from now on. */
  learn(secret: string, mark: string): void;
  /** Replaces all learnt secrets in a text, in each of their spellings. */
  replace(text: string): string;
};

/** `most` secrets are looked for in each text; the ones that were met last. Default: all. */
export const createLearntSecrets = (most = Infinity): LearntSecrets => {
  /** The one that was met last comes last. */
  const learnt = new Map<string, string>();
  return {
    learn: (secret, mark) => {
      for (const spelled of [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)]) {
        learnt.delete(spelled);
        learnt.set(spelled, mark);
      }
      for (const oldest of learnt.keys()) {
        if (learnt.size <= most) break;
        learnt.delete(oldest);
      }
    },
    replace: (text) => {
      const found = [...learnt.keys()].filter((secret) => text.includes(secret));
      // The longest first: one secret may lie in another one.
      found.sort((a, b) => b.length - a.length);
      return found.reduce((left, secret) => left.replaceAll(secret, learnt.get(secret) ?? ''), text);
    },
  };
};

/** Shorter secrets, and words, could be a part of anything. */
export const isTelling = (secret: string): boolean =>
  secret.length >= 16 || (secret.length >= 8 && /[^A-Za-z]/.test(secret) && /\D/.test(secret));

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
  text: body.isWhole ? Buffer.from(body.kept).toString() : undefined,
});

const isPlainText = ({ headers }: SpokenMessage): boolean =>
  (valueOf(headers, 'content-type') ?? '').startsWith('text/plain');

/** A cookie that says which world is meant is open to everybody. */
const openCookie = /^\s*atoll_world=/;

const secretsInHeader = ([name, value]: HeaderLine): string[] => {
  if (/^set-cookie$/i.test(name)) return cookieValue(value.split(';', 1)[0] ?? '');
  if (/^cookie$/i.test(name)) return value.split(';').flatMap(cookieValue);
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
  return pair.includes('=') && value !== '' && !openCookie.test(pair) ? [value] : [];
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
