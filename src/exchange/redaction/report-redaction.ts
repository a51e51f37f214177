/** Removes secrets from what reports show: the known ones by their text, and others by their names. */
import type { HeaderLine, WireBody } from '../wire-exchange.ts';
import { redacted, shownAddress, shownHeaders, shownQuery, shownText } from './secrets.ts';

export type Redaction = {
  /** Adds secrets that became known on the way, such as tokens and session ids. */
  add(...secrets: readonly string[]): void;
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

/** `published` are passwords that everybody may read; they are replaced in credentials alone. */
export const createRedaction = (secrets: readonly string[] = [], published: readonly string[] = []): Redaction => {
  const known = new Set<string>();
  const add = (...more: readonly string[]): void => {
    for (const secret of more) {
      if (secret.length < shortestSecret || published.includes(secret)) continue;
      known.add(secret).add(encodeURIComponent(secret)).add(JSON.stringify(secret).slice(1, -1));
    }
  };
  add(...secrets);
  const text = (shown: string): string => {
    let clean = shown;
    // The longest first: one secret may lie in another one.
    for (const secret of [...known].sort((a, b) => b.length - a.length)) clean = clean.replaceAll(secret, redacted);
    return clean;
  };
  return {
    add,
    text,
    path: (path) => {
      const [address = '', ...query] = path.split('?');
      return text(shownAddress(query.length === 0 ? address : `${address}?${shownQuery(query.join('?'))}`));
    },
    headers: (headers) =>
      headers.map(([name, value]) => {
        const shown = shownHeaders({ [name]: value })[name];
        return [name, text(typeof shown === 'string' ? shown : value)] as const;
      }),
    body: (body, mediaType = '') => {
      if (!body.isWhole || !/json|^text\/(?!html)/.test(mediaType)) return undefined;
      return text(shownText(Buffer.from(body.kept).toString(), undefined));
    },
  };
};
