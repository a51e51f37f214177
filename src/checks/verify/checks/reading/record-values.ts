/** Checks what the values of records say: ids, times, references and their targets, and what a media tells of its file. */
import { type Bundle, usualFieldMap, identityOf } from '../../../../repository/repository.ts';
import { referencesOf } from '../../../../repository/repository-content.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { expectSame, expectThat, shown } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { itemsOf, recordOf, valueIn, valuesIn, type JsonRecord } from '../../record-members.ts';
import { fileBundles } from '../writing/record-kinds.ts';
import { fileOf, orSkip, readOk } from './reading-check.ts';
import { expectTold } from './record-oracle.ts';
import { allKinds, belowBase, mediaKind, readKind, type SeenRecord, recordsOf } from './seen-records.ts';
import { contractRule, referenceRule, checksOf, type Rule } from '../../rule.ts';

export const recordValueChecks = (contract: TargetContract): readonly Check[] => [
  ...allKinds(contract.site).flatMap((kind) => checksOf(recordsOf('value', kind, readKind), rules)),
  ...mediaValueChecks(contract),
];

const timesOf = (record: JsonRecord): readonly (readonly [string, string])[] =>
  Object.keys(record).flatMap((name) =>
    itemsOf(record, name).flatMap(({ value, format }) =>
      typeof value === 'string' && typeof format === 'string' && format.startsWith('Y-m-d')
        ? [[name, value] as const]
        : [],
    ),
  );

/** Throws unless each reference tells of its target what Atoll tells of it. */
const tell =
  (member: 'target_type' | 'target_uuid' | 'url') =>
  async (seen: SeenRecord, context: CheckContext): Promise<void> => {
    for (const field of referencesOf(seen.bundle)) await expectTold(context, seen, field, member);
  };

const rules: readonly Rule<SeenRecord>[] = [
  contractRule('id', 'contract: Resources and their fields')(
    'The id in a record is that of its path',
    ({ record, id, kind }) => expectSame(valueIn(record, identityOf(kind.type).id), id),
  ),
  contractRule('uuid-stays', 'contract: Node, uuid')(
    'The uuid of a record is the same each time',
    async ({ record, path }, context) =>
      expectSame(valueIn(recordOf(await readOk(context, `${path}?_format=json`)), 'uuid'), valueIn(record, 'uuid')),
  ),
  referenceRule('times-utc', 'a real site')('Times are written in UTC, with +00:00', ({ record }) => {
    for (const [name, value] of timesOf(record)) expectThat(value.endsWith('+00:00'), `${name} is ${shown(value)}.`);
  }),
  contractRule('times-in-order', 'contract: Node, created and changed')(
    'Nothing was changed before it was created, nor in the future',
    ({ record, answer }) => {
      const [created, changed] = ['created', 'changed'].map((name) => Date.parse(String(valueIn(record, name))));
      expectThat(
        created !== undefined && changed !== undefined && created <= changed,
        'It was changed before it was created.',
      );
      const now = Date.parse(answer.header('date') ?? '');
      expectThat(Number.isNaN(now) || changed <= now + 120_000, 'It was changed in the future.');
    },
    { types: ['node', 'media', 'file'] },
  ),
  contractRule('revision', 'contract: Node, vid')(
    'The revision id is a whole number above 0',
    ({ record }) => {
      const vid = valueIn(record, 'vid');
      expectThat(Number.isInteger(vid) && Number(vid) > 0, `It is ${shown(vid)}.`);
    },
    { types: ['node', 'media'] },
  ),
  contractRule('bundle', 'contract: Element shapes, Reference element; a real site')(
    'The bundle is a reference to a configuration of the site, without a url',
    ({ record, bundle, kind: { type } }) => {
      const [item] = itemsOf(record, identityOf(type).bundle ?? '');
      const target = { node: 'node_type', media: 'media_type', taxonomy_term: 'taxonomy_vocabulary' }[type as string];
      expectSame([item?.['target_id'], item?.['target_type'], item?.['url']], [bundle.id, target, undefined]);
    },
    { types: ['node', 'media', 'taxonomy_term'] },
  ),
  referenceRule('langcode', 'contract: Node, langcode')(
    'The language is one of the site',
    ({ record }, { contract }) => {
      const code = valueIn(record, 'langcode');
      const known = [...contract.site.languages, contract.site.langcode, 'und', 'zxx'];
      expectThat(known.includes(String(code)), `It is ${shown(code)}.`);
    },
  ),
  contractRule('reference-types', 'contract: Element shapes, Reference element')(
    'Each reference names the type of its target that its field has',
    tell('target_type'),
  ),
  contractRule('reference-urls', 'contract: Element shapes; a real site')(
    'The url of a reference is the path of its target, and of a file the address of its content',
    tell('url'),
  ),
  contractRule('reference-targets', 'contract: Element shapes, Reference element')(
    'What a reference names has the uuid that the reference has',
    tell('target_uuid'),
  ),
  referenceRule('reference-bundles', 'a real site')(
    'A reference to a term leads to a vocabulary that its field allows',
    async ({ record, bundle }, context) => {
      for (const { name, target } of referencesOf(bundle)) {
        if (target?.type !== 'taxonomy_term' || target.bundles === undefined) continue;
        for (const id of valuesIn(record, name, 'target_id').slice(0, 12)) {
          const term = recordOf(await readOk(context, `/taxonomy/term/${String(id)}?_format=json`));
          const vocabulary = String(valueIn(term, 'vid', 'target_id'));
          expectThat(target.bundles.includes(vocabulary), `${name} refers to a term of ${vocabulary}.`);
        }
      }
    },
    { types: ['node', 'media'] },
  ),
];

const mediaValueChecks = (contract: TargetContract): readonly Check[] =>
  fileBundles(contract).flatMap((bundle) =>
    checksOf(
      {
        ...{ topic: `value.media-${bundle.id}`, of: bundle.id, operations: ['getMedia', 'getFile'] },
        see: async (context) => ({
          ...(await readKind(context, mediaKind(bundle.id))),
          file: recordOf(await readOk(context, `/entity/file/${fileOf(context, bundle.id).id}?_format=json`)),
        }),
      },
      mediaRulesOf(bundle),
    ),
  );

type SeenMedia = SeenRecord & { readonly file: JsonRecord };

const mediaRulesOf = (bundle: Bundle): readonly Rule<SeenMedia>[] => {
  const usual = usualFieldMap(bundle.source?.kind ?? 'file');
  const map = bundle.source?.fieldMap ?? usual;
  const sentence = (rule: string): string => `A media of the type ${bundle.id} ${rule}.`;
  return [
    ...facts.flatMap(([fact, name, rule, wanted]): Rule<SeenMedia>[] => {
      const field = map[fact] ?? '';
      if (!(fact in usual) || !bundle.fields.has(field)) return [];
      const expect = (seen: SeenMedia): void => expectSame(valueIn(seen.record, field), wanted(seen), field);
      return [contractRule(name, 'contract: Media')(sentence(rule), expect)];
    }),
    contractRule('source', 'contract: Media')(
      sentence('has its file in the field of its type, with the address of the content'),
      async (seen, context) => {
        const field = bundle.fields.get(bundle.source?.field ?? '');
        if (field === undefined) return;
        expectSame(valueIn(seen.record, field.name, 'target_id'), valueIn(seen.file, 'fid'), field.name);
        await expectTold(context, seen, field, 'target_uuid', 'url');
      },
    ),
    contractRule('thumbnail', 'contract: Media')(
      sentence('has a picture as its thumbnail, with its size and the address of the content'),
      ({ record }, context) => {
        const [item = {}] = itemsOf(record, 'thumbnail');
        expectSame(item['target_type'], 'file', 'The type of the thumbnail');
        expectThat(belowBase(context, String(item['url'])) !== undefined, `Its url is ${shown(item['url'])}.`);
      },
    ),
  ];
};

/** The side of a picture. */
const sized =
  (side: string) =>
  ({ record, bundle }: SeenMedia): unknown =>
    orSkip(valueIn(record, bundle.source?.field ?? '', side) ?? undefined, 'The picture has no known size.');

/** What a media takes from its file, into the field that its type has for it. */
const facts: readonly (readonly [fact: string, name: string, rule: string, wanted: (seen: SeenMedia) => unknown])[] = [
  ['mimetype', 'mime-type', 'has the MIME type of its file', ({ file }) => valueIn(file, 'filemime')],
  ['filesize', 'file-size', 'has the size of its file in bytes', ({ file }) => valueIn(file, 'filesize')],
  ['width', 'width', 'has the width of its picture', sized('width')],
  ['height', 'height', 'has the height of its picture', sized('height')],
];
