/** Reads the rules by which a recording loses its secrets: those of the program, and a YAML file of one's own. */
import * as v from 'valibot';
import { isSecretHeader, isSecretMember } from './secrets.ts';
import { flawError } from '../../basics/configuration-error.ts';
import { parseYamlFile } from '../../basics/yaml/read-yaml.ts';

type OwnPattern = { readonly name: string; readonly pattern: RegExp };

export type RedactionRules = {
  isSecretHeader(name: string): boolean;
  /** The name of a JSON member, of a parameter, or of a field in a form. */
  isSecretName(name: string): boolean;
  readonly patterns: readonly OwnPattern[];
  /** Whether mail addresses are kept as they are. */
  readonly keepsMails: boolean;
  /** Whether the addresses of clients are kept, which proxies put into headers. */
  readonly keepsAddresses: boolean;
};

const names = v.optional(v.array(v.pipe(v.string(), v.nonEmpty())), []);

const rulesFile = v.strictObject({
  headers: names,
  members: names,
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

/** Names of sessions that `secrets.ts` does not have, and of fields that hold a secret in forms and links. */
const moreNames =
  /^(?:s?sess(?:ion)?_?id|sid|phpsessid|jsessionid|s?sess[0-9a-f]{32}|passwd|passphrase|pwd|credentials?|private_?key|client_?secret|access_?key|authorization_?code|otp|pin)$/i;
const moreHeaders = /^(?:x-)?auth$|session-?id|passphrase|credential|private-?key/i;
const addressHeaders =
  /^(?:x-forwarded-for|x-real-ip|forwarded|(?:x-)?client-ip|true-client-ip|cf-connecting-ip|from)$/i;

const rulesFrom = (own: OwnRules): RedactionRules => {
  const ownHeaders = new Set(own.headers.map((name) => name.toLowerCase()));
  const ownMembers = new Set(own.members.map((name) => name.toLowerCase()));
  const keepsAddresses = own.keep.includes('addresses');
  return {
    isSecretHeader: (name) =>
      isSecretHeader(name) ||
      moreHeaders.test(name) ||
      (!keepsAddresses && addressHeaders.test(name)) ||
      ownHeaders.has(name.toLowerCase()),
    isSecretName: (name) => isSecretMember(name) || moreNames.test(name) || ownMembers.has(name.toLowerCase()),
    patterns: own.patterns.map(({ name, pattern, ignore_case: ignoresCase }) => ({
      name,
      pattern: new RegExp(pattern, ignoresCase ? 'giu' : 'gu'),
    })),
    keepsMails: own.keep.includes('mails'),
    keepsAddresses,
  };
};

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
      remedy: 'A file of rules has headers, members, patterns and keep.',
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
