/** Renders formatted text: as the platform's plain text format does, with anchors for addresses, or as the HTML that it is. */
import { escapeEntities } from '../../basics/markup.ts';
import type { Site } from '../site/site.ts';
import type { Json } from '../../basics/json.ts';

/**
 * The line is escaped, so an address in it may hold `&amp;` and `&#039;`. The text around anchors is searched again for
 * the next kind of address. Each search is one pass: a text that nobody limits must not hold up the others.
 */
const withAnchors = (escapedLine: string): string => {
  if (!/[:@]|www\./.test(escapedLine)) return escapedLine;
  const kinds = [findUrl, findMail, findHost];
  return kinds
    .reduce<readonly Piece[]>((pieces, find) => pieces.flatMap((piece) => split(piece, find)), [{ text: escapedLine }])
    .map(({ text, prefix }) => (prefix === undefined ? text : anchor(text, prefix)))
    .join('');
};

/** A part of the line. A part with a prefix is an address: the prefix and its text are the target. */
type Piece = { readonly text: string; readonly prefix?: string };

type Found = { readonly start: number; readonly end: number; readonly prefix: string };

/** Finds the first address at or after an index. */
type Find = (text: string, from: number) => Found | undefined;

const split = (piece: Piece, find: Find): readonly Piece[] => {
  if (piece.prefix !== undefined) return [piece];
  const { text } = piece;
  const pieces: Piece[] = [];
  let from = 0;
  for (let found = find(text, from); found !== undefined; found = find(text, from)) {
    pieces.push(
      { text: text.slice(from, found.start) },
      { text: text.slice(found.start, found.end), prefix: found.prefix },
    );
    from = found.end;
  }
  return [...pieces, { text: text.slice(from) }];
};

/** Longer addresses are shown in part. */
const maxShown = 72;

const anchor = (escaped: string, prefix: string): string => {
  const address = unescaped(escaped);
  const characters = Array.from(address);
  const shown =
    characters.length <= maxShown
      ? address
      : `${characters
          .slice(0, maxShown - 1)
          .join('')
          .replace(/\.+$/, '')}…`;
  return `<a href="${prefix}${escapedText(address)}">${escapedText(shown)}</a>`;
};

export const escapedText = (text: string): string => escapeEntities(text).replaceAll("'", '&#039;');

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#039': "'" };
const unescaped = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#039);/g, (entity, name: string) => entities[name] ?? entity);

/** Where a sticky pattern ends that begins at an index; -1 where it does not match. */
const endOf = (pattern: RegExp, text: string, index: number): number => {
  pattern.lastIndex = index;
  return pattern.test(text) ? pattern.lastIndex : -1;
};

const nameRun = /[\p{L}\p{M}\p{N}._+-]+/uy;
const dottedName = /^[^]+\.[\p{L}\p{M}]{2,64}(?![\p{L}\p{N}_])/u;
const plainName = /^[\p{L}\p{M}]{2,64}(?![\p{L}\p{N}_])/u;
const numericHost = /(?:[0-9]{1,3}\.){3}[0-9]{1,3}/y;

/** The end of a name whose last part has letters only. A mail domain has a dot. */
const nameEnd = (text: string, index: number, pattern: 'dotted' | 'any'): number => {
  const run = text.slice(index, Math.max(index, endOf(nameRun, text, index)));
  const name = dottedName.exec(run) ?? (pattern === 'any' ? plainName.exec(run) : null);
  return name === null ? -1 : index + name[0].length;
};

const hostEnd = (text: string, index: number): number => {
  const end = nameEnd(text, index, 'any');
  return end === -1 ? endOf(numericHost, text, index) : end;
};

const pathRun = /[\p{L}\p{M}\p{N}!*';:=+,.$/%#[\]\-_~@&]*/uy;
const pathBrackets = /\([\p{L}\p{M}\p{N}!*';:=+,.$/%#[\]\-_~@&]+\)/uy;
const lastOfPath = /[\p{L}\p{M}\p{N}:_+~#=/]$/u;
const queryRun = /\?[a-zA-Z0-9!?*'@();:&=+$/%#[\]\-_.,~|]*/y;

/** The end of path and query. Neither ends with a full stop or a comma: these belong to the sentence. */
const trailEnd = (text: string, index: number): number => {
  let end = index;
  let position = index;
  for (;;) {
    const runEnd = endOf(pathRun, text, position);
    const run = text.slice(position, runEnd);
    const kept = trimmedEnd(run, lastOfPath);
    if (kept > 0) end = position + kept;
    const bracketsEnd = endOf(pathBrackets, text, runEnd);
    if (bracketsEnd === -1) break;
    end = bracketsEnd;
    position = bracketsEnd;
  }
  const queryEnd = endOf(queryRun, text, end);
  if (queryEnd === -1) return end;
  const query = trimmedEnd(text.slice(end + 1, queryEnd), /[a-zA-Z0-9_&=#/]$/);
  return query === 0 ? end : end + 1 + query;
};

/** The length of a run without the characters at its end that may not be the last. */
const trimmedEnd = (run: string, last: RegExp): number => {
  let end = run.length;
  while (end > 0 && !last.test(run.slice(Math.max(0, end - 2), end))) end -= 1;
  return end;
};

const scheme = /(?:https?|ftp|news|nntp|tel|telnet|mailto|irc|ssh|sftp|webcal|rtsp):(?:\/\/)?/g;
const accountRun = /[\p{L}\p{M}\p{N}:%_+*~#?&=.,/;-]+/uy;

const findUrl: Find = (text, from) => {
  // The account of all schemes in one run has the same end.
  let accountEnd = from;
  let isHostAfterAccount = false;
  scheme.lastIndex = from;
  for (let found = scheme.exec(text); found !== null; found = scheme.exec(text)) {
    const afterScheme = scheme.lastIndex;
    if (afterScheme >= accountEnd) {
      accountEnd = Math.max(afterScheme, endOf(accountRun, text, afterScheme));
      isHostAfterAccount = text[accountEnd] === '@' && hostEnd(text, accountEnd + 1) !== -1;
    }
    const host = isHostAfterAccount && accountEnd > afterScheme ? accountEnd + 1 : afterScheme;
    const end = hostEnd(text, host);
    if (end !== -1) return { start: found.index, end: trailEnd(text, end), prefix: '' };
    scheme.lastIndex = found.index + 1;
  }
  return undefined;
};

const maxMailName = 254;
const nameCharacter = /^[\p{L}\p{M}\p{N}._+-]$/u;

/** Where the name before an `@` begins. A name that is too long is cut at its begin. */
const mailStart = (text: string, from: number, at: number): number => {
  let start = at;
  for (let count = 0; count < maxMailName && start > from; count += 1) {
    // A letter outside of the first plane has two units.
    const width = start - 2 >= from && (text.codePointAt(start - 2) ?? 0) > 0xffff ? 2 : 1;
    if (!nameCharacter.test(text.slice(start - width, start))) break;
    start -= width;
  }
  return start;
};

const findMail: Find = (text, from) => {
  for (let at = text.indexOf('@', from); at !== -1; at = text.indexOf('@', at + 1)) {
    const start = mailStart(text, from, at);
    const end = start === at ? -1 : nameEnd(text, at + 1, 'dotted');
    if (end !== -1) return { start, end, prefix: 'mailto:' };
  }
  return undefined;
};

const findHost: Find = (text, from) => {
  for (let start = text.indexOf('www.', from); start !== -1; start = text.indexOf('www.', start)) {
    const name = start + 'www.'.length;
    const end = nameEnd(text, name, 'any');
    if (end !== -1) return { start, end: trailEnd(text, end), prefix: 'http://' };
    // A later "www." of the same run would end in the same way.
    start = Math.max(name, endOf(nameRun, text, name));
  }
  return undefined;
};

/**
 * The `processed` property of plain text: HTML-escaped, one paragraph per block, one break per line, and an anchor for
 * each address. The real site ends each paragraph with a newline.
 */
export const plainText = (text: string): string =>
  escapedText(text.replace(/\r\n?/g, '\n').replace(/^[ \t\n\0\v]+/, ''))
    .replace(/(?<![ \t\n\0\v])[ \t\n\0\v]+$/, '')
    .split(/\n[ \t\n\v\f]*\n/)
    .filter((block) => !/^[ \t\v\f]*$/.test(block))
    .map((block) =>
      block
        .split(/(?<![ \t\v\f])[ \t\v\f]*\n/)
        .map(withAnchors)
        .join('<br />\n'),
    )
    .map((block) => `<p>${block}</p>\n`)
    .join('');

/**
 * The `processed` property of a text in a format of the site. A text in HTML stays as it is.
 * open: the filters of such a format are not run. A real site can take tags away and make anchors and paragraphs.
 */
export const formattedText = (
  text: string,
  format: Json | undefined,
  { htmlFormats }: Pick<Site, 'htmlFormats'>,
): string => (typeof format === 'string' && htmlFormats.has(format) ? text.replace(/\r\n?/g, '\n') : plainText(text));
