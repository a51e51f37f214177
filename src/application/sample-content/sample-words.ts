/** Makes names and sentences of the holdings of a small harbour town. */
import type { Random } from './random.ts';

const names = [
  ...['The old net loft', 'Gannet Point', 'North wall', 'The ropewalk', 'Ferry steps', 'Pilot cutter', 'Żółty café'],
  ...['Lifeboat house', 'Herring market', 'Customs house', 'The tidal mill', 'Harbour office', 'Signal mast'],
];
const sentences = [
  'Found in a drawer of the harbour office.',
  'The back has notes in pencil.',
  'Nobody knows who made it.',
  'It came with the papers of a neighbour.',
  'The lower edge is torn, & a corner is "lost" <sic>.',
  'Ein zweites Stück liegt im Archiv – 第二部.',
];

/** Names for vocabularies that the archive has no terms for, by what sites call them. */
const namesByVocabulary: readonly (readonly [RegExp, readonly string[]])[] = [
  [/genre|form|technique/i, ['Glass plates', 'Magnetic tape', 'Bound volumes', 'Postcards']],
  [/tempor|period|era/i, ['Herring years', 'Between the wars', 'The storm of 1903']],
  [/tag/i, ['Harbour', 'Summer regatta', 'Volunteers']],
  [/language/i, ['English', 'French', 'Chinese']],
  [/model|kind|type/i, ['Collection', 'Image', 'Digital Document']],
  [/use/i, ['Original File', 'Service File', 'Thumbnail Image']],
];

/** Different names for what belongs to a vocabulary or another bundle. */
export const namesFor = (random: Random, bundle: string): readonly string[] =>
  namesByVocabulary.find(([known]) => known.test(bundle))?.[1] ?? random.several(names, 3);

/** Titles of pages and news, which no archive has. */
const notices = [
  ...['About the society', 'Open day at the lifeboat house', 'How to order a print', 'Reading room closed in August'],
  ...['A gift of 212 glass plates', 'Volunteers wanted', 'How we scan', 'The harbour film is back'],
];

/** A title that is another one for each number. */
export const noticeOf = (number: number): string => {
  const round = Math.floor(number / notices.length);
  return `${notices[number % notices.length] ?? ''}${round === 0 ? '' : ` (${round + 1})`}`;
};

export const nameOf = (random: Random): string => random.pick(names) ?? '';

export const sentencesOf = (random: Random): string => random.several(sentences, 1 + random.below(3)).join(' ');

/** The beginning of a text that has at most so many characters. */
export const within = (text: string, most: number): string => Array.from(text).slice(0, most).join('').trim();
