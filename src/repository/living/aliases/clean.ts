/** Cleans the parts of an alias and the alias as a whole, step by step as the module `pathauto` does. */
import { decodedEntities } from '../../../basics/markup.ts';
import { withoutUnseenCharacters } from '../../../basics/unseen-characters.ts';
import { punctuationMarks, type CleaningSettings } from './alias-settings.ts';
import { transliterated } from './transliteration.ts';

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** A mark is removed, unless a setting says otherwise. */
const withoutMarks = (text: string, { punctuation, separator }: CleaningSettings): string => {
  const by: Readonly<Record<string, string>> = { separator, remove: '' };
  const replaced = new Map<string, string>(
    Object.entries(punctuationMarks).map(([name, mark]) => [mark, by[punctuation[name] ?? 'remove'] ?? mark]),
  );
  return Array.from(text, (letter) => replaced.get(letter) ?? letter).join('');
};

/** Without tags, as PHP takes them away: a `<` before white space begins none. */
const withoutTags = (text: string): string => text.replace(/<(?!\s)[^>]*(?:>|$)/g, '');

/** Without the words to be ignored, unless nothing would be left. */
const withoutWords = (text: string, words: readonly string[]): string => {
  if (words.length === 0) return text;
  const left = text.replace(new RegExp(`\\b(?:${words.map(escaped).join('|')})\\b`, 'gi'), '');
  return left.trim() === '' ? text : left;
};

/** Separators at the ends and around slashes go, and of several one is left. */
const withoutDoubles = (text: string, separator: string): string => {
  if (separator === '') return text;
  const one = escaped(separator);
  const single = text
    .replace(new RegExp(`^(?:${one})+|(?:${one})+$`, 'g'), '')
    .replace(new RegExp(`(?:${one})+`, 'g'), separator);
  return separator === '/' ? `/${single}` : single.replace(new RegExp(`/+${one}/+|${one}/+|/+${one}`, 'g'), '/');
};

/** At most so many characters, up to the end of a word where there is one. */
export const cutAtWord = (text: string, most: number): string => {
  const letters = Array.from(text);
  if (letters.length <= most) return text;
  const [, whole] = new RegExp(`^(.{1,${most}})[\\s\\p{P}\\p{S}]`, 'us').exec(text) ?? [];
  return whole ?? letters.slice(0, most).join('');
};

/** The value of a token as a part of an alias. */
export const cleanedPart = (value: string, settings: CleaningSettings): string => {
  const { separator, reduce_ascii: reducesAscii } = settings;
  const bare = withoutMarks(decodedEntities(withoutTags(value)), settings);
  const inAscii = settings.transliterate ? withoutMarks(transliterated(bare), settings) : bare;
  const reduced = reducesAscii ? inAscii.replace(/[^a-zA-Z0-9/]+/g, separator) : inAscii;
  const words = withoutUnseenCharacters(withoutWords(reduced, settings.ignore_words).replace(/\s+/g, separator));
  const single = withoutDoubles(withoutDoubles(words, separator), separator);
  return cutAtWord(settings.lowercase ? single.toLowerCase() : single, settings.max_component_length);
};

/** The alias as a whole. */
export const cleanedAlias = (alias: string, { separator, max_length: most }: CleaningSettings): string =>
  cutAtWord(withoutDoubles(withoutDoubles(alias, separator), '/'), most);
