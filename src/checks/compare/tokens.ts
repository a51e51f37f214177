/** Splits a text into what both servers must say alike, and ids, uuids, times and secrets, which each has of its own. */
import { sessionCookieNames } from '../../repository/repository-engine.ts';
import type { IdKind } from './id-map.ts';

type TokenKind = IdKind | 'uuid' | 'secret' | 'time' | 'month' | 'cookieName' | 'mail';
export type Token = { readonly kind: TokenKind; readonly text: string };

/** `literals` has one more member than `tokens`: the text before, between and behind them. */
export type Split = { readonly literals: readonly string[]; readonly tokens: readonly Token[] };

const end = String.raw`(?![\w.]*\w)`;

/** The first that matches at a place counts. */
const patterns: readonly (readonly [kind: TokenKind, pattern: string])[] = [
  ['secret', String.raw`\[redacted:[a-z0-9_-]+:\d+\]`],
  ['mail', String.raw`mail-\d+@redacted\.invalid`],
  // A JSON Web Token: its first part is an object in base64url.
  ['secret', String.raw`\bey[\w-]{8,}\.[\w-]{4,}\.[\w-]*`],
  ['uuid', String.raw`\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b`],
  ['time', String.raw`\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)`],
  ['cookieName', String.raw`\b${sessionCookieNames}\b`],
  ['secret', String.raw`(?<![\w-])[\w-]{43}(?![\w-])`],
  ['taxonomy_term', String.raw`(?<=\bnode\/\d+\/media\/[a-z0-9_]+\/)\d+${end}`],
  ['node_revision', String.raw`(?<=\bnode\/\d+\/revisions\/)\d+${end}`],
  ['media_revision', String.raw`(?<=\bmedia\/\d+\/revisions\/)\d+${end}`],
  ['node', String.raw`(?<=(?:^|[/:])node\/)\d+${end}`],
  ['media', String.raw`(?<=(?:^|[/:])media\/)\d+${end}`],
  ['file', String.raw`(?<=(?:^|[/:])(?:file|checksum)\/)\d+${end}`],
  ['taxonomy_term', String.raw`(?<=(?:^|[/:])(?:taxonomy\/term|taxonomy_term)\/)\d+${end}`],
  ['user', String.raw`(?<=(?:^|[/:])user\/)\d+${end}`],
  ['path_alias', String.raw`(?<=\/entity\/path_alias\/)\d+${end}`],
  ['redirect', String.raw`(?<=\/redirect\/edit\/)\d+${end}`],
  ['node', String.raw`(?<=[?&]node=)\d+${end}`],
  // As identifiers and sets of OAI-PMH name them, and the parts of manifests.
  ['node', String.raw`(?<=\bidentifier[=>]oai:[^\s<>&]{1,255}:node[-_])\d+${end}`],
  ['node', String.raw`(?<=(?:<setSpec>|[?&]set=)node[-_:])\d+${end}`],
  ['media', String.raw`(?<=\/(?:canvas|annotation)\/)\d+${end}`],
  ['media', String.raw`(?<=[?&]media=)\d+${end}`],
  ['taxonomy_term', String.raw`(?<=[?&](?:taxonomy_term|tid)=)\d+${end}`],
  // As messages name them: `The referenced entity (taxonomy_term: 5) does not exist.`
  ...(['node', 'media', 'file', 'taxonomy_term', 'user'] as const).map(
    (kind) => [kind, String.raw`(?<=\(${kind}: )\d+(?=\))`] as const,
  ),
  ['month', String.raw`(?<=\/)\d{4}-(?:0[1-9]|1[0-2])(?=\/)`],
];

const tokenPattern = new RegExp(patterns.map(([, pattern]) => `(${pattern})`).join('|'), 'g');

export const splitText = (text: string): Split => {
  const literals: string[] = [];
  const tokens: Token[] = [];
  let from = 0;
  for (const match of text.matchAll(tokenPattern)) {
    const [found, ...groups] = match;
    // An alternative that did not match gives undefined, which Node's types do not say.
    const kind = patterns[groups.findIndex((group: string | undefined) => group !== undefined)]?.[0];
    if (kind === undefined) continue;
    literals.push(text.slice(from, match.index));
    tokens.push({ kind, text: found });
    from = match.index + found.length;
  }
  return { literals: [...literals, text.slice(from)], tokens };
};

/** The text with other tokens. */
export const replaceTokens = (text: string, replace: (token: Token) => string): string => {
  const { literals, tokens } = splitText(text);
  return literals.map((literal, at) => literal + (tokens[at] === undefined ? '' : replace(tokens[at]))).join('');
};
