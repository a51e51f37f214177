/** `describe_bundle`: the fields of a bundle, with a body that creates a record of it. */
import type { components } from '../../core/generated/control.ts';
import { anyObject, choice, list, optional, structure, text, whole } from '../shape.ts';
import type { Call } from '../session/session.ts';
import { defineTool } from '../tool.ts';
import { ToolRefusal } from '../tool-refusal.ts';
import { exampleBody } from '../sandbox/example-body.ts';
import { trialShape } from '../sandbox/trial-shape.ts';

type Bundle = components['schemas']['ModelBundle'];
type Field = Bundle['fields'][number];

export const describeBundle = defineTool({
  name: 'describe_bundle',
  title: 'Describe a bundle',
  description:
    'Describes the fields of a bundle (a content type, media type or vocabulary), with a body that creates a record of it now. Without "bundle" it lists the bundles. With "field" it has all values of that field.',
  hints: { readOnly: true },
  input: structure({
    type: optional(choice(['node', 'media', 'file', 'taxonomy_term', 'user'], 'The entity type.')),
    bundle: optional(text('The machine name, such as islandora_object.', { maxLength: 64 })),
    field: optional(text('The machine name of one field.', { maxLength: 64 })),
  }),
  output: structure({
    bundle: optional(
      structure({
        type: text('The entity type.'),
        bundle: text('The machine name.'),
        label: text('The name for people.'),
        records: whole('How many there are.'),
        methods: list(text('A method.'), 'What clients may do with records, where their role allows it.'),
        create: optional(trialShape),
        expected: optional(whole('The status of "create" in a copy of the main world.')),
      }),
    ),
    items: list(anyObject('A bundle, a field of the bundle, or a value of the field.'), 'What was asked for.'),
  }),
  long: 'items',
  run: async ({ type, bundle: name, field: fieldName }, call) => {
    const { bundles } = await call.control(call.server).ask('getModel');
    if (name === undefined) {
      const shown = bundles.filter((each) => type === undefined || each.type === type);
      return {
        items: shown.map(({ type: of, bundle, label, count }) => ({ type: of, bundle, label, records: count })),
      };
    }
    const bundle = bundles.find((each) => each.bundle === name && (type === undefined || each.type === type));
    if (bundle === undefined) throw unknownBundle(name, bundles);
    if (fieldName === undefined) {
      return { bundle: await shownBundle(bundle, call), items: bundle.fields.filter(isForClients).map(shownField) };
    }
    const field = bundle.fields.find((each) => each.name === fieldName);
    if (field === undefined) throw unknownField(fieldName, bundle);
    return { items: valuesOf(field) };
  },
});

const unknownBundle = (name: string, bundles: readonly Bundle[]): ToolRefusal =>
  new ToolRefusal(`There is no bundle "${name}".`, `There are: ${bundles.map(({ bundle }) => bundle).join(', ')}.`);

const unknownField = (name: string, { bundle, fields }: Bundle): ToolRefusal =>
  new ToolRefusal(`${bundle} has no field "${name}".`, `It has: ${fields.map((each) => each.name).join(', ')}.`);

const shownBundle = async (bundle: Bundle, call: Call) => {
  const { type, label, count, methods } = bundle;
  const example = await exampleBody(bundle, call);
  return {
    ...{ type, bundle: bundle.bundle, label, records: count, methods },
    ...(example === undefined ? {} : { create: example.trial, expected: example.status }),
  };
};

/** What a client sends or reads as a value of the site. */
const isForClients = ({ configured, readOnly, required }: Field): boolean => configured || required || !readOnly;

/** More values are listed with "field" alone. */
const mostValues = 8;

const shownField = (field: Field) => {
  const { name, label, type, main, required, filled, cardinality, readOnly, createOnly } = field;
  const values = valuesOf(field);
  return {
    ...{ name, label, type, item: { [main]: wordOf(type) }, cardinality: cardinality ?? 'any' },
    ...(required ? { required } : {}),
    ...(required && filled ? { filled } : {}),
    ...(readOnly ? { readOnly } : {}),
    ...(createOnly ? { createOnly } : {}),
    ...rulesOf(field),
    ...(values.length === 0
      ? {}
      : values.length <= mostValues
        ? { values }
        : { values: values.slice(0, 3), more: `${values.length - 3} more: describe_bundle with field "${name}"` }),
  };
};

const wordOf = (type: string): string =>
  /entity_reference|image|file/.test(type)
    ? 'id'
    : /integer|decimal|float/.test(type)
      ? 'number'
      : type === 'boolean'
        ? 'boolean'
        : 'text';

const rulesOf = ({ maxLength, min, max, target, properties, main, dateOnly, link, extensions, uploadPath }: Field) => {
  const others = properties.filter((each) => each !== main);
  return Object.fromEntries(
    Object.entries({
      maxLength,
      min,
      max,
      target,
      dateOnly,
      link,
      extensions,
      uploadPath,
      alsoInItem: others.length === 0 ? undefined : others,
    }).filter(([, value]) => value !== undefined),
  );
};

/** Each list of choices that the field has. */
const valuesOf = ({ allowedValues, relations, sources, formats }: Field): Readonly<Record<string, unknown>>[] => [
  ...(allowedValues ?? []),
  ...(relations ?? []).map((each) => ({ rel_type: each.value, label: each.label })),
  ...(sources ?? []).map((each) => ({ source: each.value, label: each.label })),
  ...(formats ?? []).map((format) => ({ format })),
];
