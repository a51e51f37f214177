/** Checks of moments: writes at the same time, the times that records tell, and ids of what is gone. Two answers side by side do not show them. */
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckSkip, expectSame, expectStatus, expectThat, shown } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { valueIn, type JsonRecord } from '../../record-members.ts';
import { adviceRule, contractRule, checksOf, checksThatWrite, sources, type Rule } from '../../rule.ts';
import { sampleBytes } from '../../sample-file.ts';
import { makeUpload, put, readContent, replace } from '../uploads/uploading.ts';
import { create, mainKinds, makeWritten, patch, readBack, remove, writesOf, type RecordKind } from './record-kinds.ts';

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/;

const labelled = ({ workspace }: CheckContext, kind: RecordKind, words: string): JsonRecord => ({
  [kind.labelField]: [{ value: `${workspace.label} ${words}` }],
});

const secondsPass = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1000 + 100));

/** A test server may have a clock that does not move. */
const skipWhereTimeStands = async (context: CheckContext, since: unknown): Promise<void> => {
  const { record } = await context.workspace.node();
  if (valueIn(record, 'created') === since) throw new CheckSkip('The clock of the target does not move.');
};

const rules: readonly Rule<RecordKind>[] = [
  contractRule('parallel-ids', sources.fields)(
    'Records that are made at the same time have ids and UUIDs of their own.',
    async (kind, context) => {
      const made = await Promise.all([1, 2, 3, 4, 5].map(() => create(context, kind)));
      expectSame(new Set(made.map(({ id }) => id)).size, made.length, 'The number of ids');
      expectSame(new Set(made.map(({ record }) => valueIn(record, 'uuid'))).size, made.length, 'The number of UUIDs');
    },
  ),
  contractRule('id-not-used-again', sources.lifecycle)(
    'The id of a deleted record is that of no new one: a GET of a deleted record is 404.',
    async (kind, context) => {
      const first = await create(context, kind);
      expectStatus(await remove(context, first), 204);
      expectThat((await create(context, kind)).id !== first.id, `The id ${first.id} was given twice.`);
    },
  ),
  contractRule('times', sources.fields)(
    'A new record has equal times of creation and change, in ISO 8601 with an offset and the pattern next to it.',
    async (kind, context) => {
      const { record } = await create(context, kind);
      for (const field of ['created', 'changed']) {
        const value = valueIn(record, field);
        expectThat(typeof value === 'string' && timePattern.test(value), `"${field}" is ${shown(value)}.`);
        expectSame(valueIn(record, field, 'format'), 'Y-m-d\\TH:i:sP', `The format of "${field}"`);
      }
      expectSame(valueIn(record, 'changed'), valueIn(record, 'created'), '"changed"');
    },
    { types: ['node', 'media'] },
  ),
  contractRule('changed', sources.lifecycle)(
    'The time of change is updated by a PATCH that changes something.',
    async (kind, context) => {
      const made = await makeWritten(context, kind);
      const before = valueIn(await readBack(context, made), 'changed');
      await secondsPass(1);
      expectStatus(await patch(context, kind, made, labelled(context, kind, 'changed later')), 200);
      const after = valueIn(await readBack(context, made), 'changed');
      if (before === after) await skipWhereTimeStands(context, before);
      const isLater = typeof before === 'string' && typeof after === 'string' && Date.parse(after) > Date.parse(before);
      expectThat(isLater, `"changed" was ${shown(before)} and is ${shown(after)}.`);
    },
  ),
  contractRule('at-once', sources.lifecycle)(
    'Two PATCHes of different fields at the same time both count.',
    async (kind, context) => {
      const list = [...kind.bundle.fields.values()].find(
        ({ type, configured, access = 'public' }) => type === 'string' && configured && access === 'public',
      );
      if (list === undefined) throw new CheckSkip(`A ${kind.word} has no field of texts besides its label.`);
      const made = await makeWritten(context, kind);
      const fields: JsonRecord = { ...labelled(context, kind, 'at once'), [list.name]: [{ value: 'at once' }] };
      await Promise.all(Object.entries(fields).map(([name, items]) => patch(context, kind, made, { [name]: items })));
      const after = await readBack(context, made);
      for (const name of Object.keys(fields)) expectSame(valueIn(after, name), valueIn(fields, name), `"${name}"`);
    },
  ),
];

const ofUploads: readonly Rule[] = [
  adviceRule('at-once', sources.upload)(
    'Uploads to the same node and use at the same time make one media.',
    async (context) => {
      const { id: node } = await context.workspace.node();
      const answers = await Promise.all([1, 2, 3].map(() => put(context, { node })));
      const found = answers.map(({ status }) => status);
      const made = found.filter((status) => status === 201);
      expectThat(made.length === 1, `${made.length} media were made: ${found.join(', ')}.`);
    },
  ),
  adviceRule('etag', 'RFC 9110 §8.8.3')(
    'An ETag of the content is another one after the bytes were replaced.',
    async (context) => {
      const upload = await makeUpload(context, { isOfAnyNode: true });
      const before = (await readContent(context, upload.content)).header('etag');
      if (before === undefined) throw new CheckSkip('The content has no ETag.');
      expectStatus(await replace(context, upload, { body: sampleBytes(upload.bundle, 77) }), 204, 200);
      expectThat((await readContent(context, upload.content)).header('etag') !== before, `Both are ${before}.`);
    },
  ),
];

export const momentChecks = (contract: TargetContract): readonly Check[] => [
  ...ofRecords(contract),
  ...checksThatWrite(ofUploads, { topic: 'moment.upload', operations: ['putNodeMedia'] }),
];

const ofRecords = (contract: TargetContract): readonly Check[] =>
  mainKinds(contract).flatMap((kind) => {
    const { create: make, update, remove: end } = kind.operations;
    return checksOf(
      writesOf('moment', kind, [make, update, end], () => kind),
      rules,
    );
  });
