/**
 * Keeps the settings of a field that only the reads of the content model show: those that do not follow from what the
 * site's file says of the field anyway.
 */
import * as v from 'valibot';
import { isRecord } from '../../../basics/json.ts';
import { fieldTypeOf } from '../../../core/fields/field-types.ts';
import { other } from '../../../core/fields/types/other.ts';
import type { FieldDefinition } from '../../../core/model/bundle.ts';
import type { Json, JsonObject } from '../../../core/model/entity.ts';
import { configuredFields } from '../../../core/site/field-definition.ts';
import { fieldFile } from '../../../core/site/site-files.ts';
import type { FieldSource } from './field-sources.ts';
import { booleanOf, filledTextOf, textOf, type Data } from '../lenient-values.ts';
import type { SiteField } from '../site-format.ts';

/** Settings that keys of their own hold, where the type has them. */
const heldByKeys: ReadonlySet<string> = new Set([
  ...['target_bundles', 'rel_types', 'file_extensions', 'authority_sources', 'min', 'max', 'allowed_formats'],
  ...['link_type', 'title', 'alt_field_required', 'max_length', 'target_type', 'uri_scheme', 'allowed_values'],
  ...['unsigned', 'precision', 'scale', 'datetime_type'],
]);

type Shown = Pick<SiteField, 'settings' | 'storage_settings' | 'real_type' | 'module'>;

export const shownSettingsOf = (source: FieldSource, field: SiteField): Shown => {
  const definition = definitionOf(source.name, field);
  if (definition === undefined) return {};
  const settings = settingsOf(source, definition);
  const storage = differing(source.storageSettings, fieldTypeOf(definition).storageSettings?.(definition) ?? {});
  return {
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
    ...(Object.keys(storage).length === 0 ? {} : { storage_settings: storage }),
    ...(field.type === other.name ? realTypeOf(source) : {}),
  };
};

const definitionOf = (name: string, field: SiteField): FieldDefinition | undefined => {
  const parsed = v.safeParse(fieldFile, field);
  return parsed.success ? configuredFields({ [name]: parsed.output })[0] : undefined;
};

const settingsOf = ({ settings, entityType }: FieldSource, definition: FieldDefinition): JsonObject => {
  const derived = fieldTypeOf(definition).settings?.(definition) ?? {};
  const { handler_settings: choice, ...others } = settings;
  const own = differing(others, derived);
  const handler = own['handler'];
  const isUsual = typeof handler !== 'string' || handler.startsWith('default');
  const derivedChoice = derived['handler_settings'];
  const ownChoice = differing(dataOrNone(choice), isUsual && isRecord(derivedChoice) ? derivedChoice : {});
  // The limit of a media's source is a key of the media type.
  if (entityType === 'media' && /^\d+$/.test(textOf(own['max_filesize']) ?? '')) delete own['max_filesize'];
  return { ...own, ...(Object.keys(ownChoice).length === 0 ? {} : { handler_settings: ownChoice }) };
};

const dataOrNone = (value: unknown): Data => (isRecord(value) ? value : {});

/** The members that differ from what the program shows without them. */
const differing = (written: Data, derived: Data): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(written).flatMap(([name, value]) =>
      (Object.hasOwn(derived, name) && (heldByKeys.has(name) || isSame(value, derived[name]))) || value === undefined
        ? []
        : [[name, jsonOf(value)] as const],
    ),
  );

/** Exports write nothing as null, as the empty text or as an empty map, and booleans and numbers as text. */
const isSame = (written: unknown, derived: unknown): boolean => {
  if (isNothing(written) || isNothing(derived)) return isNothing(written) && isNothing(derived);
  if (isRecord(written) && isRecord(derived)) {
    const names = new Set([...Object.keys(written), ...Object.keys(derived)]);
    return [...names].every((name) => isSame(written[name], derived[name]));
  }
  if (typeof derived === 'boolean') return booleanOf(written) === derived;
  return textOf(written) !== undefined && textOf(written) === textOf(derived);
};

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Exports have what is no JSON only in places that nobody shows. */
const jsonOf = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

const realTypeOf = ({ type, storage }: FieldSource): Shown => {
  const module = filledTextOf(storage['module']);
  const isName = (text: string): boolean => /^[a-z][a-z0-9_]*$/.test(text);
  return {
    ...(isName(type) ? { real_type: type } : {}),
    ...(module !== undefined && isName(module) ? { module } : {}),
  };
};
