/** Removes secrets from requests and replies for traffic and reports, with one mark for all of them. */
import { parsedJson, type Json, type JsonObject } from '../../basics/json.ts';
import { namedValue, pairName, redactQuery, redactText, valueNames } from './redact-text.ts';
import type { Redacting } from './redacting.ts';
import {
  challenge,
  isPlaceholder,
  isSecretHeader,
  isSecretPair,
  isSecretParameter,
  isSecretText,
  redacted,
} from './secrets.ts';
import { isPublicName, isSecretName, isSuspectValue } from './suspicion.ts';

/** Removes secrets from headers by their names: the values of those that hold one, and secrets within others. */
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

/** Removes secrets from a header's value, and what a server draws for one login from its challenge. */
const shownHeaderValue = (name: string, value: string): string =>
  redactText(/-?authenticate$/i.test(name) ? value.replace(challenge, `$1${redacted}`) : value, {
    ...redacting,
    keepsRandom: isPublicName(name),
  });

/**
 * Removes secrets from an address with its query: the values of parameters with a secret name, even if the name is
 * percent-encoded, and the secrets in other values.
 */
export const shownPath = (address: string): string => {
  const mark = address.indexOf('?');
  return shownAddress(mark < 0 ? address : `${address.slice(0, mark)}?${shownQuery(address.slice(mark + 1))}`);
};

/** Takes a query without its question mark. */
export const shownQuery = (query: string): string => shownAddress(redactQuery(query, redacting));

/** Traffic and reports show one mark for all secrets. They keep mail addresses and the addresses of clients. */
const redacting: Redacting = {
  rules: {
    ...{ isSecretName, isSecretParameter, isSecretMember: isSecretPair, isSecretHeaderLine: isSecretHeader },
    ...{ isAllowed: () => false, replacePatterns: (text) => text, keepsMails: true, keepsAddresses: true },
  },
  placeholders: {
    of: () => redacted,
    learn: () => redacted,
    ofMail: (address) => address,
    replaceLearned: (text) => text,
  },
};

/** The secrets of a text, also those within its encoded parts. */
export const secretsIn = (text: string): readonly string[] => {
  const secrets: string[] = [];
  const learn = (secret: string): string => {
    if (!isPlaceholder(secret)) secrets.push(secret);
    return redacted;
  };
  redactText(text, { ...redacting, placeholders: { ...redacting.placeholders, learn } });
  return secrets;
};

/** Removes from any text the user information of URLs (RFC 3986 §3.2.1), what has a secret name, and what looks like a secret. */
export const shownAddress = (text: string): string => redactText(text, redacting);

/** Removes secrets from a text, which may be JSON. `operation` is the id of the operation whose body it is. */
export const shownText = (text: string, operation?: string): string => {
  if (isSecretText(operation)) return text.startsWith('{') ? shownJsonText(text) : redacted;
  if (text.includes('\0')) {
    // It was UTF-16, where the signs of ASCII have a NUL next to them.
    const narrow = text.replaceAll('\0', '');
    return shownText(narrow, operation) === narrow ? text : redacted;
  }
  return shownAddress(shownJsonText(text));
};

/** When the text mentions a secret but is not valid JSON, all of it is replaced. Nothing is rewritten without need. */
const shownJsonText = (text: string): string => {
  const json = /^\s*[[{"]/.test(text) ? (parsedJson(text) as Json | undefined) : undefined; // any JSON
  if (json === undefined) return isForm(text) ? shownQuery(text) : mentionsSecret(text) ? redacted : text;
  try {
    const shown = shownValue(json);
    return JSON.stringify(shown) === JSON.stringify(json) ? text : JSON.stringify(shown);
  } catch {
    return redacted;
  }
};

const isForm = (text: string): boolean => /^[^\s=&<>{}"]+=[^\s<>{}"]*$/.test(text);

/** XML, the parts of an upload, or JSON that was cut off. */
const mentionsSecret = (text: string): boolean =>
  /pass|jwt|token|secret|api_?key|authorization|\\u/i.test(text) ||
  [...text.matchAll(/([\w.[\]-]{2,64})["']?\s{0,4}[=:>]/g)].some(([, name = '']) => isSecretName(name));

/**
 * Replaces the values of members with a secret name, at any depth, and the secrets of other texts. What is nested too deeply to be
 * looked through is replaced as a whole. `operation` is the id of the operation whose body it is.
 */
export const shownJson = (value: Json, operation?: string): Json => {
  if (isSecretText(operation) && (typeof value !== 'object' || Array.isArray(value))) return redacted;
  try {
    return shownValue(value);
  } catch (error) {
    if (error instanceof RangeError) return redacted;
    throw error;
  }
};

const shownValue = (value: Json): Json => {
  // A text may be JSON itself. One that only begins so is a title.
  if (typeof value === 'string')
    return shownAddress(/^\s*[[{]/.test(value) && parsedJson(value) !== undefined ? shownJsonText(value) : value);
  if (Array.isArray(value)) {
    const name = pairName(value, redacting);
    return name === undefined ? value.map(shownValue) : [name, redacted];
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = value as JsonObject; // no list
  const isNamed = namedValue(members, redacting) !== undefined;
  return Object.fromEntries(
    Object.entries(members).map(([name, inner]) => [
      name,
      isSecretPair(name, inner) || (isNamed && valueNames.test(name)) ? redacted : shownMember(name, inner),
    ]),
  );
};

/** A checksum looks random and is not secret. */
const shownMember = (name: string, value: Json): Json =>
  typeof value === 'string' && isPublicName(name)
    ? redactText(value, { ...redacting, keepsRandom: true })
    : shownValue(value);
