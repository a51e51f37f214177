/** Checks the fields of records: each is there, a list, and its items have the shape that the contract gives them. */
import { isRecord } from '../../../../basics/json.ts';
import type { FieldDefinition } from '../../../../core/model/bundle.ts';
import { baseFields } from '../../../../core/model/base-fields.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { deviationIn } from '../../../../contract/differences/on-purpose.ts';
import { CheckFailure, CheckSkip, expectThat, shown } from '../../answer.ts';
import { type Check, type CheckContext, contractRule, referenceRule } from '../../check.ts';
import { readingCheck } from './reading-check.ts';
import { allKinds, readKind, seenKinds, type SeenKind, type SeenRecord } from './seen-records.ts';

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

/** Where records and files are: below this host, or at an address of its own. */
const isAddress = (url: unknown): boolean => typeof url === 'string' && /^(\/|https?:\/\/)/.test(url);

/** What is wrong with a field of a record: with its list, and with its items by the schema that the document has of them. */
const flawsOf = (
  { judge }: CheckContext,
  { record, answer }: SeenRecord,
  { name, required, configured }: FieldDefinition,
): readonly CheckFailure[] => {
  const items = record[name];
  if (items === undefined) return [new CheckFailure(`There is no ${name}.`)];
  if (!Array.isArray(items)) return [new CheckFailure(`${name} is ${shown(items)}, no list.`)];
  if (required && !configured && items.length === 0) return [new CheckFailure(`${name} is empty.`)];
  const broken = judge.check(answer.exchange).reply.filter(({ pointer }) => pointer.startsWith(`/body/${name}/`));
  return [
    ...broken.map((rule) => new CheckFailure(`${rule.pointer}: ${rule.message}`, [deviationIn(rule, answer.exchange)])),
    ...items
      .filter((item) => isRecord(item) && item['url'] !== undefined && !isAddress(item['url']))
      .map((item) => new CheckFailure(`An item of ${name} has no address as its url: ${shown(item)}.`)),
  ];
};

/** Throws the first flaw of the fields. */
const expectSound = (context: CheckContext, seen: SeenRecord, fields: readonly FieldDefinition[]): void => {
  const [flaw] = fields.flatMap((field) => flawsOf(context, seen, field));
  if (flaw !== undefined) throw flaw;
};

const baseField = (kind: SeenKind, field: FieldDefinition): Check =>
  readingCheck({
    name: `record.${kind.word}.${field.name}`,
    rule: `The record of a ${kind.word} has ${field.name} as a list${field.required ? ' that is not empty' : ''}, with items of the type ${field.type}.`,
    source: 'contract: Resources and their fields',
    severity: kind.type === 'taxonomy_term' ? 'reference' : 'contract',
    operations: [kind.operation],
    run: async (context) => {
      const seen = await readKind(context, kind);
      if (!seen.bundle.fields.has(field.name)) throw new CheckSkip(`This site has no ${field.name}.`);
      expectSound(context, seen, [field]);
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
      [...fields.values()].filter(({ configured }) => configured).map(({ type }) => type),
    ),
  ),
];

const fieldType = (kind: SeenKind, type: string): Check =>
  readingCheck({
    ...contractRule(`record.${kind.word}.type-${type.replaceAll('_', '-')}`, 'contract: Element shapes; a real site'),
    rule: `The fields of a ${kind.word} of the type ${type} have items of that shape.`,
    operations: [kind.operation],
    run: async (context) => {
      const seen = await readKind(context, kind);
      const fields = [...seen.bundle.fields.values()];
      expectSound(
        context,
        seen,
        fields.filter((field) => field.configured && field.type === type),
      );
    },
  });

const fieldShapes = (kind: SeenKind): Check =>
  readingCheck({
    ...contractRule(`record.${kind.word}.fields`, 'contract: Media; Element shapes'),
    rule: `Every field of a ${kind.word} has items of the shape of its type.`,
    operations: [kind.operation],
    run: async (context) => {
      const seen = await readKind(context, kind);
      expectSound(context, seen, [...seen.bundle.fields.values()]);
    },
  });
