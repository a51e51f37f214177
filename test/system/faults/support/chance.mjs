/** The numbers that a fault script draws, from 0 up to 1: the same ones for the same seed. */
import { importSource } from '../../../../scripts/import-source.mjs';
import { seed } from './report.mjs';

const { randomNumbers } = await importSource('src/basics/random-source.ts');
const numberAt = randomNumbers(seed);
let place = -1;

export const random = () => numberAt((place += 1));

/** One of the numbers from 0 that are less than `count`. */
export const randomBelow = (count) => Math.floor(random() * count);
