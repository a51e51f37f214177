/** Checks what the values of records say: ids, times, references and their targets, and what a media tells of its file. */
import { identityFields } from '../../../../core/model/entity.ts';
import { referencesOf } from '../../../../core/representations/targets.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { expectSame, expectThat, shown } from '../../answer.ts';
import { type Check, type CheckContext, contractRule, referenceRule } from '../../check.ts';
import { itemsOf, recordOf, valueIn, valuesIn, type JsonRecord } from '../../record-members.ts';
import { readOk } from './reading-check.ts';
import { itemsOfBoth } from './record-oracle.ts';
import { allKinds, kindChecks, readKind, type KindRule, type SeenRecord } from './seen-records.ts';

export const recordValueChecks = ({ site }: TargetContract): readonly Check[] =>
  allKinds(site).flatMap((kind) => kindChecks('value', kind, rules, readKind));

const timesOf = (record: JsonRecord): readonly (readonly [string, string])[] =>
  Object.keys(record).flatMap((name) =>
    itemsOf(record, name).flatMap(({ value, format }) =>
      typeof value === 'string' && typeof format === 'string' && format.startsWith('Y-m-d')
        ? [[name, value] as const]
        : [],
    ),
  );

/** Throws unless each reference tells of its target what Atoll tells of it. What the reader may not see is passed over. */
const expectReferences =
  (member: 'target_type' | 'target_uuid' | 'url') =>
  async (seen: SeenRecord, context: CheckContext): Promise<void> => {
    for (const field of referencesOf(seen.bundle)) {
      for (const [own, wanted] of await itemsOfBoth(context, seen, field)) {
        if (wanted[member] !== undefined) expectSame(own[member], wanted[member], `${member} of ${field.name}`);
      }
    }
  };

const rules: readonly KindRule[] = [
  {
    ...contractRule('id', 'contract: Resources and their fields'),
    rule: 'The id in a record is that of its path',
    expect: ({ record, id, kind }) => expectSame(valueIn(record, identityFields[kind.type].id), id),
  },
  {
    ...contractRule('uuid-stays', 'contract: Node, uuid'),
    rule: 'The uuid of a record is the same each time',
    expect: async ({ record, path }, context) =>
      expectSame(valueIn(recordOf(await readOk(context, `${path}?_format=json`)), 'uuid'), valueIn(record, 'uuid')),
  },
  {
    ...referenceRule('times-utc', 'a real site'),
    rule: 'Times are written in UTC, with +00:00',
    expect: ({ record }) => {
      for (const [name, value] of timesOf(record)) expectThat(value.endsWith('+00:00'), `${name} is ${shown(value)}.`);
    },
  },
  {
    ...contractRule('times-in-order', 'contract: Node, created and changed'),
    rule: 'Nothing was changed before it was created, nor in the future',
    types: ['node', 'media', 'file'],
    expect: ({ record, answer }) => {
      const [created, changed] = ['created', 'changed'].map((name) => Date.parse(String(valueIn(record, name))));
      expectThat(
        created !== undefined && changed !== undefined && created <= changed,
        'It was changed before it was created.',
      );
      const now = Date.parse(answer.header('date') ?? '');
      expectThat(Number.isNaN(now) || changed <= now + 120_000, 'It was changed in the future.');
    },
  },
  {
    ...contractRule('revision', 'contract: Node, vid'),
    rule: 'The revision id is a whole number above 0',
    types: ['node', 'media'],
    expect: ({ record }) => {
      const vid = valueIn(record, 'vid');
      expectThat(Number.isInteger(vid) && Number(vid) > 0, `It is ${shown(vid)}.`);
    },
  },
  {
    ...contractRule('bundle', 'contract: Element shapes, Reference element; a real site'),
    rule: 'The bundle is a reference to a configuration of the site, without a url',
    types: ['node', 'media', 'taxonomy_term'],
    expect: ({ record, bundle, kind: { type } }) => {
      const [item] = itemsOf(record, identityFields[type].bundle ?? '');
      const target = { node: 'node_type', media: 'media_type', taxonomy_term: 'taxonomy_vocabulary' }[type as string];
      expectSame([item?.['target_id'], item?.['target_type'], item?.['url']], [bundle.id, target, undefined]);
    },
  },
  {
    ...referenceRule('langcode', 'contract: Node, langcode'),
    rule: 'The language is one of the site',
    expect: ({ record }, { contract }) => {
      const code = valueIn(record, 'langcode');
      const known = [...contract.site.languages, contract.site.langcode, 'und', 'zxx'];
      expectThat(known.includes(String(code)), `It is ${shown(code)}.`);
    },
  },
  {
    ...contractRule('reference-types', 'contract: Element shapes, Reference element'),
    rule: 'Each reference names the type of its target that its field has',
    expect: expectReferences('target_type'),
  },
  {
    ...contractRule('reference-urls', 'contract: Element shapes; a real site'),
    rule: 'The url of a reference is the path of its target, and of a file the address of its content',
    expect: expectReferences('url'),
  },
  {
    ...contractRule('reference-targets', 'contract: Element shapes, Reference element'),
    rule: 'What a reference names has the uuid that the reference has',
    expect: expectReferences('target_uuid'),
  },
  {
    ...referenceRule('reference-bundles', 'a real site'),
    rule: 'A reference to a term leads to a vocabulary that its field allows',
    types: ['node', 'media'],
    expect: async ({ record, bundle }, context) => {
      for (const { name, target } of referencesOf(bundle)) {
        if (target?.type !== 'taxonomy_term' || target.bundles === undefined) continue;
        for (const id of valuesIn(record, name, 'target_id').slice(0, 12)) {
          const term = recordOf(await readOk(context, `/taxonomy/term/${String(id)}?_format=json`));
          const vocabulary = String(valueIn(term, 'vid', 'target_id'));
          expectThat(target.bundles.includes(vocabulary), `${name} refers to a term of ${vocabulary}.`);
        }
      }
    },
  },
];
