/** What the tests of the content room judge with: the default site's fields, and a few records. */
import type { violationsOf } from '../../src/repository/repository-content.ts';
import type { Bundle, FieldDefinition } from '../../src/repository/repository.ts';
import { loadSite } from '../support/site-sources.ts';
import { type Entity, type EntityKey, type Fields, type FieldItem, keyOf } from '../../src/openapi/openapi-records.ts';
import type { Json } from '../../src/basics/json.ts';

export const site = await loadSite(new URL('../../data/site', import.meta.url).pathname);

export const bundleOf = (type: string, id: string): Bundle => {
  const bundle = site.model.bundle(type, id);
  if (bundle === undefined) throw new Error(`no ${type} ${id}`);
  return bundle;
};

export const fieldOf = (type: string, bundle: string, name: string): FieldDefinition => {
  const field = bundleOf(type, bundle).fields.get(name);
  if (field === undefined) throw new Error(`no field ${name}`);
  return field;
};

export const record = (type: string, id: number, bundle: string, fields: Fields = {}): Entity => ({
  type,
  id,
  uuid: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  bundle,
  fields,
});

export const published = record('node', 1, 'islandora_object', { status: [{ value: true }] });
export const hidden = record('node', 2, 'islandora_object', { status: [{ value: false }] });
export const model = record('taxonomy_term', 24, 'islandora_models');
export const mediaUse = record('taxonomy_term', 16, 'islandora_media_use');
export const person = record('taxonomy_term', 40, 'person');
export const png = record('file', 7, 'file', { filename: [{ value: 'a.PNG' }] });

/** Judges by those records; unpublished nodes may not be referred to. */
export const context: Parameters<typeof violationsOf>[3] = {
  find: (key: EntityKey) => [published, hidden, model, mediaUse, person, png].find((entity) => keyOf(entity) === key),
  mayReference: (target) => target !== hidden,
  mayView: (target) => target !== hidden,
  languages: ['en', 'fr', 'und'],
  textFormats: ['plain_text'],
};

export const valued = (value: Json): FieldItem => ({ value });
