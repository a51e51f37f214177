/** Removes secrets from recorded requests and replies. It finds them by their names. */
import type { Json } from '../../core/model/entity.ts';

/** Replaces a secret. */
export const redacted = '[redacted]';

/** Whether the whole text is one placeholder, also the one that Atoll's own traffic has. */
export const isPlaceholder = (text: string): boolean =>
  text === redacted || /^(?:\[redacted:[a-z0-9_-]+:\d+\]|mail-\d+@redacted\.invalid)$/.test(text);

/** Includes names that only other servers use, because a client may send its keys to every server. */
const secretHeaders = /authorization|cookie|token|secret|password|api-?key|^atoll-control$/i;

/** A token is also sent as the parameter `jwt` to servers that read it there. */
const secretMembers = /^pass$|^jwt$|password|token$|secret|api_?key|^authorization$/i;

export const isSecretMember = (name: string): boolean => secretMembers.test(name);
export const isSecretHeader = (name: string): boolean => secretHeaders.test(name);

/** For these operations a text that is not a JSON object is secret as a whole. */
const secretTexts: ReadonlySet<string> = new Set(['getSessionToken', 'getRestSessionToken', 'login']);

/** Whether a text of this operation that is not a JSON object is secret as a whole. */
export const isSecretText = (operation: string | undefined): boolean =>
  operation !== undefined && secretTexts.has(operation);

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

/** Removes secrets from the URLs in a header's value. */
const shownValue = (value: string): string =>
  shownAddress(value).replace(/\?([^\s#"<>?]+)/g, (_all, query: string) => `?${shownQuery(query)}`);

/** Takes a query without its question mark. Replaces the values of parameters with a secret name, even if the name is percent-encoded. */
export const shownQuery = (query: string): string =>
  query.replace(/(^|&)([^=&]+)=([^&]*)/g, (all, before: string, name: string) =>
    [...new URLSearchParams(name).keys()].some((key) => secretMembers.test(key)) ? `${before}${name}=${redacted}` : all,
  );

/** Removes the user information from the URLs in a text (RFC 3986 §3.2.1). */
export const shownAddress = (text: string): string => text.replace(/\/\/[^/?#\s@"]+@/g, `//${redacted}@`);

/** Removes secrets from a text, which may be JSON. */
export const shownText = (text: string, operation: string | undefined): string => {
  if (isSecretText(operation)) return text.startsWith('{') ? shownJsonText(text) : redacted;
  return shownAddress(shownJsonText(text));
};

/** Removes secrets from the JSON body of a request. */
export const shownBody = (body: Json, operation: string | undefined): Json =>
  isSecretText(operation) && (typeof body !== 'object' || Array.isArray(body)) ? redacted : shownJson(body);

/** When the text mentions a secret but is not valid JSON, all of it is replaced. */
const shownJsonText = (text: string): string => {
  if (!/pass|jwt|token|secret|api_?key|authorization|\\u/i.test(text)) return text;
  try {
    return JSON.stringify(shownJson(JSON.parse(text) as Json)); // JSON.parse returns JSON
  } catch {
    return redacted;
  }
};

/** Replaces the values of members with a secret name, at any depth. */
export const shownJson = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(shownJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, secretMembers.test(name) ? redacted : shownJson(inner)]),
  );
};
