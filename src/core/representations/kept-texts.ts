/**
 * Keeps the JSON texts of records that lists show, with the result of their checks. Records never change, so a text is right for
 * as long as its record and all that the record refers to are the same objects.
 */
import { visibleBundle } from '../content/fields/restricted-fields.ts';
import type { Entity, EntityKey, JsonObject } from '../model/entity.ts';
import { emptyBodyFor } from './json.ts';
import { jsonText, type MemberChecks, type TextContext } from './json-text.ts';
import { bundleOf } from './targets.ts';

type Target = { readonly key: EntityKey; readonly entity: Entity | undefined };

/** `emptyBody` stands for what the viewer may see of the record: viewers who see the same have the same object. */
type Kept = Pick<TextContext, 'site' | 'baseUrl' | 'basePath'> & {
  readonly checks: MemberChecks;
  readonly emptyBody: JsonObject;
  readonly targets: readonly Target[];
  readonly text: string;
};

/** The characters of each of the two generations, in this process. */
const maxCharacters = 4 * 1024 * 1024;

let young = new Map<Entity, Kept>();
let old = new Map<Entity, Kept>();
let characters = 0;

/** As `jsonText`. */
export const keptText = (entity: Entity, context: TextContext, checks: MemberChecks): string | undefined => {
  const { site, baseUrl, basePath, viewer } = context;
  const emptyBody = emptyBodyFor(entity, visibleBundle(bundleOf(site, entity), entity, viewer), viewer, 'read');
  const kept = young.get(entity) ?? old.get(entity);
  const isSame =
    kept?.checks === checks &&
    kept.emptyBody === emptyBody &&
    kept.site === site &&
    kept.baseUrl === baseUrl &&
    kept.basePath === basePath;
  if (isSame && kept.targets.every((target) => context.targets.get(target.key) === target.entity)) return kept.text;
  const targets: Target[] = [];
  const text = jsonText(entity, { ...context, targets: observed(context.targets, targets) }, checks);
  if (text !== undefined) keep(entity, { site, baseUrl, basePath, checks, emptyBody, targets, text });
  return text;
};

const observed = (targets: TextContext['targets'], reads: Target[]): TextContext['targets'] => ({
  get: (key) => {
    const entity = targets.get(key);
    reads.push({ key, entity });
    return entity;
  },
});

const keep = (entity: Entity, kept: Kept): void => {
  if (characters > maxCharacters) {
    old = young;
    young = new Map();
    characters = 0;
  }
  young.set(entity, kept);
  characters += kept.text.length;
};
