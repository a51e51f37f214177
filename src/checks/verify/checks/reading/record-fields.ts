/** Checks the fields of records: each is there, a list, and its items have the shape that the contract gives them. */
import { isRecord } from '../../../../basics/json.ts';
import type { FieldDefinition } from '../../../../core/model/bundle.ts';
import { baseFields } from '../../../../core/model/base-fields.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { deviationIn } from '../../../../contract/differences/on-purpose.ts';
import type { Site } from '../../../../core/site/site.ts';
import { CheckFailure, CheckSkip, expectThat, shown } from '../../answer.ts';
import { type Check, type CheckContext, contractRule, referenceRule } from '../../check.ts';
import { itemsOf } from '../../record-members.ts';
import type { SeenRule } from './reading-check.ts';
import { allKinds, kindChecks, readKind, seenKinds, type SeenKind, type SeenRecord } from './seen-records.ts';

export const recordFieldChecks = ({ site }: TargetContract): readonly Check[] => {
  const checksOf = (kind: SeenKind, rules: readonly SeenRule<SeenRecord>[]): readonly Check[] =>
    kindChecks('record', kind, rules, readKind);
  const media = allKinds(site).filter(({ type }) => type === 'media');
  return [
    ...Object.values(seenKinds).flatMap((kind) =>
      checksOf(
        kind,
        baseFields[kind.type].map((field) => baseField(kind, field)),
      ),
    ),
    ...allKinds(site).flatMap((kind) => checksOf(kind, wholeRules(kind))),
    ...checksOf(
      seenKinds.node,
      fieldTypesOf(site).map((type) => fieldType(seenKinds.node, type)),
    ),
    ...media.flatMap((kind) => checksOf(kind, [fieldShapes(kind)])),
  ];
};

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
  return broken.map(
    (rule) => new CheckFailure(`${rule.pointer}: ${rule.message}`, [deviationIn(rule, answer.exchange)]),
  );
};

/** A rule about some fields of a record. */
const soundRule = (
  head: Pick<SeenRule<SeenRecord>, 'name' | 'severity' | 'source'>,
  rule: string,
  isMeant: (field: FieldDefinition) => boolean,
): SeenRule<SeenRecord> => ({
  ...{ ...head, rule },
  expect: (seen, context) => {
    const [flaw] = [...seen.bundle.fields.values()].filter(isMeant).flatMap((field) => flawsOf(context, seen, field));
    if (flaw !== undefined) throw flaw;
  },
});

const source = 'contract: Resources and their fields';

const baseField = ({ word, type }: SeenKind, field: FieldDefinition): SeenRule<SeenRecord> => {
  const head = { name: field.name, source, severity: type === 'taxonomy_term' ? 'reference' : 'contract' } as const;
  const sound = soundRule(
    head,
    `The record of a ${word} has ${field.name} as a list${field.required ? ' that is not empty' : ''}, with items of the type ${field.type}.`,
    ({ name }) => name === field.name,
  );
  return {
    ...sound,
    expect: (seen, context) => {
      if (!seen.bundle.fields.has(field.name)) throw new CheckSkip(`This site has no ${field.name}.`);
      return sound.expect(seen, context);
    },
  };
};

const wholeRules = ({ word }: SeenKind): readonly SeenRule<SeenRecord>[] => [
  {
    ...contractRule('lists', source),
    rule: `Every member of the record of a ${word} is a list of objects.`,
    expect: ({ record }) => {
      for (const [name, items] of Object.entries(record)) {
        expectThat(Array.isArray(items) && items.every(isRecord), `${name} is ${shown(items)}.`);
      }
    },
  },
  {
    ...contractRule('all-fields', source),
    rule: `The record of a ${word} has every field of its bundle, the empty ones as [].`,
    expect: ({ record, bundle }) => {
      const due = [...bundle.fields.values()].filter(({ access }) => access === undefined).map(({ name }) => name);
      const missing = due.filter((name) => !(name in record));
      expectThat(missing.length === 0, `It lacks ${missing.join(', ')}.`);
    },
  },
  {
    ...referenceRule('no-other-fields', source),
    rule: `The record of a ${word} has no member that is not a field of its bundle.`,
    expect: ({ record, bundle }) => {
      const others = Object.keys(record).filter((name) => !bundle.fields.has(name));
      expectThat(others.length === 0, `It has ${others.join(', ')}, which ${bundle.id} does not have.`);
    },
  },
  {
    ...referenceRule('cardinality', 'a real site'),
    rule: `No field of a ${word} has more items than the site allows.`,
    expect: ({ record, bundle }) => {
      for (const { name, cardinality } of bundle.fields.values())
        expectThat(itemsOf(record, name).length <= cardinality, `${name} has more than ${cardinality} items.`);
    },
  },
];

/** The types of the configured fields of the nodes. */
const fieldTypesOf = ({ model }: Site): readonly string[] => {
  const fields = model.bundles('node').flatMap((bundle) => [...bundle.fields.values()]);
  return [...new Set(fields.filter(({ configured }) => configured).map(({ type }) => type))];
};

const fieldType = ({ word }: SeenKind, type: string): SeenRule<SeenRecord> =>
  soundRule(
    contractRule(`type-${type.replaceAll('_', '-')}`, 'contract: Element shapes; a real site'),
    `The fields of a ${word} of the type ${type} have items of that shape.`,
    (field) => field.configured && field.type === type,
  );

const fieldShapes = ({ word }: SeenKind): SeenRule<SeenRecord> =>
  soundRule(
    contractRule('fields', 'contract: Media; Element shapes'),
    `Every field of a ${word} has items of the shape of its type.`,
    () => true,
  );
