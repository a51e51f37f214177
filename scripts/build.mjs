/** Builds the program: one file, dist/main.js. */
import { rm } from 'node:fs/promises';
import { bundle } from './bundle.mjs';

await rm('dist', { recursive: true, force: true });
await bundle('dist/main.js');
