/** Checks the fields of records: each is there, a list, and its items have the shape that the contract gives them. */
import { isRecord } from '../../../../basics/json.ts';
import { type FieldDefinition, baseFields, type Site } from '../../../../repository/repository.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { deviationIn } from '../../../differences/on-purpose.ts';
import { CheckFailure, CheckSkip, expectThat, shown } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { itemsOf } from '../../record-members.ts';
import { allKinds, readKind, seenKinds, type SeenKind, type SeenRecord, recordsOf } from './seen-records.ts';
import { contractRule, referenceRule, checksOf, type Rule } from '../../rule.ts';

const records = (kind: SeenKind) => recordsOf('record', kind, readKind);

export const recordFieldChecks = ({ site }: TargetContract): readonly Check[] => {
  const { node } = seenKinds;
  const ofNodes = fieldTypesOf(site).map((type) => fieldType(node, type));
  const media = allKinds(site).filter(({ type }) => type === 'media');
  return [
    ...Object.values(seenKinds).flatMap((kind) => checksOf(records(kind), baseFieldRules(kind))),
    ...allKinds(site).flatMap((kind) => checksOf(records(kind), wholeRules(kind))),
    ...checksOf(records(node), ofNodes),
    ...media.flatMap((kind) => checksOf(records(kind), [fieldShapes(kind)])),
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

/** Throws unless these fields of a record are sound. */
const sound =
  (isMeant: (field: FieldDefinition) => boolean) =>
  (seen: SeenRecord, context: CheckContext): void => {
    const [flaw] = [...seen.bundle.fields.values()].filter(isMeant).flatMap((field) => flawsOf(context, seen, field));
    if (flaw !== undefined) throw flaw;
  };

const source = 'contract: Resources and their fields';

const baseFieldRules = ({ word, type }: SeenKind): readonly Rule<SeenRecord>[] =>
  baseFields[type].map(({ name, required, type: own }) =>
    (type === 'taxonomy_term' ? referenceRule : contractRule)(name, source)(
      `The record of a ${word} has ${name} as a list${required ? ' that is not empty' : ''}, with items of the type ${own}.`,
      (seen, context) => {
        if (!seen.bundle.fields.has(name)) throw new CheckSkip(`This site has no ${name}.`);
        sound((field) => field.name === name)(seen, context);
      },
    ),
  );

const wholeRules = ({ word }: SeenKind): readonly Rule<SeenRecord>[] => [
  contractRule('lists', source)(`Every member of the record of a ${word} is a list of objects.`, ({ record }) => {
    for (const [name, items] of Object.entries(record)) {
      expectThat(Array.isArray(items) && items.every(isRecord), `${name} is ${shown(items)}.`);
    }
  }),
  contractRule('all-fields', source)(
    `The record of a ${word} has every field of its bundle, the empty ones as [].`,
    ({ record, bundle }) => {
      const due = [...bundle.fields.values()].filter(({ access }) => access === undefined).map(({ name }) => name);
      const missing = due.filter((name) => !(name in record));
      expectThat(missing.length === 0, `It lacks ${missing.join(', ')}.`);
    },
  ),
  referenceRule('no-other-fields', source)(
    `The record of a ${word} has no member that is not a field of its bundle.`,
    ({ record, bundle }) => {
      const others = Object.keys(record).filter((name) => !bundle.fields.has(name));
      expectThat(others.length === 0, `It has ${others.join(', ')}, which ${bundle.id} does not have.`);
    },
  ),
  referenceRule('cardinality', 'a real site')(
    `No field of a ${word} has more items than the site allows.`,
    ({ record, bundle }) => {
      for (const { name, cardinality } of bundle.fields.values())
        expectThat(itemsOf(record, name).length <= cardinality, `${name} has more than ${cardinality} items.`);
    },
  ),
];

/** The types of the configured fields of the nodes. */
const fieldTypesOf = ({ model }: Site): readonly string[] => {
  const fields = model.bundles('node').flatMap((bundle) => [...bundle.fields.values()]);
  return [...new Set(fields.filter(({ configured }) => configured).map(({ type }) => type))];
};

const fieldType = ({ word }: SeenKind, type: string): Rule<SeenRecord> =>
  contractRule(`type-${type.replaceAll('_', '-')}`, 'contract: Element shapes; a real site')(
    `The fields of a ${word} of the type ${type} have items of that shape.`,
    sound((field) => field.configured && field.type === type),
  );

const fieldShapes = ({ word }: SeenKind): Rule<SeenRecord> =>
  contractRule('fields', 'contract: Media; Element shapes')(
    `Every field of a ${word} has items of the shape of its type.`,
    sound(() => true),
  );
