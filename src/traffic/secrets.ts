/** Takes secrets out of what is shown of a request or a reply. They are found by the names that they have on the wire. */
import type { Json } from '../model/entity.ts';

/** What stands in the place of a secret. */
export const redacted = '[redacted]';

/** Beside those of the contract the names that keys and tokens have elsewhere: a client may send them to every server. */
const secretHeaders = /authorization|cookie|token|secret|password|api-?key|^atoll-control$/i;

const secretMembers = /^pass$|password|token$|secret|api_?key|^authorization$/i;

/** Operations whose text is a secret as a whole where it is no JSON object. */
const secretTexts: ReadonlySet<string> = new Set(['getSessionToken', 'getRestSessionToken', 'login']);

/** Names as they were sent. */
export const shownHeaders = (
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): [string, string | string[]][] => {
      if (value === undefined) return [];
      if (secretHeaders.test(name)) return [[name, redacted]];
      return [[name, typeof value === 'string' ? shownValue(value) : value.map(shownValue)]];
    }),
  );

/** The value of a header: addresses in it lose user information and the secrets of their query. */
const shownValue = (value: string): string =>
  shownAddress(value).replace(/\?([^\s#"<>?]+)/g, (_all, query: string) => `?${shownQuery(query)}`);

/** A query without its question mark; parameters with the name of a secret lose their value, however it is encoded. */
export const shownQuery = (query: string): string =>
  query.replace(/(^|&)([^=&]+)=([^&]*)/g, (all, before: string, name: string) =>
    [...new URLSearchParams(name).keys()].some((key) => secretMembers.test(key)) ? `${before}${name}=${redacted}` : all,
  );

/** An address, or a text with addresses, without the user information that stands before their host (RFC 3986 §3.2.1). */
export const shownAddress = (text: string): string => text.replace(/\/\/[^/?#\s@"]+@/g, `//${redacted}@`);

/** A text that may be JSON: its members with the name of a secret lose their value, however deep they lie. */
export const shownText = (text: string, operation: string | undefined): string => {
  if (operation !== undefined && secretTexts.has(operation))
    return text.startsWith('{') ? shownJsonText(text) : redacted;
  return shownAddress(shownJsonText(text));
};

/** What was sent to an operation as JSON. */
export const shownBody = (body: Json, operation: string | undefined): Json =>
  operation !== undefined && secretTexts.has(operation) && (typeof body !== 'object' || Array.isArray(body))
    ? redacted
    : shownJson(body);

/** JSON that could not be parsed may hold a secret in any place: of it nothing is shown when a name hints at one. */
const shownJsonText = (text: string): string => {
  if (!/pass|token|secret|\\u/i.test(text)) return text;
  try {
    return JSON.stringify(shownJson(JSON.parse(text) as Json)); // JSON.parse makes nothing else
  } catch {
    return redacted;
  }
};

/** The value without its secrets. */
export const shownJson = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(shownJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, secretMembers.test(name) ? redacted : shownJson(inner)]),
  );
};
