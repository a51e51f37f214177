/** Replaces one base URL by another one in texts and in bodies, also where JSON writes its slashes with backslashes. */
import { Transform } from 'node:stream';

export type ReplaceUrl = {
  text(text: string): string;
  /** A stream that changes the text that passes, one character for each byte. */
  stream(): Transform;
};

const quoted = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** `from` and `to` are base URLs without a slash at the end. The scheme of `from` may be http or https in what is found. */
export const createUrlReplacement = (from: string, to: string): ReplaceUrl => {
  const place = from.replace(/^https?:/, '');
  const escaped = (text: string): string => text.replaceAll('/', '\\/');
  // Another port, or a longer name, is another server.
  const words = `https?:(?:(${quoted(place)})|${quoted(escaped(place))})(?![\\w.:@-])`;
  // What may be the begin of a match, with the character after it.
  const longest = `https:${escaped(place)}`.length + 1;
  const replacement = (plain: string | undefined): string => (plain === undefined ? escaped(to) : to);
  return {
    text: (text) => text.replace(new RegExp(words, 'g'), (_all, plain: string | undefined) => replacement(plain)),
    stream: () => {
      let rest = '';
      const take = (text: string, isEnd: boolean): string => {
        const limit = isEnd ? text.length : Math.max(0, text.length - longest);
        let done = '';
        let at = 0;
        for (const match of text.matchAll(new RegExp(words, 'g'))) {
          if (match.index >= limit) break;
          done += text.slice(at, match.index) + replacement(match[1]);
          at = match.index + match[0].length;
        }
        const end = Math.max(at, limit);
        rest = text.slice(end);
        return done + text.slice(at, end);
      };
      return new Transform({
        transform: (piece: Buffer, _encoding, done) => {
          done(null, Buffer.from(take(rest + piece.toString('latin1'), false), 'latin1'));
        },
        flush: (done) => {
          done(null, Buffer.from(take(rest, true), 'latin1'));
        },
      });
    },
  };
};
