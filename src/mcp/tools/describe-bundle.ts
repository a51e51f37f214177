/** `describe_bundle`: the fields of a bundle, with a body that creates a record of it. */
import { fixedDraw, fieldTypeOf } from '../../repository/repository.ts';
import type { components } from '../../client/generated/control.ts';
import type { EntityQuery } from '../../exchange/exchange-worlds.ts';
import { dryRun } from '../sandbox/dry-run.ts';
import { requestShape, type SandboxRequest } from '../sandbox/sandbox-request.ts';
import { accountsOf } from '../session/accounts.ts';
import type { Call } from '../session/session.ts';
import { anyObject, choice, list, optional, structure, text, whole } from '../shape.ts';
import { ToolRefusal } from '../tool-refusal.ts';
import { defineTool } from '../tool.ts';

/** Makes a request that creates a record of a bundle: with what the bundle requires, tried in a copy of the world. */
type Item = Readonly<Record<string, unknown>>;
type Reference = { readonly type: NonNullable<EntityQuery['type']>; readonly bundles: readonly string[] | undefined };

type ExampleRequest = { readonly request: SandboxRequest; readonly status: number };

/** Undefined where records of the bundle are not created with a request of their own. */
const exampleBody = async (bundle: Bundle, call: Call): Promise<ExampleRequest | undefined> => {
  const { createPath } = bundle;
  if (createPath === undefined) return undefined;
  const json = await bodyFor(bundle, call);
  const able = (await accountsOf(call, call.server)).filter(
    ({ password, blocked }) => password !== undefined && !blocked,
  );
  let refused: ExampleRequest | undefined;
  for (const { name: account } of able) {
    const request: SandboxRequest = { method: 'POST', path: createPath, account, json };
    const answer = await dryRun(call, call.server, [{ request }]);
    if (answer !== undefined && answer.status < 400) return { request, status: answer.status };
    refused ??= answer === undefined ? undefined : { request, status: answer.status };
  }
  return refused;
};

const bodyFor = async ({ fields, bundle, bundleField, labelField, source }: Bundle, call: Call): Promise<Item> => {
  const body: Record<string, unknown> = {};
  if (bundleField !== undefined) body[bundleField] = [{ target_id: bundle }];
  for (const field of fields) {
    const isWanted = (field.required && !field.filled) || field.name === labelField || field.name === source?.field;
    if (!isWanted || field.readOnly || field.name === bundleField) continue;
    const isVideo = source?.kind === 'oembed' && field.name === source.field;
    const item = isVideo ? { [field.main]: videoAddress } : await itemFor(field, call);
    if (item !== undefined) body[field.name] = [item];
  }
  return body;
};

/** A video of a provider that every Drupal site knows. */
const videoAddress = 'https://www.youtube.com/watch?v=jNQXAC9IVRw';

/** An item that the rules of the field allow. Undefined when the world has nothing to refer to. */
const itemFor = async (field: Field, call: Call): Promise<Item | undefined> => {
  const { main, target, extensions } = field;
  const own = sampleOf(field);
  if (target === undefined) return own;
  const id =
    extensions === undefined
      ? await targetOf({ type: target.type as Reference['type'], bundles: target.bundles }, call) // content, where a record is required
      : await fileOf(extensions, call);
  return id === undefined ? undefined : { [main]: id, ...own };
};

/** A value that the type of the field takes; of a reference, what it has besides its target. */
const sampleOf = (field: Field): Item | undefined => {
  const { allowedValues, relations, sources, linkTitle, cardinality } = field;
  const known = {
    ...field,
    ...{ cardinality: cardinality ?? Infinity, translatable: false, default: undefined, target: undefined },
    allowedValues: allowedValues && Object.fromEntries(allowedValues.map(({ value, label }) => [value, label])),
    relations: relations?.map(({ value }) => value),
    forms: { linkTitle, sources: sources && Object.fromEntries(sources.map(({ value, label }) => [value, label])) },
  };
  return fieldTypeOf(field).sample?.(known, fixedDraw(field.label.slice(0, 80)));
};

/** A file with one of these extensions. */
const fileOf = async (extensions: readonly string[], call: Call): Promise<number | undefined> => {
  for (const extension of extensions) {
    const ending = `.${extension.toLowerCase()}`;
    const { entities } = await call.server.entities({ type: 'file', text: ending, limit: '50' });
    const found = entities.find(({ title }) => title.toLowerCase().endsWith(ending));
    if (found !== undefined) return found.id;
  }
  return undefined;
};

const targetOf = async ({ type, bundles }: Reference, call: Call): Promise<number | undefined> => {
  const { entities } = await call.server.entities({ type, limit: '50', bundle: bundles?.join(',') });
  return entities[0]?.id;
};

type Bundle = components['schemas']['ModelBundle'];
type Field = Bundle['fields'][number];

export const describeBundle = defineTool({
  name: 'describe_bundle',
  title: 'Describe a bundle',
  description:
    'The fields of a bundle (a content type, media type or vocabulary), with a body that creates a record of it now. Without "bundle" it lists the bundles. With "field" it describes that field, with all its values.',
  hints: { readOnly: true },
  input: structure({
    type: optional(choice(['node', 'media', 'file', 'taxonomy_term', 'user'], 'The entity type.')),
    bundle: optional(text('Such as islandora_object.', { maxLength: 64 })),
    field: optional(text('Such as field_model.', { maxLength: 64 })),
  }),
  output: structure({
    bundle: optional(
      structure({
        type: text('The entity type.'),
        bundle: text('The machine name.'),
        label: text('The name for people.'),
        records: whole('How many there are.'),
        methods: list(text('A method.'), 'What clients may do with records, where their role allows it.'),
        create: optional(requestShape),
        expected: optional(whole('The status of "create" in a copy of the main world.')),
      }),
    ),
    field: optional(anyObject('The field that was asked for.')),
    items: list(
      anyObject('A bundle, a field of the bundle, or a value of the field.'),
      'The bundles, the fields, or the values among which the field leaves a choice.',
    ),
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
      return { bundle: await shownBundle(bundle, call), items: bundle.fields.filter(isForClients).map(listedField) };
    }
    const field = bundle.fields.find((each) => each.name === fieldName);
    if (field === undefined) throw unknownField(fieldName, bundle);
    return { field: shownField(field), items: valuesOf(field) };
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
    ...{ create: example?.request, expected: example?.status },
  };
};

/** What a client sends or reads as a value of the site. */
const isForClients = ({ configured, readOnly, required }: Field): boolean => configured || required || !readOnly;

/** More values are listed with "field" alone. */
const mostValues = 8;

const listedField = (field: Field) => {
  const values = valuesOf(field);
  return {
    ...shownField(field),
    ...(values.length === 0
      ? {}
      : values.length <= mostValues
        ? { values }
        : {
            values: values.slice(0, 3),
            more: `${values.length - 3} more: describe_bundle with field "${field.name}"`,
          }),
  };
};

/** Without its values. */
const shownField = (field: Field) => {
  const { name, label, type, main, required, filled, cardinality, readOnly, createOnly } = field;
  return {
    ...{ name, label, type, item: { [main]: wordOf(field) }, cardinality: cardinality ?? 'any' },
    ...{ required: required || undefined, filled: (required && filled) || undefined },
    ...{ readOnly: readOnly || undefined, createOnly: createOnly || undefined },
    ...rulesOf(field),
  };
};

const wordOf = (field: Field): string => {
  if (field.target !== undefined) return 'id';
  if (fieldTypeOf(field).keys?.includes('min') === true) return 'number';
  const value = sampleOf(field)?.[field.main];
  return typeof value === 'number' || typeof value === 'boolean' ? typeof value : 'text';
};

const rulesOf = ({ maxLength, min, max, target, properties, main, dateOnly, link, extensions, uploadPath }: Field) => {
  const others = properties.filter((each) => each !== main);
  const alsoInItem = others.length === 0 ? undefined : others;
  return { maxLength, min, max, target, dateOnly, link, extensions, uploadPath, alsoInItem };
};

/** Each list of choices that the field has. */
const valuesOf = ({ allowedValues, relations, sources, formats }: Field): Readonly<Record<string, unknown>>[] => [
  ...(allowedValues ?? []),
  ...(relations ?? []).map((each) => ({ rel_type: each.value, label: each.label })),
  ...(sources ?? []).map((each) => ({ source: each.value, label: each.label })),
  ...(formats ?? []).map((format) => ({ format })),
];
