/** Keeps the objects of a configuration that its reads show as they are: bundles, fields, storages, forms. */
import { isRecord, type Json, type JsonObject } from '../../basics/json.ts';
import { reservedNames } from '../../basics/yaml/read-yaml.ts';
import type { Configuration } from './configuration.ts';
import { emptyAsList, labelsOf } from '../../basics/exported/lenient-values.ts';

const families = [
  'node.type',
  'media.type',
  'taxonomy.vocabulary',
  'field.field',
  'field.storage',
  'core.entity_form_display',
] as const;

export type ExportedObject = { readonly object: string; readonly content: JsonObject };

export const exportedObjects = (configuration: Configuration): readonly ExportedObject[] =>
  families.flatMap((family) =>
    configuration.ids(family).map((id) => {
      const whole = JSON.parse(JSON.stringify(configuration.one(family, id)), withoutReserved) as JsonObject; // a map of a configuration
      const content = Object.entries(whole).filter(([name]) => name !== '_core');
      return {
        object: `${family}.${id}`,
        content: Object.fromEntries(content.map(([name, value]) => [name, shown(name, value)])),
      };
    }),
  );

/** A name that every object has is left out of the field too, and named there. */
const withoutReserved = (name: string, value: unknown): unknown => (reservedNames.has(name) ? undefined : value);

/** The real site writes an empty map as a list, and the choices of a list as a map. */
const shown = (name: string, value: Json): Json => {
  if (name !== 'settings' || !isRecord(value) || value['allowed_values'] === undefined) return emptyAsList(value);
  return emptyAsList({ ...value, allowed_values: labelsOf(value['allowed_values']) });
};
