/** Names the parts of a real site's configuration: modules, widgets, types, bundles. */
import { fieldTypeOf } from '../fields/field-types.ts';
import type { FieldDefinition } from '../model/bundle.ts';

/** The module of a field's type. */
export const moduleOf = (field: FieldDefinition): string => field.shown?.module ?? fieldTypeOf(field).module ?? 'core';

export const widgetOf = (field: FieldDefinition): string => fieldTypeOf(field).widget ?? 'string_textfield';

/** What a real site calls the type of a field. */
export const realTypeOf = ({ type, shown }: FieldDefinition): string => shown?.type ?? type;

/** The types whose bundles a site describes. */
export const fieldedTypes = ['node', 'media', 'taxonomy_term', 'user'] as const;
export type FieldedType = (typeof fieldedTypes)[number];

/** The module of the records of a type. Files and accounts are no more than targets here. */
export const recordModules: Readonly<Record<FieldedType, string>> & Readonly<Record<string, string>> = {
  node: 'node',
  media: 'media',
  file: 'file',
  taxonomy_term: 'taxonomy',
  user: 'user',
};

/** The start of the name of a bundle's configuration. */
const bundlePrefixes: Readonly<Record<string, string>> = {
  node: 'node.type',
  media: 'media.type',
  taxonomy_term: 'taxonomy.vocabulary',
};

/** The names of the configuration of bundles. Files and users have none. */
export const bundleConfigurations = (type: string, bundles: readonly string[]): readonly string[] => {
  const prefix = bundlePrefixes[type];
  return prefix === undefined ? [] : bundles.map((bundle) => `${prefix}.${bundle}`);
};
