/** Makes names and sentences of invented holdings. */
import type { Draws } from './random.ts';

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

const word = (draws: Draws, words: readonly string[]): string => draws.pick(words) ?? '';

/** A title that ends with the number, so that no two are the same. */
export const titleOf = (draws: Draws, number: number): string =>
  `${word(draws, qualities)} ${word(draws, things)}, ${word(draws, forms)} ${number}`;

export const nameOf = (draws: Draws): string => `${word(draws, qualities)} ${word(draws, things)}`;

export const sentencesOf = (draws: Draws): string => draws.several(sentences, 1 + draws.below(3)).join(' ');

/** The beginning of a text that has at most so many characters. */
export const within = (text: string, most: number): string => Array.from(text).slice(0, most).join('').trim();
