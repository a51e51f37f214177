/** Removes secrets from a text: from its URLs, its parameters, its parts that look like JSON or a form, and by patterns. */
import { mostDecodings, readableIn, replaceEncoded } from './encoded-text.ts';
import type { Placeholders } from './placeholders.ts';
import type { RedactionRules } from './redaction-rules.ts';
import { replaceRandom, replaceShapes } from './suspicion.ts';

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

/** What redaction works with. */
export type Redacting = {
  readonly rules: RedactionRules;
  readonly placeholders: Placeholders;
  /** Whether texts are checksums and the like, which look random. */
  readonly keepsRandom?: boolean;
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
    : replaceEncoded(shown, (decoded) => redactText(decoded, redacting, decodings + 1), learn);
  // What was decoded and has no secret stays; what was not decoded is as suspect as any.
  const isKnown = (run: string): boolean => !isLast && readableIn(run) !== undefined;
  return rules.replacePatterns(keepsRandom === true ? unpacked : replaceRandom(unpacked, isKnown, learn), placeholders);
};

/** Removes the values of secret parameters from a query without its question mark, or from the body of a form. */
export const redactQuery = (query: string, { rules, placeholders }: Redacting): string =>
  query.replace(/(^|[&;])([^=&;]+)=([^&;]*)/g, (all, before: string, name: string, value: string) =>
    rules.isSecretParameter(decoded(name), decoded(value))
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

// A text of JSON within another one has its quotes escaped, once more at each level.
const quotedPair = /(\\{0,7}["'])([\w.[\]-]{1,64})\1(\s{0,8}:\s{0,8})\1((?:(?!\1)(?:\\.|[^\\\r\n])){1,8192})(\1|$)/g;
/** `"pass": [{"existing": "…", "value": "…"}]`, as Drupal's records have it, in JSON that is not a whole document. */
const quotedGroup = /(\\{0,7}["'])([\w.[\]-]{1,64})\1(\s{0,8}:\s{0,8})(\[[^\]]{1,8192}|\{[^}]{1,8192})/g;
const quotedWord = /(\\{0,7}["'])((?:(?!\1)(?:\\.|[^\\\r\n])){1,8192})(\1|$)(\s{0,8}:)?/g;
const cdata = /(<(?:\w{1,32}:)?([\w-]{1,64})(?:\s[^<>]{0,300})?>\s{0,8}<!\[CDATA\[)((?:(?!\]\]>)[\s\S]){1,8192})/g;
const formFieldAfter =
  /(\b(?:value|content)=["'])([^"'<>]{1,8192})(?=["'][^<>]{0,300}?\bname=["']([\w-]{1,64}(?:\[[^"'\]]{0,64}\]){0,4})["'])/g;
const formField =
  /(\bname=["']([\w-]{1,64}(?:\[[^"'\]]{0,64}\]){0,4})["'][^<>]{0,300}?\b(?:value|content)=["'])([^"']{1,8192})/g;
const formPart =
  /(\bname="([\w-]{1,64}(?:\[[^"\]]{0,64}\]){0,4})"[^\r\n]{0,300}\r\n(?:[^\r\n]{1,300}\r\n){0,4}\r\n)([^\r\n]{1,8192})/g;
const element = /(<(?:\w{1,32}:)?([\w-]{1,64})(?:\s[^<>]{0,300})?>)([^<>]{1,8192})(?=<\/)/g;
const attribute = /(\s(?!xmlns)(?:\w{1,32}:)?([\w-]{1,64})=["'])([^"'<>]{1,8192})(?=["'])/g;
const bareWord =
  /(password|passwd|(?<![a-z])pass|secret|token|api[_-]?key)(\s{0,4}[=:]\s{0,4}(?:\\{0,7}["'])?)((?:[^\s"'&;,<>{}[\]\\]|\\(?!["'\\])){6,512})/gi;

const quotedNumber = /(\\{0,7}["'])([\w.[\]-]{1,64})\1(\s{0,8}:\s{0,8})(-?\d[\d.]{0,32})/g;
/** `password: 'x'` in a script, whose names need no quotes. */
const bareName = /((?<![\w.:-])([\w$]{2,64})\s{0,4}[:=]\s{0,4}(\\{0,7}["'`]))((?:(?!\3)[^\\\r\n]){1,8192})(?=\3)/g;
const elementNamed =
  /(<[\w:-]{1,64}\s[^<>]{0,300}?\b(?:name|key|id)=["']([\w.-]{1,64})["'][^<>]{0,300}>)([^<>]{1,8192})(?=<\/)/g;
const elementPair = /(<key>([\w.-]{1,64})<\/key>\s{0,64}<\w{1,32}>)([^<>]{1,8192})(?=<\/)/g;
const assignment = /((?<![\w.%-])([\w.-]{2,64}(?:\[[\w-]{0,64}\]){0,4})=)([^\s"'&;,<>{}[\]\\`]{1,4096})/g;
/** A line of YAML. */
const wholeLine = /(^[ \t-]{0,64}([\w.-]{2,64}):[ \t]{1,8})([^\s"'<>{}[\]\\]{1,4096})(?=[ \t]{0,8}\r?$)/gm;
const sentence =
  /(\b(?:password|passphrase|passcode|passwd|secret|token|api[ _-]?key|access[ _-]?key|pin|otp|(?:verification|security|login|one-time|access) code)(?:\s{1,4}(?:is|was)\s{0,4}:?|\s{0,4}:)?\s{1,4})([^\s"'<>\\,;()[\]{}]{4,512})/gi;

/** Values next to a secret name: in JSON that is not a whole document, in forms, in the parts of an upload. */
const redactNamed = (text: string, { rules, placeholders }: Redacting): string => {
  const learntWhere =
    (isSecret: (name: string, value: string) => boolean) =>
    (all: string, before: string, name: string, value: string): string =>
      isSecret(name, value) ? `${before}${placeholders.learn(value, name)}` : all;
  const byName = learntWhere((name) => rules.isSecretName(name));
  const byParameter = learntWhere((name, value) => rules.isSecretParameter(name, value));
  return text
    .replace(quotedPair, (all, quote: string, name: string, colon: string, value: string, end: string) => {
      const before = `${quote}${name}${quote}${colon}${quote}`;
      if (rules.isSecretName(name)) return `${before}${placeholders.learn(value, name)}${end}`;
      // The value may be JSON itself.
      return value.includes('"') ? `${before}${redactNamed(value, { rules, placeholders })}${end}` : all;
    })
    .replace(quotedGroup, (all, quote: string, name: string, colon: string, group: string) =>
      rules.isSecretName(name) ? `${quote}${name}${quote}${colon}${redactValues(group, name, placeholders)}` : all,
    )
    .replace(quotedNumber, (all, quote: string, name: string, colon: string, value: string) =>
      rules.isSecretName(name) ? `${quote}${name}${quote}${colon}"${placeholders.of(value, name)}"` : all,
    )
    .replace(bareName, (all, before: string, name: string, _quote: string, value: string) =>
      rules.isSecretName(name) ? `${before}${placeholders.learn(value, name)}` : all,
    )
    .replace(cdata, byName)
    .replace(formFieldAfter, (all, before: string, value: string, name: string) =>
      rules.isSecretParameter(name, value) ? `${before}${placeholders.learn(value, name)}` : all,
    )
    .replace(element, byName)
    .replace(elementNamed, byName)
    .replace(elementPair, byName)
    .replace(attribute, byName)
    .replace(formField, byParameter)
    .replace(formPart, byParameter)
    .replace(bareWord, (all, name: string, sign: string, value: string) =>
      isWord(value) ? all : `${name}${sign}${placeholders.learn(value, name)}`,
    )
    .replace(assignment, (all, before: string, name: string, value: string) =>
      rules.isSecretName(name) && !isConstant(value) ? `${before}${placeholders.learn(value, name)}` : all,
    )
    .replace(wholeLine, (all, before: string, name: string, value: string) =>
      rules.isSecretName(name) && !isConstant(value) ? `${before}${placeholders.learn(value, name)}` : all,
    )
    .replace(sentence, (all, before: string, value: string) => {
      const [, word = '', end = ''] = /^(.*?)([.!?:]*)$/.exec(value) ?? [];
      return /\d/.test(word) && !value.startsWith('[redacted') && !rules.isAllowed(firstWord(before))
        ? `${before}${placeholders.learn(word, firstWord(before))}${end}`
        : all;
    });
};

const firstWord = (text: string): string => /[\w-]+/.exec(text)?.[0] ?? 'secret';

/** What a program or a configuration says where there is no secret. */
const isConstant = (value: string): boolean =>
  /^(?:true|false|null|none|undefined|yes|no|\d|\||>)$|^\[redacted/i.test(value);

/** All texts of a list or an object but the names of members. */
const redactValues = (group: string, name: string, placeholders: Placeholders): string =>
  group.replace(quotedWord, (all, quote: string, value: string, end: string, colon?: string) =>
    colon !== undefined || value.startsWith('[redacted:') ? all : `${quote}${placeholders.learn(value, name)}${end}`,
  );

/** In a sentence a word can stand behind "password:", too. */
const isWord = (value: string): boolean => /^[A-Za-z]+[.!?]?$/.test(value) || value.startsWith('[redacted:');

/** Secrets that are known by their looks. */
const redactShapes = (text: string, { rules, placeholders }: Redacting): string => {
  const shown = replaceShapes(text, (secret, kind) =>
    kind === 'private-key' ? placeholders.of(secret, kind) : placeholders.learn(secret, kind),
  );
  return rules.keepsMails ? shown : replaceMails(shown, (address) => placeholders.ofMail(address));
};
