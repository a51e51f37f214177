/** Gives each secret a placeholder that stays the same within a recording, and remembers secrets to find them elsewhere. */
import { digest } from '../../basics/secrets/digest.ts';
import { createLearntSecrets, isTelling } from './learnt-secrets.ts';
import { isPlaceholder, redacted } from './secrets.ts';

export type Placeholders = {
  /** The placeholder of a secret, such as `[redacted:authorization:1]`. `kind` names it when it is met for the first time. */
  of(secret: string, kind: string): string;
  /** The same for a secret that is also looked for in all other texts from now on. */
  learn(secret: string, kind: string): string;
  /** The placeholder of a mail address, which is an address, too. */
  ofMail(address: string): string;
  /** Replaces all learnt secrets in a text. */
  replaceLearned(text: string): string;
};

/** The highest number of each kind that a recording has already. */
type UsedNumbers = ReadonlyMap<string, number>;

/** No server has this name (RFC 6761 §6.4). */
const mailHost = 'redacted.invalid';

const placeholder = /\[redacted:([a-z0-9_-]+):(\d+)\]|\bmail-(\d+)@redacted\.invalid/g;

/** The text in which all placeholders are equal: what they are named after depends on where a secret was met first. */
export const withoutNumbers = (text: string): string => text.replace(placeholder, redacted);

/** Raises the numbers to those of the placeholders in a text. */
export const noteNumbers = (text: string, used: Map<string, number>): void => {
  for (const [, kind = 'mail', number, mail] of text.matchAll(placeholder))
    used.set(kind, Math.max(used.get(kind) ?? 0, Number(number ?? mail)));
};

/** The most spellings of secrets that are looked for in each text. */
const mostSpellings = 200;

export const createPlaceholders = (used: UsedNumbers = new Map()): Placeholders => {
  const numbers = new Map(used);
  /** By hash: a server that runs for long meets many tokens, and nobody should find them in its memory. */
  const known = new Map<string, string>();
  const learnt = createLearntSecrets(mostSpellings);

  const next = (kind: string): number => {
    const number = (numbers.get(kind) ?? 0) + 1;
    numbers.set(kind, number);
    return number;
  };
  const remember = (secret: string, make: () => string): string => {
    if (secret === '' || isPlaceholder(secret)) return secret;
    const key = digest('sha256', secret, 'base64');
    const made = known.get(key) ?? make();
    known.set(key, made);
    return made;
  };
  const of = (secret: string, kind: string): string => {
    const name = kindName(kind);
    return remember(secret, () => `[redacted:${name}:${next(name)}]`);
  };
  return {
    of,
    learn: (secret, kind) => {
      const made = of(secret, kind);
      if (made !== secret && isTelling(secret)) learnt.learn(secret, made);
      return made;
    },
    ofMail: (address) =>
      address.endsWith(`@${mailHost}`)
        ? address
        : remember(address.toLowerCase(), () => `mail-${next('mail')}@${mailHost}`),
    replaceLearned: (text) => learnt.replace(text),
  };
};

const kindName = (kind: string): string =>
  kind
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .slice(0, 40) || 'secret';
