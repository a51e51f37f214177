/** Removes secrets from a text: from its URLs, its parameters, what is encoded in it, and by names and patterns; and from JSON. */
import { parsedJson, type Json, type JsonObject } from '../../basics/json.ts';
import { styleOf, writeJson } from './json-style.ts';
import { mostDecodings, readableIn, replaceEncoded } from './encoded-text.ts';
import { redactNamed } from './named-values.ts';
import type { Redacting } from './redacting.ts';
import { isPublicName, replaceRandom, replaceShapes } from './suspicion.ts';

// Beyond ASCII: as letters, as the bytes that header lines have, and percent-encoded.
const sign = /@|%(?:25){0,3}40/g;
const localEnd = /[\p{L}\p{N}\u0080-\u00ff._%+~-]{1,128}$/u;
const host = /(?:(?:[\p{L}\p{N}\u0080-\u00ff-]|%[0-9a-f]{2}){1,63}\.){1,8}[\p{L}]{2,24}/iuy;
/** `logo@2x.png` is a file. */
const fileEnding = /\.(?:png|jpe?g|gif|svg|webp|ico|css|m?js|json|xml|pdf|tiff?|jp2|mp[34]|html?|txt|zip)$/i;

const longestLocal = 128;

/** Calls `replace` with each address, written with a plain `@`, and puts its result in the place. */
const replaceMails = (text: string, replace: (address: string) => string): string => {
  const parts: string[] = [];
  let done = 0;
  for (const { index, 0: at } of text.matchAll(sign)) {
    // What was looked at for the sign before cannot belong to this one.
    if (index < done) continue;
    const before = text.slice(Math.max(done, index - longestLocal), index);
    const local = localEnd.exec(before)?.[0];
    if (local === undefined) continue;
    host.lastIndex = index + at.length;
    const found = host.exec(text)?.[0];
    if (found === undefined || fileEnding.test(found)) continue;
    parts.push(text.slice(done, index - local.length), replace(`${local}@${found}`));
    done = index + at.length + found.length;
  }
  return done === 0 ? text : parts.join('') + text.slice(done);
};

/** Removes secrets from any text, and from the texts that are encoded in it. It may be cut off anywhere. */
export const redactText = (text: string, redacting: Redacting, decodings = 0): string => {
  if (text === '') return text;
  const { rules, placeholders, keepsRandom } = redacting;
  const learn = (secret: string, kind: string): string => placeholders.learn(secret, kind);
  const named = redactNamed(redactUrls(text, redacting), redacting);
  const shown = redactShapes(placeholders.replaceLearned(named), redacting);
  const isLast = decodings === mostDecodings;
  const unpacked = isLast
    ? shown
    : replaceEncoded(shown, (inner) => redactPart(inner, redacting, decodings + 1), learn);
  // What was decoded and has no secret stays; what was not decoded is as suspect as any.
  const isKnown = (run: string): boolean => !isLast && readableIn(run) !== undefined;
  return rules.replacePatterns(keepsRandom === true ? unpacked : replaceRandom(unpacked, isKnown, learn), placeholders);
};

/** The same for a text that may be a whole document of JSON, or a form, within another one. */
const redactPart = (text: string, redacting: Redacting, depth: number): string => {
  const json = depth <= mostDecodings && /^\s*[[{]/.test(text) ? (parsedJson(text) as Json | undefined) : undefined; // any JSON
  if (json !== undefined) {
    const redacted = redactJson(json, redacting, { depth: depth + 1 });
    return JSON.stringify(redacted) === JSON.stringify(json)
      ? text
      : writeJson(redacted, styleOf(text, json) ?? 'compact');
  }
  return redactText(isForm.test(text) ? redactQuery(text, redacting) : text, redacting, Math.min(depth, mostDecodings));
};

const isForm = /^[\w.%[\]-]{1,128}=[^\s<>{}"]*$/;

/** `kind` is the secret name above the value; `depth` counts the texts around it. */
export const redactJson = (
  value: Json,
  redacting: Redacting,
  { kind, depth = 0 }: { readonly kind?: string | undefined; readonly depth?: number } = {},
): Json => {
  const { rules, placeholders } = redacting;
  if (typeof value === 'string')
    return kind === undefined ? redactPart(value, redacting, depth) : placeholders.learn(value, kind);
  if (typeof value === 'number') return kind === undefined ? value : placeholders.of(String(value), kind);
  if (Array.isArray(value)) {
    const inner = kind ?? pairName(value, redacting);
    const isPair = inner !== kind;
    return value.map((item: Json, at) =>
      redactJson(item, redacting, { kind: isPair && at === 0 ? kind : inner, depth }),
    );
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = value as JsonObject; // no list
  const named = namedValue(members, redacting);
  return Object.fromEntries(
    Object.entries(members).map(([name, inner]) => {
      const own = rules.isSecretMember(name, inner) ? name : valueNames.test(name) ? named : undefined;
      const using = isPublicName(name) || rules.isAllowed(name) ? { ...redacting, keepsRandom: true } : redacting;
      return [redactText(name, redacting), redactJson(inner, using, { kind: kind ?? own, depth })];
    }),
  );
};

/** The name of `["X-Api-Key", "…"]`, as programs keep header lines. Two words are a list. */
export const pairName = (value: readonly Json[], { rules }: Redacting): string | undefined => {
  const [name, secret] = value;
  if (value.length !== 2 || typeof name !== 'string' || typeof secret !== 'string' || /^[a-z_ ]*$/i.test(secret))
    return undefined;
  return rules.isSecretName(name) || rules.isSecretHeaderLine(name, '') ? name : undefined;
};

export const valueNames = /^(?:value|val|content)$/i;

/** The secret name in `{"name": "pass", "value": "…"}`, or the path of a JSON patch. */
export const namedValue = (members: JsonObject, { rules }: Redacting): string | undefined =>
  Object.entries(members)
    .filter(([member]) => /^(?:name|key|header|param|parameter|field|path)$/i.test(member))
    .map(([, name]) => name)
    .find(
      (name) =>
        typeof name === 'string' &&
        /^[\w./:[\]-]+$/.test(name) &&
        (rules.isSecretName(name) || rules.isSecretHeaderLine(name, '')),
    ) as string | undefined;

/** Removes the values of secret parameters from a query without its question mark, or from the body of a form. */
export const redactQuery = (query: string, { rules, placeholders }: Redacting): string =>
  query.replace(/(^|[&;])([^=&;]+)=([^&;]*)/g, (all, before: string, name: string, value: string) =>
    rules.isSecretParameter(decoded(decoded(name)), decoded(value))
      ? `${before}${name}=${placeholders.learn(decoded(value), name)}`
      : all,
  );

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
};

const redactUrls = (text: string, redacting: Redacting): string =>
  text
    .replace(
      /\/\/([^/?#\s@"'<>]{1,256})@/g,
      (_all, user: string) => `//${redacting.placeholders.learn(user, 'userinfo')}@`,
    )
    .replace(/([?#])([^\s#"<>?]+)/g, (_all, mark: string, query: string) => `${mark}${redactQuery(query, redacting)}`)
    .replace(
      /(;(?:jsessionid|phpsessid|sid)=)([^;?#&\s"'<>/]+)/gi,
      (_all, name: string, value: string) => `${name}${redacting.placeholders.learn(value, 'session')}`,
    )
    // The address by which somebody who forgot the password gets in once.
    .replace(
      /(\/user\/(?:reset\/\d+|\d+\/cancel\/confirm)\/\d+\/)([\w-]{16,})/g,
      (_all, before: string, hash: string) => `${before}${redacting.placeholders.learn(hash, 'login-link')}`,
    );

/** Secrets that are known by their looks. */
const redactShapes = (text: string, { rules, placeholders }: Redacting): string => {
  const shown = replaceShapes(text, (secret, kind) =>
    kind === 'private-key' ? placeholders.of(secret, kind) : placeholders.learn(secret, kind),
  );
  return rules.keepsMails ? shown : replaceMails(shown, (address) => placeholders.ofMail(address));
};
