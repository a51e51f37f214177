/** Removes secrets from reports and traffic: the learnt ones wherever they are, and others by their names. */
import { keptText, type HeaderLine, type WireBody, type WireExchange } from '../wire-exchange.ts';
import { withTexts, type Json } from '../../basics/json.ts';
import { secretsOf, type TargetAccount } from '../target-account.ts';
import { createLearntSecrets, isTelling } from './learnt-secrets.ts';
import { secretsInExchange, secretsSpoken, type SpokenMessage } from './spoken-secrets.ts';
import { isPlaceholder, redacted } from './secrets.ts';
import { shownAddress, shownHeaders, shownPath, shownText } from './shown-texts.ts';

export type Redaction = {
  /** Adds secrets that became known on the way, such as tokens and session ids. */
  add(...secrets: readonly string[]): void;
  /** Adds the secrets that an exchange tells. */
  learn(exchange: WireExchange): void;
  /** A text of any kind. */
  text(text: string): string;
  /** A path with its query. */
  path(path: string): string;
  headers(headers: readonly HeaderLine[]): readonly HeaderLine[];
  /** The kept text of a body of JSON or plain text. Undefined for bytes, and for a body that is not whole. */
  body(body: WireBody, mediaType: string | undefined): string | undefined;
};

/** A shorter secret would be found in every text. Published passwords such as `editor` are replaced in credentials alone. */
const shortestSecret = 8;

type HiddenSecrets = {
  /** Their passwords and tokens are hidden, also as Basic writes them. */
  readonly accounts?: readonly TargetAccount[];
  /** Further ones. A word among them stays in texts. */
  readonly secrets?: readonly string[];
  /** Passwords that everybody may read; they are replaced in credentials alone. */
  readonly published?: readonly string[];
};

/** Removes from reports these secrets and those that are learnt later. */
export const createRedaction = ({ accounts = [], secrets = [], published = [] }: HiddenSecrets = {}): Redaction => {
  const learnt = createLearntSecrets();
  const add = (...more: readonly string[]): void => {
    for (const secret of more) {
      if (secret.length >= shortestSecret && !published.includes(secret) && !isPlaceholder(secret))
        learnt.learn(secret, redacted);
    }
  };
  add(...accounts.flatMap(secretsOf), ...secrets.filter(isTelling));
  const text = (shown: string): string => learnt.replace(shownAddress(shown));
  return {
    add,
    learn: (exchange) => add(...secretsInExchange(exchange)),
    text,
    path: (path) => learnt.replace(shownPath(path)),
    headers: (headers) =>
      headers.map(([name, value]) => {
        const shown = shownHeaders({ [name]: value })[name];
        return [name, text(typeof shown === 'string' ? shown : value)] as const;
      }),
    body: (body, mediaType = '') => {
      if (!body.isWhole || !/json|^text\/(?!html)/.test(mediaType)) return undefined;
      return text(shownText(keptText(body)));
    },
  };
};

/**
 * Hides the secrets that an exchange tells in all texts of a value that shows it. A secret that is a word stays in texts: the
 * password of a demo account is one.
 */
export const hidingSpoken = (
  path: string,
  request: SpokenMessage,
  reply: SpokenMessage,
): (<T extends Json | object | undefined>(shown: T) => T) => {
  const telling = secretsSpoken(path, request, reply).filter(isTelling);
  if (telling.length === 0) return (shown) => shown;
  const learnt = createLearntSecrets();
  for (const secret of telling) learnt.learn(secret, redacted);
  return <T>(shown: T): T => withTexts(shown, (text) => learnt.replace(text)) as T; // the same with other texts
};

/** Shows a reply without its secrets. What its headers or its text tell is hidden in both. */
export const shownReply = (reply: SpokenMessage) => {
  const hide = hidingSpoken('', { headers: [], text: undefined }, reply);
  return {
    headers: (): Record<string, string | string[]> => hide(shownHeaders(Object.fromEntries(reply.headers))),
    /** `operation` is the id of the operation that has answered. */
    text: (operation?: string): string => hide(shownText(reply.text ?? '', operation)),
  };
};
