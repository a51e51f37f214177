/** Reads the section `aliasPatterns`: the patterns that aliases are made by, and how their parts are cleaned. */
import * as v from 'valibot';
import { referredTypes } from '../../model/entity.ts';
import type { Site } from '../../site/site.ts';
import { readSection } from '../section.ts';

/** The marks that a setting names, as the module has them. */
export const punctuationMarks = {
  double_quotes: '"',
  quotes: "'",
  backtick: '`',
  comma: ',',
  period: '.',
  hyphen: '-',
  underscore: '_',
  colon: ':',
  semicolon: ';',
  pipe: '|',
  left_curly: '{',
  left_square: '[',
  right_curly: '}',
  right_square: ']',
  plus: '+',
  equal: '=',
  asterisk: '*',
  ampersand: '&',
  percent: '%',
  caret: '^',
  dollar: '$',
  hash: '#',
  at: '@',
  exclamation: '!',
  tilde: '~',
  left_parenthesis: '(',
  right_parenthesis: ')',
  question_mark: '?',
  less_than: '<',
  greater_than: '>',
  slash: '/',
  back_slash: '\\',
} as const;

const length = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(255));

const settings = v.strictObject({
  separator: v.optional(v.pipe(v.string(), v.maxLength(1)), '-'),
  lowercase: v.optional(v.boolean(), true),
  transliterate: v.optional(v.boolean(), true),
  /** Only letters and digits of ASCII are left. */
  reduce_ascii: v.optional(v.boolean(), false),
  max_length: v.optional(length, 100),
  max_component_length: v.optional(length, 100),
  ignore_words: v.optional(v.array(v.string()), []),
  /** What a change of the record does to its alias: takes its place, adds another, or leaves it. */
  update: v.optional(v.picklist(['replace', 'add', 'leave']), 'replace'),
  /** Marks that are not removed. */
  punctuation: v.optional(
    v.record(v.picklist(Object.keys(punctuationMarks)), v.picklist(['separator', 'remove', 'keep'])),
    { hyphen: 'separator' },
  ),
});
export type CleaningSettings = v.InferOutput<typeof settings>;

const pattern = v.strictObject({
  id: v.string(),
  entity_type: v.picklist(referredTypes),
  /** The bundles that it is for; all where it names none. */
  bundles: v.optional(v.array(v.string()), []),
  /** The languages that it is for; all where it names none. */
  languages: v.optional(v.array(v.string()), []),
  pattern: v.string(),
  weight: v.optional(v.number(), 0),
});
export type AliasPattern = v.InferOutput<typeof pattern>;

const section = v.strictObject({ settings: v.optional(settings, {}), patterns: v.optional(v.array(pattern), []) });

/** The first pattern that fits a record is taken. */
export type AliasSettings = { readonly cleaning: CleaningSettings; readonly patterns: readonly AliasPattern[] };

/** Undefined where no aliases are made by patterns. Throws `ConfigurationError`. */
export const aliasSettings = (site: Pick<Site, 'living'>): AliasSettings | undefined => {
  const read = readSection(site, 'aliasPatterns', section);
  if (read === undefined) return undefined;
  const patterns = [...read.patterns].sort((a, b) => a.weight - b.weight || (a.id < b.id ? -1 : 1));
  return { cleaning: read.settings, patterns };
};
