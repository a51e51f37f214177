/** Collects the advice of a request, and writes it as the header `Atoll-Advice`: a list of structured fields (RFC 9651), in ASCII and of limited length. */
import type { Advice, PlainRequest } from '../../openapi/openapi-host.ts';
import type { OutgoingReply } from './exchange.ts';
import type { Json } from '../../basics/json.ts';

/** Many servers and proxies refuse a head of more than 8,192 bytes. */
const maxLength = 2048;
const longestHeaderValue = 120;

type AdviceHeader = { readonly adviceHeader?: boolean | undefined };

/** The reply, with the header where it is asked for. */
export const withAdvice = (
  reply: OutgoingReply,
  advice: readonly Advice[],
  { observations }: PlainRequest,
  { adviceHeader }: AdviceHeader,
): OutgoingReply => {
  if (observations !== undefined) observations.advice = advice;
  return adviceHeader === true ? withHeader(reply, advice) : reply;
};

/** Advices that do not fit are counted: `more;count=3`. */
const withHeader = (reply: OutgoingReply, advice: readonly Advice[]): OutgoingReply => ({
  ...reply,
  headers: { ...reply.headers, 'Atoll-Advice': headerOf(advice) },
});

/** `"/requestBody/title/0/value";sent="7";stored="\"7\"";reason="…", …`. `sent`, `before` and `stored` are JSON, shortened when they are long. */
const headerOf = (advice: readonly Advice[]): string => {
  const members: string[] = [];
  let length = '"", more;count=99999'.length;
  for (const one of advice) {
    const member = memberOf(one);
    length += member.length + 2;
    if (length > maxLength) break;
    members.push(member);
  }
  const left = advice.length - members.length;
  return [...members, ...(left === 0 ? [] : [`more;count=${left}`])].join(', ');
};

const memberOf = ({ pointer, sent, before, stored, reason }: Advice): string =>
  [
    quoted(pointer),
    ...(sent === undefined ? [] : [`sent=${quoted(shortJson(sent))}`]),
    ...(before === undefined ? [] : [`before=${quoted(shortJson(before))}`]),
    ...(stored === undefined ? [] : [`stored=${quoted(shortJson(stored))}`]),
    `reason=${quoted(reason)}`,
  ].join(';');

const shortJson = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > longestHeaderValue ? `${text.slice(0, longestHeaderValue)}...` : text;
};

/** A string of RFC 9651 has printable ASCII only. Other characters are written as in JSON: `\u00e9`. */
const quoted = (text: string): string =>
  `"${text
    .replace(/[^\x20-\x7e]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replace(/["\\]/g, '\\$&')}"`;
