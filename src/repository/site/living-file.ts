/** Defines `living.yml`: what a site does by itself after a write, and what it answers from its records. The part `living` reads the sections. */
import * as v from 'valibot';
import { jsonObject, machineName } from './schema-words.ts';
import { workflows, type WorkflowsInput } from './workflows.ts';
import type { JsonObject } from '../../basics/json.ts';

const livingSections = ['aliasPatterns', 'fileHashes', 'workflows', 'derivatives', 'manifests', 'harvest'] as const;
export type LivingSection = (typeof livingSections)[number];

/** A section that is left out is one that the site does not have. */
export const livingFile = v.strictObject({
  ...v.entriesFromList(livingSections, v.optional(jsonObject)),
  // Files have a member for each of the algorithms, in this order, and with `original` another one for the hash of the first bytes.
  fileHashes: v.optional(
    v.looseObject({
      algorithms: v.array(machineName),
      original: v.optional(v.boolean(), false),
    }),
  ),
  // Decided before a change and not after it, so the repository holds records to them.
  workflows: v.optional(workflows),
});

type FileHashes = Readonly<Record<string, unknown>> & {
  readonly algorithms: readonly string[];
  readonly original: boolean;
};
type ReadHere = 'fileHashes' | 'workflows';
export type LivingInput = { readonly [S in Exclude<LivingSection, ReadHere>]?: JsonObject | undefined } & {
  readonly fileHashes?: FileHashes | undefined;
  readonly workflows?: WorkflowsInput | undefined;
};
