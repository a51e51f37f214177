/** Reads the section `harvest` of a site's `living.yml`: where OAI-PMH is, what is harvested, and in which sets. */
import * as v from 'valibot';
import type { Site } from '../../site/site.ts';
import { readSection } from '../section.ts';

const whole = v.pipe(v.number(), v.integer(), v.minValue(0, 'must not be negative'));

/** Which published nodes are in a set. */
const conditions = {
  bundles: v.pipe(v.array(v.string()), v.nonEmpty('must name at least one bundle')),
  /** The addresses of models that are left out. */
  without_models: v.optional(v.array(v.string()), []),
  /** Whether nodes without a model are left out, too. */
  needs_model: v.optional(v.boolean(), false),
  /** The fields that must be empty. */
  without: v.optional(v.array(v.string()), []),
};

const harvestSet = v.union([
  v.strictObject({ id: v.pipe(v.string(), v.nonEmpty()), label: v.string(), ...conditions }),
  /** A set for each node that the field refers to. */
  v.strictObject({ by: v.pipe(v.string(), v.nonEmpty()), ...conditions }),
]);

export const metadataFormats = ['mods', 'oai_dc'] as const;

const harvestSettings = v.strictObject({
  path: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^(\/[A-Za-z0-9_-]+)+$/, 'must be a path of names that begins with / and does not end with it'),
    ),
    '/oai/request',
  ),
  name: v.string(),
  email: v.string(),
  /** For how long a token leads on, in seconds. */
  token_lifetime: v.optional(whole, 3600),
  /** How many records an answer has; 0 for all. */
  page_size: v.optional(whole, 10),
  formats: v.optional(v.array(v.picklist(metadataFormats)), ['oai_dc']),
  /** Whether records say their sets, and lists can be of one set. */
  has_sets: v.optional(v.boolean(), true),
  sets: v.pipe(v.array(harvestSet), v.nonEmpty('must have at least one set')),
});

/** Who may harvest: as the REST resource of a real site asks. */
export const harvesters = { permissions: ['restful get oai_pmh'], roles: [] };

export type HarvestSet = v.InferOutput<typeof harvestSet>;
export type HarvestSettings = v.InferOutput<typeof harvestSettings>;

/** Undefined for a site that is not harvested. Throws `ConfigurationError`. */
export const harvestOf = (site: Site): HarvestSettings | undefined => readSection(site, 'harvest', harvestSettings);
