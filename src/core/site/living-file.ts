/** Defines `living.yml`: what a site does by itself after a write, and what it answers from its records. The part `living` reads the sections. */
import * as v from 'valibot';
import { jsonObject } from './schema-words.ts';

const livingSections = ['aliasPatterns', 'fileHashes', 'workflows', 'derivatives', 'manifests', 'harvest'] as const;
export type LivingSection = (typeof livingSections)[number];

/** A section that is left out is one that the site does not have. */
export const livingFile = v.strictObject(v.entriesFromList(livingSections, v.optional(jsonObject)));
export type LivingInput = v.InferOutput<typeof livingFile>;
