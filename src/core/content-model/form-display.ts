/** Shows the form of a bundle as the configuration of a real site: which fields it has, and with which widgets. It has neither uuid nor content. */
import type { components } from '../generated/contract.ts';
import type { Bundle, FieldDefinition } from '../model/bundle.ts';
import type { ModelSite } from './field-config.ts';
import { bundleConfigurations, moduleOf, widgetOf } from './configuration-names.ts';

type FormDisplay = components['schemas']['FormDisplay'];

/** The base fields of a form, in its order. */
const formFields: Readonly<Record<string, readonly string[]>> = {
  node: ['title', 'langcode', 'uid', 'created', 'promote', 'sticky', 'status', 'path'],
  media: ['name', 'langcode', 'uid', 'created', 'status', 'path'],
  taxonomy_term: ['name', 'description', 'langcode', 'status', 'path'],
};

/** Undefined when the bundle has no form of this name. */
export const showFormDisplay = (site: ModelSite, bundle: Bundle, mode: string): FormDisplay | undefined => {
  const { entityType, id: bundleId, shown } = bundle;
  if (shown?.formModes.includes(mode) !== true) return undefined;
  const id = `${entityType}.${bundleId}.${mode}`;
  const [base, fields] = partsOf(bundle);
  const modules = [...new Set([...base, ...fields].map(moduleOf))].filter((name) => name !== 'core').sort();
  return {
    langcode: site.langcode,
    status: true,
    dependencies: {
      config: [
        ...fields.map(({ name }) => `field.field.${entityType}.${bundleId}.${name}`),
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
};

/** The widget of each field, in the order of the form. */
export const formContent = (bundle: Bundle): NonNullable<FormDisplay['content']> =>
  Object.fromEntries(
    partsOf(bundle)
      .flat()
      .map((field, weight) => [field.name, widget(field, weight)]),
  );

/** The base fields of a form, and the bundle's own. */
const partsOf = ({ entityType, fields }: Bundle): readonly [FieldDefinition[], FieldDefinition[]] => [
  (formFields[entityType] ?? []).flatMap((name) => fields.get(name) ?? []),
  [...fields.values()].filter(({ configured }) => configured),
];

const widget = (field: FieldDefinition, weight: number) => ({
  type: widgetOf(field),
  weight,
  region: 'content',
  settings: [],
  third_party_settings: [],
});
