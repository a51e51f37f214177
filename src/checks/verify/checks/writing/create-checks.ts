/** Checks of what POST answers, and of what is there afterwards. */
import type { TargetContract } from '../../../target/contract-source.ts';
import { type Answer, CheckSkip, expectSame, expectStatus, expectThat, shown } from '../../answer.ts';
import type { AskedRequest, Check, CheckContext } from '../../check.ts';
import {
  asMaker,
  create,
  createBody,
  createdIn,
  inJson,
  mainKinds,
  readBack,
  remove,
  type RecordKind,
  type Written,
  writesOf,
} from './record-kinds.ts';
import { addressesOf } from '../links/read-links.ts';
import { differingFields, itemsOf, shownOtherwise, valueIn } from '../../record-members.ts';
import { publishing } from '../../workflow-states.ts';
import { contractRule, referenceRule, adviceRule, checksOf, sources, type Rule } from '../../rule.ts';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/;

/** One record of each kind by a POST, for all the rules that only look at it and at the answer. */
type Posted = Written & { readonly answer: Answer; readonly kind: RecordKind };

const createdLabel = ({ workspace }: CheckContext): string => `${workspace.label} created`;

const posted = (context: CheckContext, kind: RecordKind): Promise<Posted> =>
  context.once(`posted ${kind.word}`, async (own) => {
    const json = await createBody(own, kind, { [kind.labelField]: [{ value: createdLabel(own) }] });
    const answer = await asMaker(own, 'POST', kind.collection, { json });
    return { ...createdIn(kind, answer), answer, kind };
  });

/** A POST in another form makes a record as well. */
const form = (name: string, rule: string, other: (kind: RecordKind) => Partial<AskedRequest>): Rule<Posted> =>
  referenceRule(name, sources.recorded)(rule, async ({ kind }, context) => {
    const right = { method: 'POST', path: inJson(kind.collection), as: context.maker() };
    const json = await createBody(context, kind);
    createdIn(kind, expectStatus(await context.ask({ ...right, json, ...other(kind) }), 201));
  });

const answers: readonly Rule<Posted>[] = [
  contractRule('media-type', sources.endpoints)(
    'A POST that makes a record answers 201 with the record in JSON.',
    ({ answer }) => expectSame(answer.mediaType, 'application/json', 'The media type'),
  ),
  contractRule('location', sources.lifecycle)(
    'The Location of a 201 is the absolute address of the new record.',
    async (made, context) => {
      const wanted = context.baseUrl + made.path;
      const location = made.answer.header('location') ?? '';
      if (location === wanted) return;
      // A site may make an alias of the label.
      const addresses = addressesOf(context, made.path, await readBack(context, made));
      expectThat(addresses.includes(location), `The Location is ${shown(location)}, not ${wanted}.`);
    },
  ),
  contractRule('location-followed', sources.lifecycle)(
    'A GET of the Location of a 201 answers the new record.',
    async ({ answer, id, kind }, context) => {
      const location = answer.header('location') ?? '';
      expectThat(location.startsWith(context.baseUrl), `The Location ${shown(location)} is not on this server.`);
      const record = await readBack(context, { path: location.slice(context.baseUrl.length) });
      expectSame(valueIn(record, kind.idField), id, 'The id of the record');
    },
  ),
  contractRule('body', sources.endpoints)(
    'The body of a 201 has the label and the bundle that were sent, and an id and a UUID from the service.',
    ({ record, id, kind }, context) => {
      expectSame(valueIn(record, kind.labelField), createdLabel(context), 'The label');
      expectSame(valueIn(record, kind.bundleField, 'target_id'), kind.bundle.id, 'The bundle');
      expectThat(Number.isInteger(id) && id > 0, `The id is ${shown(id)}.`);
      expectThat(uuidPattern.test(String(valueIn(record, 'uuid'))), `The UUID is ${shown(record['uuid'])}.`);
    },
  ),
  contractRule('read-back', sources.lifecycle)(
    'After a POST a GET shows the record as the 201 did.',
    async (made, context) => {
      const different = differingFields(made.record, await readBack(context, made));
      expectSame(
        different.filter((name) => !shownOtherwise.has(name)),
        [],
        'What a GET shows otherwise',
      );
    },
  ),
  referenceRule('no-links', sources.recorded)('Only GET and HEAD have Link headers, so a 201 has none.', ({ answer }) =>
    expectSame(answer.links.length, 0, 'The number of links'),
  ),
  form('without-format', 'A POST without _format works as with json, the only format.', ({ collection }) => ({
    path: collection,
  })),
  form('charset', 'A Content-Type with a charset is that of JSON.', () => ({
    headers: [['Content-Type', 'application/json; charset=utf-8']],
  })),
];

/** A record with this label has it. */
const labelled = async (context: CheckContext, kind: RecordKind, value: string): Promise<void> => {
  const made = await create(context, kind, { [kind.labelField]: [{ value }] });
  expectSame(valueIn(await readBack(context, made), kind.labelField), value, 'The label');
};

const values: readonly Rule<Posted>[] = [
  contractRule('ids', sources.fields)(
    'The service gives each record an id and a UUID of its own, also when the same body is sent twice.',
    async (first, context) => {
      const { kind } = first;
      const second = await create(context, kind, { [kind.labelField]: [{ value: createdLabel(context) }] });
      expectThat(first.id !== second.id, `Both have the id ${first.id}.`);
      const uuids = [first, second].map(({ record }) => valueIn(record, 'uuid'));
      expectThat(uuids[0] !== uuids[1], `Both have the UUID ${shown(uuids[0])}.`);
    },
  ),
  contractRule('parallel-ids', sources.fields)(
    'Records that are made at the same time have ids of their own.',
    async ({ kind }, context) => {
      const made = await Promise.all([1, 2, 3, 4, 5].map(() => create(context, kind)));
      expectSame(new Set(made.map(({ id }) => id)).size, made.length, 'The number of ids');
    },
  ),
  contractRule('id-not-used-again', sources.lifecycle)(
    'The id of a deleted record is that of no new one: a GET of a deleted record is 404.',
    async ({ kind }, context) => {
      const first = await create(context, kind);
      expectStatus(await remove(context, first), 204);
      expectThat((await create(context, kind)).id !== first.id, `The id ${first.id} was given twice.`);
    },
  ),
  referenceRule('own-uuid', sources.recorded)('A UUID that a POST gives is kept.', async ({ kind }, context) => {
    const uuid = crypto.randomUUID();
    expectSame(valueIn((await create(context, kind, { uuid: [{ value: uuid }] })).record, 'uuid'), uuid);
  }),
  adviceRule('taken-uuid', 'document: 409')(
    'A POST with a UUID that is taken is refused with 409.',
    async ({ record, kind }, context) => {
      const json = await createBody(context, kind, { uuid: record['uuid'] });
      expectStatus(await asMaker(context, 'POST', kind.collection, { json }), 409);
    },
  ),
  referenceRule('parent', sources.recorded)(
    'A term that is made below another one shows that as its parent.',
    async ({ id, kind }, context) => {
      const below = await create(context, kind, { parent: [{ target_id: id }] });
      expectSame(valueIn(await readBack(context, below), 'parent', 'target_id'), id);
    },
    { types: ['taxonomy_term'] },
  ),
  referenceRule('owner', sources.recorded)(
    'Who makes a record owns it.',
    ({ record }, { subjects }) => {
      const wanted = valueIn(subjects.node.record, 'uid', 'target_id');
      expectSame(valueIn(record, 'uid', 'target_id'), wanted);
      expectThat(typeof wanted === 'number' && wanted > 0, `The owner is ${shown(wanted)}.`);
    },
    { types: ['node', 'media'] },
  ),
  contractRule('times', sources.fields)(
    'A new record has equal times of creation and change, in ISO 8601 with an offset and the pattern next to it.',
    ({ record }) => {
      for (const field of ['created', 'changed']) {
        const value = valueIn(record, field);
        expectThat(typeof value === 'string' && timePattern.test(value), `"${field}" is ${shown(value)}.`);
        expectSame(valueIn(record, field, 'format'), 'Y-m-d\\TH:i:sP', `The format of "${field}"`);
      }
      expectSame(valueIn(record, 'changed'), valueIn(record, 'created'), '"changed"');
    },
    { types: ['node', 'media'] },
  ),
  referenceRule('defaults', sources.recorded)(
    "A field that a POST leaves out has the default of the site's model, or is an empty list.",
    async ({ record, kind }, context) => {
      const sent = await createBody(context, kind);
      // Its file fills the fields of a media.
      if (kind.type === 'media') return;
      for (const { name, default: usual = [], type, configured } of kind.bundle.fields.values()) {
        if (!configured || name in sent || type === 'comment' || record[name] === undefined) continue;
        const [found, wanted] = [itemsOf(record, name), usual].map((items) => items.map(({ value }) => value));
        expectSame(found, wanted, `"${name}"`);
      }
    },
  ),
  referenceRule('published', sources.recorded)(
    'A new record is published, in the language of the site.',
    ({ record }, { contract }) => {
      expectSame(valueIn(record, 'status'), true, '"status"');
      expectSame(valueIn(record, 'langcode'), contract.site.langcode, '"langcode"');
    },
  ),
  referenceRule('longest-label', sources.validation)(
    'A label may have 255 characters, also such of several bytes.',
    ({ kind }, context) => labelled(context, kind, `${context.workspace.label} ${'é'.repeat(255)}`.slice(0, 255)),
  ),
  contractRule('any-characters', sources.fields)(
    'A label comes back with the characters that were sent: quotes, markup, any script.',
    ({ kind }, context) => labelled(context, kind, `${context.workspace.label} "a" <b> & 'c' \\ / é ж 日本 𝄞`),
  ),
  referenceRule('unpublished', sources.recorded)(
    'Who may administer content can make a record that is not published.',
    async ({ kind }, context) => {
      if (kind.type === 'node' && !context.may(context.maker(), 'administer nodes')) {
        throw new CheckSkip('The maker may not administer nodes.');
      }
      const { record } = await create(context, kind, publishing(kind.bundle, false, 'new'));
      expectSame(valueIn(record, 'status'), false, '"status"');
    },
  ),
];

export const createChecks = (contract: TargetContract): readonly Check[] =>
  mainKinds(contract).flatMap((kind) =>
    checksOf(
      writesOf('create', kind, [kind.operations.create], (context) => posted(context, kind)),
      [...answers, ...values],
    ),
  );
