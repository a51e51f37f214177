/** Checks the fields of records: each is there, a list, and its items have the shape that the contract gives them. */
import { isRecord } from '../../../../basics/json.ts';
import type { FieldDefinition } from '../../../../core/model/bundle.ts';
import { baseFields } from '../../../../core/model/base-fields.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckSkip, expectThat, shown } from '../../answer.ts';
import { type Check, contractRule, referenceRule } from '../../check.ts';
import type { JsonRecord } from '../../record-members.ts';
import { expectNone, readingCheck } from './reading-check.ts';
import { allKinds, readKind, seenKinds, type SeenKind } from './seen-records.ts';

export const recordFieldChecks = ({ site }: TargetContract): readonly Check[] => [
  ...Object.values(seenKinds).flatMap((kind) => baseFields[kind.type].map((field) => baseField(kind, field))),
  ...allKinds(site).flatMap((kind) => [
    everyFieldIsAList(kind),
    allFields(kind),
    noOtherFields(kind),
    cardinality(kind),
  ]),
  ...fieldTypesOf(site.model.bundles('node')).map((type) => fieldType(seenKinds.node, type)),
  ...allKinds(site)
    .filter(({ type }) => type === 'media')
    .map((kind) => fieldShapes(kind)),
];

/** What is wrong with an item. Undefined: nothing. */
type Shape = (item: JsonRecord) => string | undefined;

const scalar =
  (type: 'string' | 'number' | 'boolean', pattern?: RegExp): Shape =>
  ({ value }) => {
    if (typeof value !== type && value !== null) return `its value is ${shown(value)}, no ${type}`;
    return pattern === undefined || typeof value !== 'string' || pattern.test(value)
      ? undefined
      : `its value ${shown(value)} has another form`;
  };

const whole: Shape = ({ value }) => (Number.isInteger(value) ? undefined : `its value is ${shown(value)}, no integer`);

const time: Shape = ({ value, format }) => {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(value)) {
    return `its value ${shown(value)} is not a time with an offset`;
  }
  if (Number.isNaN(Date.parse(value))) return `its value ${shown(value)} is not a moment`;
  return format === 'Y-m-d\\TH:i:sP' ? undefined : `its format is ${shown(format)}`;
};

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Says what is wrong with an item of a reference, whether its target exists or was deleted. Undefined when nothing is. */
const reference: Shape = (item) => {
  const { target_id: id, target_type: type, target_uuid: uuid, url } = item;
  const isConfiguration = typeof id === 'string';
  if (!isConfiguration && !Number.isInteger(id) && id !== null) return `its target_id is ${shown(id)}`;
  if (uuid === undefined && type === undefined && url === undefined) return undefined;
  if (typeof type !== 'string') return `its target_type is ${shown(type)}`;
  if (typeof uuid !== 'string' || !uuidForm.test(uuid)) return `its target_uuid is ${shown(uuid)}`;
  if (isConfiguration) return url === undefined ? undefined : `it has the url ${shown(url)}`;
  return typeof url === 'string' && /^(\/|https?:\/\/)/.test(url) ? undefined : `its url is ${shown(url)}`;
};

const image: Shape = (item) => {
  for (const name of ['alt', 'title']) {
    if (typeof item[name] !== 'string' && item[name] !== null) return `its ${name} is ${shown(item[name])}`;
  }
  for (const name of ['width', 'height']) {
    if (!Number.isInteger(item[name]) && item[name] !== null) return `its ${name} is ${shown(item[name])}`;
  }
  return reference(item);
};

const fileUri: Shape = ({ value, url }) => {
  if (typeof value !== 'string' || !/^[a-z][a-z0-9+.-]*:\/\/./.test(value))
    return `its value ${shown(value)} is not an address`;
  return typeof url === 'string' && /^(\/|https?:\/\/)/.test(url) ? undefined : `its url is ${shown(url)}`;
};

const link: Shape = ({ uri, title }) => {
  if (typeof uri !== 'string' && uri !== null) return `its uri is ${shown(uri)}`;
  return typeof title === 'string' || title === null ? undefined : `its title is ${shown(title)}`;
};

const typedRelation: Shape = (item) =>
  typeof item['rel_type'] === 'string' ? reference(item) : `its rel_type is ${shown(item['rel_type'])}`;

const formatted: Shape = ({ value, processed }) => {
  if (typeof value !== 'string' && value !== null) return `its value is ${shown(value)}`;
  return typeof processed === 'string' ? undefined : `its processed text is ${shown(processed)}`;
};

/** Types that are missing here have many shapes. */
const shapes: Readonly<Record<string, Shape>> = {
  boolean: scalar('boolean'),
  integer: whole,
  string: scalar('string'),
  string_long: scalar('string'),
  uuid: scalar('string', uuidForm),
  language: scalar('string', /^[a-z]{2,3}(-[a-z0-9-]+)?$/i),
  timestamp: time,
  changed: time,
  entity_reference: reference,
  typed_relation: typedRelation,
  file: reference,
  image,
  file_uri: fileUri,
  link,
  authority_link: link,
  edtf: scalar('string'),
  text: formatted,
  text_long: formatted,
  text_with_summary: formatted,
  list_string: scalar('string'),
  email: scalar('string', /@/),
};

/** What is wrong with a field of a record. */
const flawsOf = (record: JsonRecord, { name, type, required, configured }: FieldDefinition): readonly string[] => {
  const items = record[name];
  if (items === undefined) return [`There is no ${name}.`];
  if (!Array.isArray(items)) return [`${name} is ${shown(items)}, no list.`];
  if (required && !configured && items.length === 0) return [`${name} is empty.`];
  return items.flatMap((item: unknown, at) => {
    const flaw = isRecord(item) ? shapes[type]?.(item) : 'it is not an object';
    return flaw === undefined ? [] : [`Item ${at} of ${name} is wrong: ${flaw}.`];
  });
};

const baseField = (kind: SeenKind, field: FieldDefinition): Check =>
  readingCheck({
    name: `record.${kind.word}.${field.name}`,
    rule: `The record of a ${kind.word} has ${field.name} as a list${field.required ? ' that is not empty' : ''}, with items of the type ${field.type}.`,
    source: 'contract: Resources and their fields',
    severity: kind.type === 'taxonomy_term' ? 'reference' : 'contract',
    operations: [kind.operation],
    run: async (context) => {
      const { record, bundle } = await readKind(context, kind);
      if (!bundle.fields.has(field.name)) throw new CheckSkip(`This site has no ${field.name}.`);
      expectNone(flawsOf(record, field));
    },
  });

const everyFieldIsAList = (kind: SeenKind): Check =>
  readingCheck({
    ...contractRule(`record.${kind.word}.lists`, 'contract: Resources and their fields'),
    rule: `Every member of the record of a ${kind.word} is a list of objects.`,
    operations: [kind.operation],
    run: async (context) => {
      const { record } = await readKind(context, kind);
      for (const [name, items] of Object.entries(record)) {
        expectThat(Array.isArray(items) && items.every(isRecord), `${name} is ${shown(items)}.`);
      }
    },
  });

const allFields = (kind: SeenKind): Check =>
  readingCheck({
    ...contractRule(`record.${kind.word}.all-fields`, 'contract: Resources and their fields'),
    rule: `The record of a ${kind.word} has every field of its bundle, the empty ones as [].`,
    operations: [kind.operation],
    run: async (context) => {
      const { record, bundle } = await readKind(context, kind);
      const missing = [...bundle.fields.values()].filter(
        ({ name, access }) => !(name in record) && access === undefined,
      );
      expectThat(missing.length === 0, `It lacks ${missing.map(({ name }) => name).join(', ')}.`);
    },
  });

const noOtherFields = (kind: SeenKind): Check =>
  readingCheck({
    ...referenceRule(`record.${kind.word}.no-other-fields`, 'contract: Resources and their fields'),
    rule: `The record of a ${kind.word} has no member that is not a field of its bundle.`,
    operations: [kind.operation],
    run: async (context) => {
      const { record, bundle } = await readKind(context, kind);
      const others = Object.keys(record).filter((name) => !bundle.fields.has(name));
      expectThat(others.length === 0, `It has ${others.join(', ')}, which ${bundle.id} does not have.`);
    },
  });

const cardinality = (kind: SeenKind): Check =>
  readingCheck({
    ...referenceRule(`record.${kind.word}.cardinality`, 'a real site'),
    rule: `No field of a ${kind.word} has more items than the site allows.`,
    operations: [kind.operation],
    run: async (context) => {
      const { record, bundle } = await readKind(context, kind);
      for (const { name, cardinality: most } of bundle.fields.values()) {
        const items = record[name];
        expectThat(!Array.isArray(items) || items.length <= most, `${name} has more than ${most} items.`);
      }
    },
  });

const fieldTypesOf = (bundles: ReturnType<TargetContract['site']['model']['bundles']>): readonly string[] => [
  ...new Set(
    bundles.flatMap(({ fields }) =>
      [...fields.values()].filter(({ configured, type }) => configured && type in shapes).map(({ type }) => type),
    ),
  ),
];

const fieldType = (kind: SeenKind, type: string): Check =>
  readingCheck({
    ...contractRule(`record.${kind.word}.type-${type.replaceAll('_', '-')}`, 'contract: Element shapes; a real site'),
    rule: `The fields of a ${kind.word} of the type ${type} have items of that shape.`,
    operations: [kind.operation],
    run: async (context) => {
      const { record, bundle } = await readKind(context, kind);
      expectNone(
        [...bundle.fields.values()]
          .filter((field) => field.configured && field.type === type)
          .flatMap((field) => flawsOf(record, field)),
      );
    },
  });

const fieldShapes = (kind: SeenKind): Check =>
  readingCheck({
    ...contractRule(`record.${kind.word}.fields`, 'contract: Media; Element shapes'),
    rule: `Every field of a ${kind.word} has items of the shape of its type.`,
    operations: [kind.operation],
    run: async (context) => {
      const { record, bundle } = await readKind(context, kind);
      expectNone([...bundle.fields.values()].flatMap((field) => flawsOf(record, field)));
    },
  });
