/** Removes secrets from recorded requests and replies. It finds them by their names. */
import { parsedJson } from '../../basics/json.ts';
import type { Json } from '../../core/model/entity.ts';
import { isSecretName, isSecretParameterName, isSuspectValue, replaceShapes } from './suspicion.ts';

/** Replaces a secret. */
export const redacted = '[redacted]';

/** Whether the whole text is one placeholder, also the one that Atoll's own traffic has. */
export const isPlaceholder = (text: string): boolean =>
  text === redacted || /^(?:\[redacted:[a-z0-9_-]+:\d+\]|mail-\d+@redacted\.invalid)$/.test(text);

/** Includes names that only other servers use, because a client may send its keys to every server. */
const secretHeaders = /authorization|cookie|token|secret|password|api-?key|^atoll-control$/i;

export const isSecretMember = isSecretName;
export const isSecretHeader = (name: string): boolean =>
  !/^access-control-/i.test(name) && (secretHeaders.test(name) || isSecretParameterName(name.replace(/^x-/i, '')));

/** Whether a member of JSON is secret by its name, or by its value where that is a text. */
const isSecretPair = (name: string, value: unknown): boolean => isSecretName(name) || isSuspectValue(name, value);

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
      if (isSecretHeader(name)) return [[name, redacted]];
      const shown = (one: string): string => (isSuspectValue(name, one) ? redacted : shownHeaderValue(name, one));
      return [[name, typeof value === 'string' ? shown(value) : value.map(shown)]];
    }),
  );

/** Removes secrets from the URLs in a header's value, and what a server draws for one login from its challenge. */
const shownHeaderValue = (name: string, value: string): string =>
  shownAddress(/-?authenticate$/i.test(name) ? value.replace(challenge, `$1${redacted}`) : value).replace(
    /\?([^\s#"<>?]+)/g,
    (_all, query: string) => `?${shownQuery(query)}`,
  );

/** RFC 7616 §3.3 */
export const challenge = /(\b(?:nonce|opaque)="?)([^",\s]+)/gi;

/** Takes a query without its question mark. Replaces the values of parameters with a secret name, even if the name is percent-encoded. */
export const shownQuery = (query: string): string =>
  query.replace(/(^|&)([^=&]+)=([^&]*)/g, (all, before: string, name: string, value: string) =>
    [...new URLSearchParams(`${name}=${value}`)].some(([key, one]) => isSecretParameter(key, one))
      ? `${before}${name}=${redacted}`
      : all,
  );

/** Whether a parameter of a URL or a field of a form is secret. */
export const isSecretParameter = (name: string, value: string): boolean =>
  isSecretParameterName(name) || isSuspectValue(name, value);

/** Removes the user information from the URLs in a text (RFC 3986 §3.2.1), and what has the shape of a secret. */
export const shownAddress = (text: string): string =>
  replaceShapes(text.replace(/\/\/[^/?#\s@"]+@/g, `//${redacted}@`), () => redacted);

/** Removes secrets from a text, which may be JSON. */
export const shownText = (text: string, operation: string | undefined): string => {
  if (isSecretText(operation)) return text.startsWith('{') ? shownJsonText(text) : redacted;
  return shownAddress(shownJsonText(text));
};

/** Removes secrets from the JSON body of a request. */
export const shownBody = (body: Json, operation: string | undefined): Json =>
  isSecretText(operation) && (typeof body !== 'object' || Array.isArray(body)) ? redacted : shownJson(body);

/** When the text mentions a secret but is not valid JSON, all of it is replaced. Nothing is rewritten without need. */
const shownJsonText = (text: string): string => {
  const json = /^\s*[[{"]/.test(text) ? (parsedJson(text) as Json | undefined) : undefined; // any JSON
  if (json === undefined) return isForm(text) ? shownQuery(text) : mentionsSecret(text) ? redacted : text;
  try {
    const shown = shownJson(json);
    return JSON.stringify(shown) === JSON.stringify(json) ? text : JSON.stringify(shown);
  } catch {
    // It is nested too deeply to look for secrets.
    return redacted;
  }
};

const isForm = (text: string): boolean => /^[^\s=&<>{}"]+=[^\s<>{}"]*$/.test(text);

/** XML, the parts of an upload, or JSON that was cut off. */
const mentionsSecret = (text: string): boolean =>
  /pass|jwt|token|secret|api_?key|authorization|\\u/i.test(text) ||
  [...text.matchAll(/([\w.[\]-]{2,64})["']?\s{0,4}[=:>]/g)].some(([, name = '']) => isSecretName(name));

/** Replaces the values of members with a secret name, at any depth. */
export const shownJson = (value: Json): Json => {
  // A text may be JSON itself. One that only begins so is a title.
  if (typeof value === 'string')
    return /^\s*[[{]/.test(value) && parsedJson(value) !== undefined ? shownJsonText(value) : value;
  if (Array.isArray(value)) return value.map(shownJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, isSecretPair(name, inner) ? redacted : shownJson(inner)]),
  );
};
