/** Makes the settings of a field and of its storage, as a real site's configuration has them. */
import { isRecord } from '../../basics/json.ts';
import { fieldTypeOf } from '../fields/field-types.ts';
import type { FieldDefinition } from '../model/bundle.ts';
import type { Json, JsonObject } from '../model/entity.ts';

/** The settings of a field. Those that its site's file names replace the ones of its type. `maxBytes`: the limit of a media's source. */
export const fieldSettings = (field: FieldDefinition, maxBytes?: number): Json => {
  const own = field.shown?.settings ?? {};
  const made = fieldTypeOf(field).settings?.(field, maxBytes) ?? {};
  const choice = made['handler_settings'];
  if (choice === undefined) return emptyAsList({ ...made, ...own });
  const { handler, handler_settings: given } = own;
  // Another way to choose targets has settings of its own.
  const isUsual = typeof handler !== 'string' || handler.startsWith('default');
  const kept = isUsual ? objectOf(choice) : {};
  return emptyAsList({ ...made, ...own, handler_settings: { ...kept, ...objectOf(given) } });
};

export const storageSettings = (field: FieldDefinition): Json =>
  emptyAsList({ ...fieldTypeOf(field).storageSettings?.(field), ...field.shown?.storageSettings });

const objectOf = (value: Json | undefined): JsonObject => (isRecord(value) ? value : {});

/** Maps whose readers ask for keys, so that a list in their place would break them. */
const alwaysMaps: ReadonlySet<string> = new Set(['allowed_values']);

export const emptyAsList = (value: Json): Json => {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(emptyAsList);
  const members = Object.entries(value);
  if (members.length === 0) return [];
  return Object.fromEntries(
    members.map(([name, member]) => [name, alwaysMaps.has(name) ? member : emptyAsList(member)]),
  );
};
