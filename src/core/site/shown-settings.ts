/**
 * Defines the keys of a site's files that only the reads of the content model show: what the real site's configuration
 * says of a field or bundle besides what this program does. They have no other effect.
 */
import * as v from 'valibot';
import type { Bundle, FieldDefinition } from '../model/bundle.ts';
import { jsonObject, machineName } from './schema-words.ts';

/** The keys of a field. */
export const shownFieldKeys = {
  settings: v.optional(jsonObject),
  storage_settings: v.optional(jsonObject),
  // Fields of the type `other`: what the real site calls the type, and the module that has it.
  real_type: v.optional(machineName),
  module: v.optional(machineName),
};

/** The keys of a content type, a media type or a vocabulary. */
export const shownBundleKeys = {
  description: v.optional(v.string()),
  help: v.optional(v.string()),
  form_modes: v.optional(v.array(machineName), ['default']),
};

type FieldKeys = v.InferOutput<v.ObjectSchema<typeof shownFieldKeys, undefined>>;
type BundleKeys = v.InferOutput<v.ObjectSchema<typeof shownBundleKeys, undefined>>;

/** The relations of a field: a list, or a map of what people are shown for each. */
type Relations = readonly string[] | Readonly<Record<string, string>> | undefined;

const isList = (relations: Relations): relations is readonly string[] => Array.isArray(relations);

export const relationNames = (relations: Relations): readonly string[] | undefined =>
  relations === undefined || isList(relations) ? relations : Object.keys(relations);

/** The keys as a definition has them; undefined when there are none. */
export const shownOfField = (input: FieldKeys & { readonly relations?: Relations }): FieldDefinition['shown'] => {
  const { settings, storage_settings: storageSettings, real_type: type, module, relations } = input;
  const relationLabels = isList(relations) ? undefined : relations;
  const shown = { settings, storageSettings, type, module, relationLabels };
  return Object.values(shown).some((value) => value !== undefined) ? shown : undefined;
};

export const shownOfBundle = (
  input: Partial<BundleKeys> & { readonly weight?: number; readonly new_revision?: boolean },
): Bundle['shown'] => {
  const { description = '', help, form_modes: formModes = ['default'], weight = 0, new_revision: newRevision } = input;
  return { description, help, formModes, weight, newRevision: newRevision === true };
};
