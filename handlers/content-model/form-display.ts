/** Shows the form of a bundle as the configuration of a real site: which fields it has, and with which widgets. */
import type { components } from '../../src/client/generated/contract.ts';
import { type Bundle, type FieldDefinition, fieldTypeOf } from '../../src/repository/repository.ts';
import { bundleConfigurations, moduleOf, type ModelSite } from './field-config.ts';
import { isRecord } from '../../src/basics/json.ts';
import { asExported } from './exported.ts';

type FormDisplay = components['schemas']['FormDisplay'];

/** The base fields of a form, in its order. */
const formFields: Readonly<Record<string, readonly string[]>> = {
  node: ['title', 'langcode', 'uid', 'created', 'promote', 'sticky', 'status', 'path'],
  media: ['name', 'langcode', 'uid', 'created', 'status', 'path'],
  taxonomy_term: ['name', 'description', 'langcode', 'status', 'path'],
};

/** Undefined when the bundle has no form of this name. `formWidgets` has the widgets. */
export const showFormDisplay = (site: ModelSite, bundle: Bundle, mode: string): FormDisplay | undefined => {
  const { entityType, id: bundleId, shown } = bundle;
  if (shown?.formModes.includes(mode) !== true) return undefined;
  const id = `${entityType}.${bundleId}.${mode}`;
  const [base, fields] = partsOf(bundle);
  const modules = [...new Set([...base, ...fields].map(moduleOf))].filter((name) => name !== 'core').sort();
  const made: FormDisplay = {
    langcode: site.langcode,
    status: true,
    dependencies: {
      config: [
        ...fields.map(({ name }) => fieldObject(bundle, name)),
        ...bundleConfigurations(entityType, [bundleId]),
        ...(mode === 'default' ? [] : [`core.entity_form_mode.${entityType}.${mode}`]),
      ].sort(),
      ...(modules.length === 0 ? {} : { module: modules }),
    },
    id,
    targetEntityType: entityType,
    bundle: bundleId,
    mode,
    hidden: [],
  };
  return asExported(site, formObject(bundle, mode), made, []);
};

const fieldObject = ({ entityType, id }: Bundle, field: string): string => `field.field.${entityType}.${id}.${field}`;

const formObject = ({ entityType, id }: Bundle, mode: string): string =>
  `core.entity_form_display.${entityType}.${id}.${mode}`;

/**
 * The widget of each field, in the order of the form. A form that was exported has its own widgets, without fields that the
 * bundle has lost since, and with those that it has got.
 */
export const formWidgets = (
  { exported }: Pick<ModelSite, 'exported'>,
  bundle: Bundle,
  mode = 'default',
): NonNullable<FormDisplay['content']> => {
  const made = Object.fromEntries(
    partsOf(bundle)
      .flat()
      .map((field, weight) => [field.name, widget(field, weight)]),
  );
  const content = exported.get(formObject(bundle, mode))?.['content'];
  // A form without any widget is written as a list.
  if (Array.isArray(content)) return {};
  if (!isRecord(content)) return made;
  const isExported = (name: string): boolean => exported.has(fieldObject(bundle, name));
  const kept = Object.entries(content).filter(([name]) => bundle.fields.has(name) || !isExported(name));
  const added = Object.entries(made).filter(
    ([name]) => bundle.fields.get(name)?.configured === true && !isExported(name),
  );
  return Object.fromEntries([...kept, ...added]) as NonNullable<FormDisplay['content']>; // widgets as a real site has them
};

/** The base fields of a form, and the bundle's own. */
const partsOf = ({ entityType, fields }: Bundle): readonly [FieldDefinition[], FieldDefinition[]] => [
  (formFields[entityType] ?? []).flatMap((name) => fields.get(name) ?? []),
  [...fields.values()].filter(({ configured }) => configured),
];

const widget = (field: FieldDefinition, weight: number) => ({
  type: fieldTypeOf(field).widget ?? 'string_textfield',
  weight,
  region: 'content',
  settings: [],
  third_party_settings: [],
});
