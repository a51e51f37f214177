/** Checks of what POST answers, and of what is there afterwards. */
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckSkip, expectStatus, expectThat, shown } from '../../answer.ts';
import {
  adviceRule,
  type AskedRequest,
  type Check,
  type CheckContext,
  contractRule,
  referenceRule,
} from '../../check.ts';
import { createBody, createdIn, inJson, mainKinds, readBack, remove, create, type RecordKind } from './record-kinds.ts';
import { createdLabel, looking, posted } from './posted.ts';
import { addressesOf } from '../links/read-links.ts';
import { canonical, differingFields, itemsOf, recordOf, shownOtherwise, valueIn } from '../../record-members.ts';
import { publishing } from '../../workflow-states.ts';
import { sources, writing } from './writing-check.ts';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/;

type Rule = Pick<Check, 'name' | 'rule' | 'source' | 'severity'> & {
  readonly run: (context: CheckContext, kind: RecordKind) => Promise<void>;
  /** Whether it is about records of this kind. */
  readonly isFor?: (kind: RecordKind) => boolean;
};

const isOwned = ({ bundle }: RecordKind): boolean => bundle.fields.has('uid') && bundle.fields.has('created');

/** A POST in another form makes a record as well. */
const form = (name: string, rule: string, other: (kind: RecordKind) => Partial<AskedRequest>): Rule => ({
  ...{ ...referenceRule(name, sources.recorded), rule },
  run: async (context, kind) => {
    const right = { method: 'POST', path: inJson(kind.collection), as: context.maker() };
    const json = await createBody(context, kind);
    await createdIn(context, kind, expectStatus(await context.ask({ ...right, json, ...other(kind) }), 201));
  },
});

const answers: readonly Rule[] = [
  {
    ...contractRule('media-type', sources.endpoints),
    rule: 'A POST that makes a record answers 201 with the record in JSON.',
    run: looking(({ answer }) => {
      expectThat(answer.mediaType === 'application/json', `The media type is ${shown(answer.mediaType)}.`);
    }),
  },
  {
    ...contractRule('location', sources.lifecycle),
    rule: 'The Location of a 201 is the absolute address of the new record.',
    run: looking(async (made, context) => {
      const wanted = context.baseUrl + made.path;
      const location = made.answer.header('location') ?? '';
      if (location === wanted) return;
      // A site may make an alias of the label.
      const addresses = addressesOf(context, made.path, await readBack(context, made));
      expectThat(addresses.includes(location), `The Location is ${shown(location)}, not ${wanted}.`);
    }),
  },
  {
    ...contractRule('location-followed', sources.lifecycle),
    rule: 'A GET of the Location of a 201 answers the new record.',
    run: looking(async ({ answer, id }, context, kind) => {
      const location = answer.header('location') ?? '';
      expectThat(location.startsWith(context.baseUrl), `The Location ${shown(location)} is not on this server.`);
      const path = inJson(location.slice(context.baseUrl.length));
      const record = recordOf(expectStatus(await context.ask({ path, as: context.maker() }), 200));
      expectThat(valueIn(record, kind.idField) === id, `It is another record: ${shown(record[kind.idField])}.`);
    }),
  },
  {
    ...contractRule('body', sources.endpoints),
    rule: 'The body of a 201 has the label and the bundle that were sent, and an id and a UUID from the service.',
    run: looking(({ record, id }, context, kind) => {
      const label = createdLabel(context);
      expectThat(valueIn(record, kind.labelField) === label, `The label is ${shown(record[kind.labelField])}.`);
      const bundle = valueIn(record, kind.bundleField, 'target_id');
      expectThat(bundle === kind.bundle.id, `The bundle is ${shown(bundle)}.`);
      expectThat(Number.isInteger(id) && id > 0, `The id is ${shown(id)}.`);
      const uuid = valueIn(record, 'uuid');
      expectThat(typeof uuid === 'string' && uuidPattern.test(uuid), `The UUID is ${shown(uuid)}.`);
    }),
  },
  {
    ...contractRule('read-back', sources.lifecycle),
    rule: 'After a POST a GET shows the record as the 201 did.',
    run: looking(async (made, context) => {
      const different = differingFields(made.record, await readBack(context, made)).filter(
        (name) => !shownOtherwise.has(name),
      );
      expectThat(different.length === 0, `A GET shows otherwise: ${different.join(', ')}.`);
    }),
  },
  {
    ...referenceRule('no-links', sources.recorded),
    rule: 'Only GET and HEAD have Link headers, so a 201 has none.',
    run: looking(({ answer }) => {
      expectThat(answer.links.length === 0, `It has ${answer.links.length} links.`);
    }),
  },
  form('without-format', 'A POST without _format works as with json, the only format.', ({ collection }) => ({
    path: collection,
  })),
  form('charset', 'A Content-Type with a charset is that of JSON.', () => ({
    headers: [['Content-Type', 'application/json; charset=utf-8']],
  })),
];

const values: readonly Rule[] = [
  {
    ...contractRule('ids', sources.fields),
    rule: 'The service gives each record an id and a UUID of its own, also when the same body is sent twice.',
    run: async (context, kind) => {
      const first = await posted(context, kind);
      const second = await create(context, kind, { [kind.labelField]: [{ value: createdLabel(context) }] });
      expectThat(first.id !== second.id, `Both have the id ${first.id}.`);
      const uuids = [first, second].map(({ record }) => valueIn(record, 'uuid'));
      expectThat(uuids[0] !== uuids[1], `Both have the UUID ${shown(uuids[0])}.`);
    },
  },
  {
    ...contractRule('parallel-ids', sources.fields),
    rule: 'Records that are made at the same time have ids of their own.',
    run: async (context, kind) => {
      const made = await Promise.all(Array.from({ length: 5 }, () => create(context, kind)));
      const ids = new Set(made.map(({ id }) => id));
      expectThat(ids.size === made.length, `${made.length} records have ${ids.size} ids.`);
    },
  },
  {
    ...contractRule('id-not-used-again', sources.lifecycle),
    rule: 'The id of a deleted record is that of no new one: a GET of a deleted record is 404.',
    run: async (context, kind) => {
      const first = await create(context, kind);
      expectStatus(await remove(context, first), 204);
      const second = await create(context, kind);
      expectThat(second.id !== first.id, `The id ${first.id} was given twice.`);
    },
  },
  {
    ...referenceRule('own-uuid', sources.recorded),
    rule: 'A UUID that a POST gives is kept.',
    run: async (context, kind) => {
      const uuid = crypto.randomUUID();
      const { record } = await create(context, kind, { uuid: [{ value: uuid }] });
      expectThat(valueIn(record, 'uuid') === uuid, `The UUID is ${shown(valueIn(record, 'uuid'))}, not ${uuid}.`);
    },
  },
  {
    ...adviceRule('taken-uuid', 'document: 409'),
    rule: 'A POST with a UUID that is taken is refused with 409.',
    run: looking(async ({ record }, context, kind) => {
      const json = await createBody(context, kind, { uuid: record['uuid'] });
      const answer = await context.ask({ method: 'POST', path: inJson(kind.collection), as: context.maker(), json });
      if (answer.status === 201) await createdIn(context, kind, answer);
      expectStatus(answer, 409);
    }),
  },
  {
    ...referenceRule('parent', sources.recorded),
    rule: 'A term that is made below another one shows that as its parent.',
    isFor: ({ type }) => type === 'taxonomy_term',
    run: async (context, kind) => {
      const above = await posted(context, kind);
      const below = await create(context, kind, { parent: [{ target_id: above.id }] });
      const parent = valueIn(await readBack(context, below), 'parent', 'target_id');
      expectThat(parent === above.id, `Its parent is ${shown(parent)}, not ${above.id}.`);
    },
  },
  {
    ...referenceRule('owner', sources.recorded),
    rule: 'Who makes a record owns it.',
    isFor: isOwned,
    run: looking(({ record }, { subjects }) => {
      const owner = valueIn(record, 'uid', 'target_id');
      const wanted = valueIn(subjects.node.record, 'uid', 'target_id');
      expectThat(owner === wanted && typeof owner === 'number' && owner > 0, `The owner is ${shown(owner)}.`);
    }),
  },
  {
    ...contractRule('times', sources.fields),
    rule: 'A new record has equal times of creation and change, in ISO 8601 with an offset and the pattern next to it.',
    isFor: isOwned,
    run: looking(({ record }) => {
      for (const field of ['created', 'changed']) {
        const [item = {}] = itemsOf(record, field);
        const { value, format } = item;
        expectThat(typeof value === 'string' && timePattern.test(value), `"${field}" is ${shown(value)}.`);
        expectThat(format === 'Y-m-d\\TH:i:sP', `The format of "${field}" is ${shown(format)}.`);
      }
      const [created, changed] = ['created', 'changed'].map((field) => valueIn(record, field));
      expectThat(created === changed, `It was created at ${shown(created)} and changed at ${shown(changed)}.`);
    }),
  },
  {
    ...referenceRule('defaults', sources.recorded),
    rule: "A field that a POST leaves out has the default of the site's model, or is an empty list.",
    run: looking(async ({ record }, context, kind) => {
      const body = await createBody(context, kind);
      const skipped = new Set([...Object.keys(body), kind.bundle.source?.field]);
      const fields = [...kind.bundle.fields.values()].filter(
        ({ name, configured }) => configured && !skipped.has(name),
      );
      const isFilled = kind.type === 'media';
      for (const { name, default: usual = [], type } of fields) {
        if (isFilled || type === 'comment' || record[name] === undefined) continue;
        const [wanted, found] = [usual.map(({ value }) => value), itemsOf(record, name).map(({ value }) => value)];
        expectThat(canonical(wanted) === canonical(found), `"${name}" is ${shown(record[name])}, not ${shown(usual)}.`);
      }
    }),
  },
  {
    ...referenceRule('published', sources.recorded),
    rule: 'A new record is published, in the language of the site.',
    run: looking(({ record }, context) => {
      expectThat(valueIn(record, 'status') === true, `"status" is ${shown(record['status'])}.`);
      const langcode = valueIn(record, 'langcode');
      const { langcode: wanted } = context.contract.site;
      expectThat(langcode === wanted, `"langcode" is ${shown(langcode)}, not ${shown(wanted)}.`);
    }),
  },
  {
    ...referenceRule('longest-label', sources.validation),
    rule: 'A label may have 255 characters, also such of several bytes.',
    run: async (context, kind) => {
      const { label } = context.workspace;
      const longest = `${label} ${'é'.repeat(255)}`.slice(0, 255);
      const { record } = await create(context, kind, { [kind.labelField]: [{ value: longest }] });
      expectThat(valueIn(record, kind.labelField) === longest, 'The label is not the one that was sent.');
    },
  },
  {
    ...contractRule('any-characters', sources.fields),
    rule: 'A label comes back with the characters that were sent: quotes, markup, any script.',
    run: async (context, kind) => {
      const value = `${context.workspace.label} "a" <b> & 'c' \\ / é ж 日本 𝄞`;
      const made = await create(context, kind, { [kind.labelField]: [{ value }] });
      const read = valueIn(await readBack(context, made), kind.labelField);
      expectThat(read === value, `The label is ${shown(read)}, not ${shown(value)}.`);
    },
  },
  {
    ...referenceRule('unpublished', sources.recorded),
    rule: 'Who may administer content can make a record that is not published.',
    run: async (context, kind) => {
      if (kind.type === 'node' && !context.may(context.maker(), 'administer nodes')) {
        throw new CheckSkip('The maker may not administer nodes.');
      }
      const { record } = await create(context, kind, publishing(kind.bundle, false, 'new'));
      expectThat(valueIn(record, 'status') === false, `"status" is ${shown(record['status'])}.`);
    },
  },
];

export const createChecks = (contract: TargetContract): readonly Check[] =>
  mainKinds(contract).flatMap((kind) =>
    [...answers, ...values]
      .filter(({ isFor = () => true }) => isFor(kind))
      .map(({ name, rule, source, severity, run }) =>
        writing({
          ...{ rule: `${kind.word}: ${rule}`, source, severity },
          name: `create.${kind.word}.${name}`,
          operations: [kind.operations.create],
          run: (context) => run(context, kind),
        }),
      ),
  );
