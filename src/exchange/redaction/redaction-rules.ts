/** Reads the rules by which a recording loses its secrets: those of the program, and a YAML file of one's own. */
import * as v from 'valibot';
import { replacePatterns } from './own-patterns.ts';
import type { Placeholders } from './placeholders.ts';
import { isSecretHeader } from './secrets.ts';
import { isSecretName, isSecretParameterName, isSuspectValue } from './suspicion.ts';
import { flawError } from '../../basics/configuration-error.ts';
import { parseYamlFile } from '../../basics/yaml/read-yaml.ts';

export type RedactionRules = {
  /** The name of a JSON member, of an element of XML, or of a field in a form. */
  isSecretName(name: string): boolean;
  /** A member that is secret by its name, or by its value where that is a text. */
  isSecretMember(name: string, value: unknown): boolean;
  /** A parameter of a URL or a field of a form: `code` and `key` are credentials there. */
  isSecretParameter(name: string, value: string): boolean;
  /** A header, by its name or its value. */
  isSecretHeaderLine(name: string, value: string): boolean;
  /** Whether a name was said to hold no secret. */
  isAllowed(name: string): boolean;
  /** Replaces what the patterns of one's own find. */
  replacePatterns(text: string, placeholders: Placeholders): string;
  /** Whether mail addresses are kept as they are. */
  readonly keepsMails: boolean;
  /** Whether the addresses of clients are kept, which proxies put into headers. */
  readonly keepsAddresses: boolean;
};

const names = v.optional(v.array(v.pipe(v.string(), v.nonEmpty())), []);

const rulesFile = v.strictObject({
  headers: names,
  members: names,
  /** Names of headers, members and parameters that hold no secret. */
  allow: names,
  patterns: v.optional(
    v.array(
      v.strictObject({
        name: v.pipe(
          v.string(),
          v.regex(/^[a-z][a-z0-9_-]{0,39}$/, 'must be a word of small letters, digits, _ and -'),
        ),
        pattern: v.pipe(v.string(), v.nonEmpty()),
        ignore_case: v.optional(v.boolean(), false),
      }),
    ),
    [],
  ),
  keep: v.optional(v.array(v.picklist(['mails', 'addresses'])), []),
});

type OwnRules = v.InferOutput<typeof rulesFile>;

const moreHeaders = /^(?:x-)?auth$|session-?id|passphrase|credential|private-?key/i;
const addressHeaders =
  /^(?:x-forwarded-for|x-real-ip|forwarded|(?:x-)?client-ip|true-client-ip|cf-connecting-ip|from)$/i;

const rulesFrom = (own: OwnRules): RedactionRules => {
  const ownHeaders = new Set(own.headers.map((name) => name.toLowerCase()));
  const ownMembers = new Set(own.members.map((name) => name.toLowerCase()));
  const allowed = new Set(own.allow.map((name) => name.toLowerCase()));
  const isAllowed = (name: string): boolean => allowed.has(name.toLowerCase());
  const isOwn = (name: string): boolean => ownMembers.has(name.toLowerCase());
  const patterns = own.patterns.map(({ name, pattern, ignore_case: ignoresCase }) => ({
    name,
    pattern: new RegExp(pattern, ignoresCase ? 'giu' : 'gu'),
  }));
  const keepsAddresses = own.keep.includes('addresses');
  return {
    isSecretHeaderLine: (name, value) =>
      ownHeaders.has(name.toLowerCase()) ||
      (!isAllowed(name) &&
        (isSecretHeader(name) ||
          moreHeaders.test(name) ||
          (!keepsAddresses && addressHeaders.test(name)) ||
          isSuspectValue(name, value))),
    isSecretName: (name) => isOwn(name) || (!isAllowed(name) && isSecretName(name)),
    isSecretMember: (name, value) =>
      isOwn(name) || (!isAllowed(name) && (isSecretName(name) || isSuspectValue(name, value))),
    isSecretParameter: (name, value) =>
      isOwn(name) ||
      isOwn(lastName(name)) ||
      (!isAllowed(name) && !isAllowed(lastName(name)) && (isSecretParameterName(name) || isSuspectValue(name, value))),
    isAllowed,
    replacePatterns: (text, placeholders) => replacePatterns(text, patterns, placeholders),
    keepsMails: own.keep.includes('mails'),
    keepsAddresses,
  };
};

/** `pass` of `pass[0][value]`, else the name itself. */
const lastName = (name: string): string => /^([^[]*)\[/.exec(name)?.[1] ?? name;

/** The rules that need no file. */
export const builtInRules: RedactionRules = rulesFrom(v.parse(rulesFile, {}));

/** The rules of the program with those of a file. Throws `ConfigurationError` with file and line. */
export const readRules = async (file: string): Promise<RedactionRules> => {
  const { value, lineOf } = await parseYamlFile(file, 'Name a file that is there.');
  const parsed = v.safeParse(rulesFile, value ?? {});
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const keys = (issue.path ?? []).map(({ key }) => key);
    const at = keys.length === 0 ? '(the whole file)' : keys.map(String).join('.');
    throw flawError({
      ...{ file, line: lineOf(keys), rule: 'redaction-rule', message: `${at}: ${issue.message}.` },
      remedy: 'A file of rules has headers, members, allow, patterns and keep.',
    });
  }
  for (const [index, { pattern }] of parsed.output.patterns.entries()) {
    if (isPattern(pattern)) continue;
    const keys = ['patterns', index, 'pattern'];
    const message = `${keys.join('.')}: ${pattern} is not a regular expression.`;
    throw flawError({ file, line: lineOf(keys), rule: 'redaction-rule', message, remedy: 'Correct it.' });
  }
  return rulesFrom(parsed.output);
};

const isPattern = (pattern: string): boolean => {
  try {
    return new RegExp(pattern, 'u').source !== '';
  } catch {
    return false;
  }
};
