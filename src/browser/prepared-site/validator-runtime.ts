/**
 * Has what compiled validators require. No other file imports it: `npm run generate` bundles it into the text in
 * each prepared site.
 */
import equal from 'ajv/dist/runtime/equal.js';
import ucs2length from 'ajv/dist/runtime/ucs2length.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';

const modules: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['ajv/dist/runtime/equal', equal],
  ['ajv/dist/runtime/ucs2length', ucs2length],
  ['ajv-formats/dist/formats', { fullFormats }],
]);

/** A module by the name that Ajv gives it. */
export const requireModule = (name: string): unknown => modules.get(name);
