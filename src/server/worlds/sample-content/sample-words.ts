/** Makes names and sentences of invented holdings. */
import type { Random } from './random.ts';

const qualities = ['Old', 'Northern', 'Quiet', 'Painted', 'Lost', 'Early', 'Hidden', 'Wide', 'Blue', 'Winter', 'Żółty'];
const things = ['harbour', 'mill', 'orchard', 'railway', 'island', 'bakery', 'lighthouse', 'market', 'café', 'garden'];
const forms = ['letter', 'map', 'photograph', 'diary', 'song', 'plan', 'report', 'poem', 'interview', 'film'];
const sentences = [
  'Found in a drawer.',
  'The back has notes in pencil.',
  'Nobody knows who made it.',
  'It came with the papers of a neighbour.',
  'The lower edge is torn, & a corner is "lost" <sic>.',
  'Ein zweites Stück liegt im Archiv – 第二部.',
];

const word = (random: Random, words: readonly string[]): string => random.pick(words) ?? '';

/** A title that ends with the number, so that no two are the same. */
export const titleOf = (random: Random, number: number): string =>
  `${word(random, qualities)} ${word(random, things)}, ${word(random, forms)} ${number}`;

export const nameOf = (random: Random): string => `${word(random, qualities)} ${word(random, things)}`;

export const sentencesOf = (random: Random): string => random.several(sentences, 1 + random.below(3)).join(' ');

/** The beginning of a text that has at most so many characters. */
export const within = (text: string, most: number): string => Array.from(text).slice(0, most).join('').trim();
