/** Checks what the values of records say: ids, times, references and their targets, and what a media tells of its file. */
import type { Bundle, FieldDefinition } from '../../../../core/model/bundle.ts';
import { identityFields, type EntityType } from '../../../../core/model/entity.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { expectSame, expectThat, shown } from '../../answer.ts';
import { type Check, type CheckContext, contractRule, referenceRule, type RuleHead } from '../../check.ts';
import { itemsOf, recordOf, valueIn, type JsonRecord } from '../../record-members.ts';
import { readerOf, readingCheck, readOk } from './reading-check.ts';
import { allKinds, belowBase, readKind, recordPath, type SeenKind, type SeenRecord } from './seen-records.ts';

export const recordValueChecks = ({ site }: TargetContract): readonly Check[] => [
  ...allKinds(site).flatMap((kind) => [
    ...rules
      .filter(({ types }) => types === undefined || types.includes(kind.type))
      .map((rule) => valueCheck(kind, rule)),
  ]),
];

type ValueRule = RuleHead & {
  readonly types?: readonly EntityType[];
  readonly expect: (seen: SeenRecord, context: CheckContext, kind: SeenKind) => void | Promise<void>;
};

const valueCheck = (kind: SeenKind, { name, rule, source, severity, expect }: ValueRule): Check =>
  readingCheck({
    ...{ source, severity },
    name: `value.${kind.word}.${name}`,
    rule: `${rule} (${kind.word}).`,
    operations: [kind.operation],
    run: async (context) => expect(await readKind(context, kind), context, kind),
  });

const timesOf = (record: JsonRecord): readonly (readonly [string, string])[] =>
  Object.keys(record).flatMap((name) =>
    itemsOf(record, name).flatMap(({ value, format }) =>
      typeof value === 'string' && typeof format === 'string' && format.startsWith('Y-m-d')
        ? [[name, value] as const]
        : [],
    ),
  );

const rules: readonly ValueRule[] = [
  {
    ...contractRule('id', 'contract: Resources and their fields'),
    rule: 'The id in a record is that of its path',
    expect: ({ record, id }, _context, { type }) => expectSame(valueIn(record, identityFields[type].id), id),
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
    expect: ({ record, bundle }, _context, { type }) => {
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
    expect: ({ record, bundle }) => {
      for (const field of referencesOf(bundle)) {
        for (const item of itemsOf(record, field.name)) {
          const type = item['target_type'];
          const isRight = type === undefined || field.target === undefined || type === field.target.type;
          expectThat(isRight, `The target_type of ${field.name} is ${shown(type)}.`);
        }
      }
    },
  },
  {
    ...contractRule('reference-urls', 'contract: Element shapes; a real site'),
    rule: 'The url of a reference is the path of its target, and of a file the address of its content',
    expect: ({ record, bundle }, context) => {
      const prefix = new URL(context.baseUrl).pathname.replace(/\/$/, '');
      for (const { field, id, url, type } of targetsOf(record, bundle)) {
        if (type === 'file') {
          expectThat(
            belowBase(context, url) !== undefined || /^https?:/.test(url),
            `The url of ${field} is ${shown(url)}.`,
          );
          continue;
        }
        const paths = [`${prefix}${recordPath(context, type, id)}`, `${prefix}/${type}/${id}`];
        // A site with aliases shows them.
        const hasAliases = bundle.fields.has('path') || context.contract.site.modules.path;
        expectThat(paths.includes(url) || (hasAliases && url.startsWith('/')), `The url of ${field} is ${shown(url)}.`);
      }
    },
  },
  {
    ...contractRule('reference-targets', 'contract: Element shapes, Reference element'),
    rule: 'What a reference names has the uuid that the reference has',
    expect: async ({ record, bundle }, context) => {
      let read = 0;
      for (const { field, id, uuid, type } of targetsOf(record, bundle)) {
        if (read >= 12) return;
        const path = `${recordPath(context, type, id)}?_format=json`;
        const { status, json } = await context.ask({ path, as: readerOf(context) });
        if (status === 401 || status === 403) continue;
        read += 1;
        expectThat(status === 200, `${field} refers to ${path}, which is ${status}.`);
        const own = valueIn((json ?? {}) as JsonRecord, 'uuid'); // a record, or the comparison fails
        expectThat(own === uuid, `${field} has the uuid ${shown(uuid)}, and ${path} ${shown(own)}.`);
      }
    },
  },
  {
    ...referenceRule('reference-bundles', 'a real site'),
    rule: 'A reference to a term leads to a vocabulary that its field allows',
    types: ['node', 'media'],
    expect: async ({ record, bundle }, context) => {
      for (const { field, id, type } of targetsOf(record, bundle).slice(0, 12)) {
        const allowed = bundle.fields.get(field)?.target?.bundles;
        if (type !== 'taxonomy_term' || allowed === undefined) continue;
        const term = recordOf(await readOk(context, `/taxonomy/term/${id}?_format=json`));
        const vocabulary = String(valueIn(term, 'vid', 'target_id'));
        expectThat(allowed.includes(vocabulary), `${field} refers to a term of ${vocabulary}.`);
      }
    },
  },
];

const referencesOf = (bundle: Bundle): readonly FieldDefinition[] =>
  [...bundle.fields.values()].filter(({ target }) => target !== undefined);

type Target = {
  readonly field: string;
  readonly id: number;
  readonly uuid: string;
  readonly url: string;
  readonly type: EntityType;
};

const readable: ReadonlySet<unknown> = new Set(['node', 'media', 'file', 'taxonomy_term', 'user']);

/** The references of a record to other records that are there. The visitor's account is none. */
const targetsOf = (record: JsonRecord, bundle: Bundle): readonly Target[] =>
  referencesOf(bundle).flatMap(({ name }) =>
    itemsOf(record, name).flatMap(({ target_id: id, target_uuid: uuid, url, target_type: type }) =>
      typeof id === 'number' && id > 0 && typeof uuid === 'string' && typeof url === 'string' && readable.has(type)
        ? [{ field: name, id, uuid, url, type: type as EntityType }] // looked up before
        : [],
    ),
  );
