/** Writes values of answers for reports: short, and without secrets. */
import { sessionCookieNames } from '../../core/access/cookie-auth.ts';
import type { Json } from '../../core/model/entity.ts';
import { createRedaction } from '../../exchange/redaction.ts';
import { valuesOf, type HeaderLine, type WireRequest } from '../../exchange/wire-exchange.ts';
import { isSecretMember, redacted, shownJson, shownText } from '../../exchange/redaction/secrets.ts';
import type { AnsweredTwice, Difference } from '../../contract/compare/difference.ts';
import { sessionCookieIn } from './credentials/own-logins.ts';
import { replaceTokens } from '../../contract/compare/tokens.ts';

/** The most characters of a value. */
const longest = 300;

/** Undefined stays: the answer has no such value. */
export const shownValue = (
  { request, operation }: Pick<AnsweredTwice, 'request' | 'operation'>,
  { place }: Pick<Difference, 'place'>,
  value: unknown,
): string | undefined => {
  if (value === undefined) return undefined;
  const names = place.split('/').filter((step) => !/^(?:\d+|-|\*)$/.test(step));
  if (isSecretMember(names.at(-1) ?? '')) return redacted;
  const isWhole = place === '/body' && typeof value === 'string';
  const text = isWhole
    ? shownText(value, operation)
    : typeof value === 'string'
      ? value
      : JSON.stringify(shownJson(value as Json)); // parsed from JSON
  const clean = withoutShapes(createRedaction(secretsIn(request)).text(text));
  return clean.length > longest ? `${clean.slice(0, longest)}…` : clean;
};

/** Method and path. */
export const shownRequest = (request: WireRequest): string => {
  const path = createRedaction(secretsIn(request)).path(request.path);
  return `${request.method} ${withoutShapes(path)}`.slice(0, 2 * longest);
};

const sessionIds = new RegExp(String.raw`(\b${sessionCookieNames}=)[^;\s,"]+`, 'g');

/** Tokens and session ids look alike everywhere. */
const withoutShapes = (text: string): string =>
  replaceTokens(text, ({ kind, text: token }) => (kind === 'secret' ? redacted : token))
    .replace(sessionIds, `$1${redacted}`)
    .replace(/\b(Basic|Bearer)\s+(?!realm)[\w+/=.~-]{6,}/g, `$1 ${redacted}`);

const secretsIn = ({ headers }: { readonly headers: readonly HeaderLine[] }): string[] => [
  ...valuesOf(headers, 'authorization').flatMap((value) => {
    const sent = value.replace(/^\S+\s+/, '');
    return [
      sent,
      Buffer.from(sent, 'base64')
        .toString()
        .replace(/^[^:]*:/s, ''),
    ];
  }),
  ...valuesOf(headers, 'cookie').flatMap((value) => sessionCookieIn(value)?.split('=')[1] ?? []),
  ...valuesOf(headers, 'x-csrf-token'),
];
