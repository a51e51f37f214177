/** Removes the values next to a secret name from a text: in JSON that is not a whole document, XML, forms, scripts and settings. */
import type { Placeholders } from './placeholders.ts';
import type { Redacting } from './redacting.ts';

// A text of JSON within another one has its quotes escaped, once more at each level.
const quotedPair = /(\\{0,7}["'])([\w.[\]-]{1,64})\1(\s{0,8}:\s{0,8})\1((?:(?!\1)(?:\\.|[^\\\r\n])){1,8192})(\1|$)/g;
/** `"pass": [{"existing": "…", "value": "…"}]`, as Drupal's records have it, in JSON that is not a whole document. */
const quotedGroup = /(\\{0,7}["'])([\w.[\]-]{1,64})\1(\s{0,8}:\s{0,8})(\[[^\]]{1,8192}|\{[^}]{1,8192})/g;
const quotedWord = /(\\{0,7}["'])((?:(?!\1)(?:\\.|[^\\\r\n])){1,8192})(\1|$)(\s{0,8}:)?/g;
const cdata = /(<(?:\w{1,32}:)?([\w-]{1,64})(?:\s[^<>]{0,300})?>\s{0,8}<!\[CDATA\[)((?:(?!\]\]>)[\s\S]){1,8192})/g;
const formFieldAfter =
  /(\b(?:value|content)=["'])([^"'<>]{1,8192})(?=["'][^<>]{0,300}?\b(?:name|key|http-equiv)=["']([\w-]{1,64}(?:\[[^"'\]]{0,64}\]){0,4})["'])/g;
const formField =
  /(\b(?:name|key|http-equiv)=["']([\w-]{1,64}(?:\[[^"'\]]{0,64}\]){0,4})["'][^<>]{0,300}?\b(?:value|content)=["'])([^"']{1,8192})/g;
const formPart =
  /(\bname="([\w-]{1,64}(?:\[[^"\]]{0,64}\]){0,4})"[^\r\n]{0,300}\r\n(?:[^\r\n]{1,300}\r\n){0,4}\r\n)([^\r\n]{1,8192})/g;
const element = /(<(?:\w{1,32}:)?([\w-]{1,64})(?:\s[^<>]{0,300})?>)([^<>]{1,8192})(?=<\/)/g;
const attribute = /(\s(?!xmlns)(?:\w{1,32}:)?([\w-]{1,64})=["'])([^"'<>]{1,8192})(?=["'])/g;
const bareWord =
  /(password|passwd|(?<![a-z])pass|secret|token|api[_-]?key)(\s{0,4}[=:]\s{0,4}(?:\\{0,7}["'])?)((?:[^\s"'&;,<>{}[\]\\]|\\(?!["'\\])){6,512})/gi;

const quotedNumber = /(\\{0,7}["'])([\w.[\]-]{1,64})\1(\s{0,8}:\s{0,8})(-?\d[\d.]{0,32})/g;
/** `password: 'x'` in a script, whose names need no quotes, and `['password'] = 'x'` or `:password => 'x'` in others. */
const bareName =
  /((?<![\w-])(?<!xmlns:)([\w$]{2,64})["']?\]?\s{0,4}(?:=>|[:=])\s{0,4}(\\{0,7}["'`]))((?:(?!\3)[^\\\r\n]){1,8192})(?=\3)/g;
/** `define('PASSWORD', 'x')`, `setRequestHeader('X-Api-Key', 'x')`. */
const argument =
  /(\(\s{0,4}(["'])([\w-]{2,64})\2\s{0,4},\s{0,4}(["'`]))((?:(?!\4)[^\\\r\n]){1,8192})(?=\4\s{0,4}[,)])/g;
const declaration = /(\b(?:identified by|password)\s{1,4}["'])([^"'\\\r\n]{1,256})(?=["'])/gi;
/** The entries of a map in YAML. */
const namedLine =
  /(\bname:[ \t]{1,4}["']?([\w.-]{2,64})["']?[ \t]{0,4}\r?\n[ \t]{1,64}value:[ \t]{1,4}["']?)([^\s"'<>{}[\]\\]{1,4096})/g;
const block =
  /(^([ \t]{0,64})([\w.-]{2,64}):[ \t]{1,4}[>|][+-]?[ \t]{0,4}\r?\n)((?:\2[ \t]{1,64}[^\r\n]{1,4096}(?:\r?\n|$)){1,200})/gm;
const elementNamed =
  /(<[\w:-]{1,64}\s[^<>]{0,300}?\b(?:name|key|id)=["']([\w.-]{1,64})["'][^<>]{0,300}>)([^<>]{1,8192})(?=<\/)/g;
const elementPair =
  /(<(?:key|name)>([\w.-]{1,64})<\/(?:key|name)>\s{0,64}(?:<\w{1,32}>\s{0,8}){1,2})([^<>]{1,8192})(?=<\/)/g;
const opening = /<((?:\w{1,32}:)?([\w-]{1,64}))(?:\s[^<>]{0,300})?>/g;
const assignment = /((?<![\w.%-])([\w.-]{2,64}(?:\[[\w-]{0,64}\]){0,4})=)([^\s"'&;,<>{}[\]\\`]{1,4096})/g;
/** A line of YAML. */
const wholeLine = /(^[ \t-]{0,64}([\w.-]{2,64}):[ \t]{1,8})([^\s"'<>{}[\]\\]{1,4096})(?=[ \t]{0,8}\r?$)/gm;
const sentence =
  /(\b(?:password|passphrase|passcode|passwd|secret|token|api[ _-]?key|access[ _-]?key|pin|otp|(?:verification|security|login|one-time|access) code)(?:[\s+]{1,4}(?:is|was)\s{0,4}:?|\s{0,4}:)?[\s+]{1,4})([^\s"'<>\\,;()[\]{}]{4,512})/gi;

const passwordInput = /(<input\b[^<>]{0,300}?\btype=["']?password\b[^<>]{0,300}?\bvalue=["'])([^"'<>]{1,8192})/gi;
const passwordInputAfter =
  /(<input\b[^<>]{0,300}?\bvalue=["'])([^"'<>]{1,8192})(?=["'][^<>]{0,300}?\btype=["']?password\b)/gi;

/** Values next to a secret name: in JSON that is not a whole document, in scripts, in XML and forms, in settings and sentences. */
export const redactNamed = (text: string, redacting: Redacting): string =>
  redactAssigned(redactMarked(redactQuoted(redactElements(text, redacting), redacting), redacting), redacting);

type Judge = (name: string, value: string) => boolean;

/** For patterns that have the text before the value, the name in it, and the value. */
const learntWhere =
  (isSecret: Judge, placeholders: Placeholders) =>
  (all: string, before: string, name: string, value: string): string =>
    isSecret(name, value) ? `${before}${placeholders.learn(value, name)}` : all;

const redactQuoted = (text: string, redacting: Redacting): string => {
  const { rules, placeholders } = redacting;
  return text
    .replace(quotedPair, (all, quote: string, name: string, colon: string, value: string, end: string) => {
      const before = `${quote}${name}${quote}${colon}${quote}`;
      if (rules.isSecretName(name)) return `${before}${placeholders.learn(value, name)}${end}`;
      // The value may be JSON itself.
      return value.includes('"') ? `${before}${redactNamed(value, redacting)}${end}` : all;
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
    .replace(argument, (all, before: string, _quote: string, name: string, _other: string, value: string) =>
      rules.isSecretHeaderLine(name, '') && !isWord(value) ? `${before}${placeholders.learn(value, name)}` : all,
    );
};

const redactMarked = (text: string, { rules, placeholders }: Redacting): string => {
  if (!text.includes('=') && !text.includes('<')) return text;
  const byName = learntWhere((name) => rules.isSecretName(name), placeholders);
  const byParameter = learntWhere((name, value) => rules.isSecretParameter(name, value), placeholders);
  const asPassword = (_all: string, before: string, value: string): string =>
    `${before}${placeholders.learn(value, 'password')}`;
  return text
    .replace(cdata, byName)
    .replace(formFieldAfter, (all, before: string, value: string, name: string) =>
      rules.isSecretParameter(name, value) ? `${before}${placeholders.learn(value, name)}` : all,
    )
    .replace(passwordInput, asPassword)
    .replace(passwordInputAfter, asPassword)
    .replace(element, byName)
    .replace(elementNamed, byName)
    .replace(elementPair, byName)
    .replace(attribute, byName)
    .replace(formField, byParameter)
    .replace(formPart, byParameter);
};

const redactAssigned = (text: string, { rules, placeholders }: Redacting): string => {
  const byName = learntWhere((name, value) => rules.isSecretName(name) && !isConstant(value), placeholders);
  return text
    .replace(bareWord, (all, name: string, sign: string, value: string) =>
      isWord(value) ? all : `${name}${sign}${placeholders.learn(value, name)}`,
    )
    .replace(assignment, byName)
    .replace(wholeLine, byName)
    .replace(namedLine, byName)
    .replace(block, (all, before: string, indent: string, name: string, lines: string) =>
      rules.isSecretName(name) ? `${before}${indent}  ${placeholders.learn(lines.trim(), name)}\n` : all,
    )
    .replace(declaration, (_all, before: string, value: string) => `${before}${placeholders.learn(value, 'password')}`)
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
  /^(?:true|false|null|none|undefined|yes|no|\d|[|>][+-]?)$|^\[redacted/i.test(value);

/** The texts of the elements within an element with a secret name. */
const redactElements = (text: string, { rules, placeholders }: Redacting): string => {
  if (!text.includes('</')) return text;
  const parts: string[] = [];
  let done = 0;
  for (const { index, 0: tag, 1: full = '', 2: name = '' } of text.matchAll(opening)) {
    const begin = index + tag.length;
    if (index < done || text[begin] === undefined || !rules.isSecretName(name)) continue;
    const window = text.slice(begin, begin + longestElement);
    const end = window.indexOf(`</${full}>`);
    const inner = window.slice(0, Math.max(0, end));
    if (!inner.includes('<')) continue;
    const shown = inner.replace(
      /(>\s{0,64})([^<>\s][^<>]{0,8192})(?=<)/g,
      (_all, before: string, value: string) => `${before}${placeholders.learn(value.trim(), name)}`,
    );
    parts.push(text.slice(done, begin), shown);
    done = begin + inner.length;
  }
  return parts.join('') + text.slice(done);
};

const longestElement = 8192;

/** All texts of a list or an object but the names of members. */
const redactValues = (group: string, name: string, placeholders: Placeholders): string =>
  group.replace(quotedWord, (all, quote: string, value: string, end: string, colon?: string) =>
    colon !== undefined || value.startsWith('[redacted:') ? all : `${quote}${placeholders.learn(value, name)}${end}`,
  );

/** In a sentence a word can stand behind "password:", too. */
const isWord = (value: string): boolean => /^[A-Za-z]+[.!?]?$/.test(value) || value.startsWith('[redacted:');
