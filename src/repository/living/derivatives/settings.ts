/** Reads the section `derivatives` of `living.yml`: the contexts and actions that say which message a write sends. */
import * as v from 'valibot';

const filled = v.pipe(v.string(), v.nonEmpty('must not be empty'));
const names = v.optional(v.array(filled), []);

/** The names are those of the exported configuration (`system.action.*`). */
const action = v.strictObject({
  queue: filled,
  event: v.picklist(['Create', 'Update', 'Delete', 'Generate Derivative']),
  // The rest only where the action asks for a derivative.
  source_term_uri: v.optional(filled),
  derivative_term_uri: v.optional(filled),
  destination_media_type: v.optional(filled),
  mimetype: v.optional(filled),
  args: v.optional(v.nullable(v.string())),
  scheme: v.optional(filled),
  path: v.optional(filled),
});

export const conditionNames = [
  'content_entity_type',
  'entity_bundle',
  'file_uses_filesystem',
  'islandora_entity_bundle',
  'media_has_term',
  'media_is_islandora_media',
  'media_source_mimetype',
  'media_uses_filesystem',
  'node_has_term',
  'node_is_islandora_object',
  'node_is_published',
  'parent_node_has_term',
] as const;

export const subjectTypes = ['node', 'media', 'file', 'taxonomy_term'] as const;

const condition = v.strictObject({
  is: v.picklist(conditionNames),
  negate: v.optional(v.boolean(), false),
  /** The types of records that the condition looks at. */
  of: v.optional(v.array(v.picklist(subjectTypes)), []),
  /** Addresses of terms; with `every` all of them, otherwise one is enough. */
  uris: names,
  every: v.optional(v.boolean(), false),
  bundles: names,
  filesystems: names,
  mimetype: v.optional(filled),
});

const context = v.strictObject({
  id: filled,
  weight: v.optional(v.pipe(v.number(), v.integer()), 0),
  every: v.optional(v.boolean(), false),
  conditions: v.optional(v.array(condition), []),
  index: names,
  delete: names,
  derivative: names,
});

export const derivativesSection = v.strictObject({
  /** The address of Fedora, which each message names. */
  target: v.optional(filled),
  contexts: v.optional(v.array(context), []),
  actions: v.optional(v.record(filled, action), {}),
});

export type ActionSettings = v.InferOutput<typeof action>;
export type ConditionSettings = v.InferOutput<typeof condition>;
export type ContextSettings = v.InferOutput<typeof context>;
export type DerivativeSettings = v.InferOutput<typeof derivativesSection>;
export type DerivativesInput = v.InferInput<typeof derivativesSection>;
