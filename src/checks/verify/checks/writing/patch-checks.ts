/** Checks of what PATCH changes, what it leaves alone, and what may not be changed. */
import type { TargetContract } from '../../../target/contract-source.ts';
import { type Answer, CheckSkip, expectRefusal, expectSame, expectStatus, expectThat, shown } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import {
  mainKinds,
  makeWritten,
  patch,
  patchBody,
  readBack,
  type RecordKind,
  type Written,
  writesOf,
} from './record-kinds.ts';
import { differingFields, recordOf, shownOtherwise, valueIn, valuesIn, type JsonRecord } from '../../record-members.ts';
import { changesNothing, patchRefused, sharedGuard } from './guarded.ts';
import { contractRule, referenceRule, checksOf, checksThatWrite, sources, type Rule, type Topic } from '../../rule.ts';

/** What a change of any field may change besides it: its time, and the revision that it may make. */
const isBeside = (name: string): boolean =>
  ['changed', 'vid', 'revision_id'].includes(name) || name.startsWith('revision_') || shownOtherwise.has(name);

const expectOnly = (before: JsonRecord, after: JsonRecord, fields: readonly string[] = []): void => {
  const others = differingFields(before, after).filter((name) => !isBeside(name) && !fields.includes(name));
  expectSame(others, [], 'What has changed besides');
};

const labelled = (context: CheckContext, kind: RecordKind, words: string): JsonRecord => ({
  [kind.labelField]: [{ value: `${context.workspace.label} ${words}` }],
});

/** A text field that may hold several values. */
const listField = ({ bundle }: RecordKind): string =>
  [...bundle.fields.values()].find(
    ({ type, cardinality, configured, access = 'public' }) =>
      type === 'string' && cardinality > 2 && configured && access === 'public',
  )?.name ?? '';

/** One record for all: each rule reads it before, or looks only at what it sets itself. */
const patched = (context: CheckContext, kind: RecordKind): Promise<Written> =>
  context.once(`patched ${kind.word}`, (own) => makeWritten(own, kind));

/** A PATCH of the label, with the record before and after it. */
const relabelled = (context: CheckContext, kind: RecordKind) =>
  context.once(`relabelled ${kind.word}`, async (own) => {
    const made = await patched(own, kind);
    const before = await readBack(own, made);
    const fields = labelled(own, kind, 'patched');
    const answer = expectStatus(await patch(own, kind, made, fields), 200);
    const label = valueIn(fields, kind.labelField);
    return { id: made.id, before, label, answer, after: await readBack(own, made), kind };
  });

type Relabelled = Awaited<ReturnType<typeof relabelled>>;

/** The record that the rules share, and how to change and read it. */
const changing = async (context: CheckContext, kind: RecordKind) => {
  const made = await patched(context, kind);
  const send = async (fields: JsonRecord): Promise<Answer> =>
    expectStatus(await patch(context, kind, made, fields), 200);
  return { kind, made, send, read: () => readBack(context, made) };
};

type Changing = Awaited<ReturnType<typeof changing>>;

const textsIn = (values: readonly string[]) => values.map((value) => ({ value }));

const labels: readonly Rule<Relabelled>[] = [
  contractRule('answer', sources.lifecycle)(
    'PATCH answers 200 with the updated record in JSON.',
    ({ answer, id, label, kind }) => {
      expectSame(answer.mediaType, 'application/json', 'The media type');
      expectSame(valueIn(recordOf(answer), kind.idField), id, 'The id');
      expectSame(valueIn(recordOf(answer), kind.labelField), label, 'The label');
    },
  ),
  contractRule('read-back', sources.lifecycle)(
    'After a PATCH a GET shows what the answer showed.',
    ({ answer, after }) => expectOnly(recordOf(answer), after),
  ),
  contractRule('only-what-is-sent', sources.endpoints)(
    'PATCH changes the fields that are sent, and keeps all others.',
    ({ before, after, kind }) => {
      expectThat(differingFields(before, after).includes(kind.labelField), 'It has not changed the label.');
      expectOnly(before, after, [kind.labelField]);
    },
  ),
  contractRule('keeps-identity', sources.fields)(
    'PATCH keeps id, UUID, owner, bundle and the time of creation.',
    ({ before, answer, kind }) => {
      const after = recordOf(answer);
      for (const name of [kind.idField, 'uuid', 'uid', 'created', kind.bundleField])
        expectSame(after[name], before[name], `"${name}"`);
    },
  ),
  referenceRule('no-revision', sources.recorded)(
    'PATCH makes no revision where the bundle does not ask for one.',
    ({ before, after, kind: { type, bundle } }) => {
      if (bundle.newRevision === true) throw new CheckSkip(`${bundle.id} makes a revision of each change.`);
      const field = type === 'taxonomy_term' ? 'revision_id' : 'vid';
      expectSame(after[field], before[field], `"${field}"`);
    },
  ),
  referenceRule('no-links', sources.recorded)(
    'Only GET and HEAD have Link headers, so the answer of a PATCH has none.',
    ({ answer }) => expectSame(answer.links.length, 0, 'The number of links'),
  ),
];

const changes: readonly Rule<Changing>[] = [
  referenceRule('without-format', sources.recorded)(
    'A PATCH without _format works as with json, the only format. That of a term goes to its page, which refuses it.',
    async ({ kind, made: { path } }, context) => {
      const json = patchBody(kind, labelled(context, kind, 'no format'));
      const answer = await context.ask({ method: 'PATCH', path, as: context.maker(), json });
      expectStatus(answer, kind.type === 'taxonomy_term' ? 403 : 200);
    },
  ),
  referenceRule('nothing', sources.recorded)(
    'A PATCH with the bundle alone answers 200 and changes nothing, not even the time of change.',
    async ({ send, read }) => {
      const before = await read();
      await send({});
      expectSame(differingFields(before, await read()), [], 'What has changed');
    },
  ),
  referenceRule('whole-record', sources.recorded)(
    'A PATCH with the whole record, as a GET shows it, answers 200 and changes nothing.',
    async ({ send, read }) => {
      const before = await read();
      await send(before);
      expectOnly(before, await read());
    },
  ),
  contractRule('repeated', 'RFC 5789 §2')(
    'The same PATCH twice leaves the record as once.',
    async ({ send, kind, read }, context) => {
      const fields = labelled(context, kind, 'twice');
      await send(fields);
      const once = await read();
      await send(fields);
      expectOnly(once, await read());
    },
  ),
  contractRule('changed', sources.lifecycle)(
    'The time of change is updated by a PATCH that changes something.',
    async ({ send, kind, read }, context) => {
      const before = valueIn(await read(), 'changed');
      await secondsPass(1);
      await send(labelled(context, kind, 'changed later'));
      const after = valueIn(await read(), 'changed');
      if (before === after) await skipWhereTimeStands(context, before);
      const isLater = typeof before === 'string' && typeof after === 'string' && Date.parse(after) > Date.parse(before);
      expectThat(isLater, `"changed" was ${shown(before)} and is ${shown(after)}.`);
    },
  ),
];

/** Of kinds that have such a field. */
const listChanges: readonly Rule<Changing>[] = [
  referenceRule('list-is-replaced', sources.recorded)(
    'A field that is sent is replaced as a whole: the list then has the items that were sent, in their order.',
    async ({ send, kind, read }) => {
      const name = listField(kind);
      for (const values of [['c', 'a', 'b'], ['d']]) {
        await send({ [name]: textsIn(values) });
        expectSame(valuesIn(await read(), name), values, `"${name}"`);
      }
    },
  ),
  contractRule('list-is-kept', sources.endpoints)(
    'A list that a PATCH does not send is kept with all its items.',
    async ({ send, kind, read }, context) => {
      const name = listField(kind);
      await send({ [name]: textsIn(['a', 'b']) });
      await send(labelled(context, kind, 'keeps its list'));
      expectSame(valuesIn(await read(), name), ['a', 'b'], `"${name}"`);
    },
  ),
  contractRule('visible', sources.lifecycle)(
    'Two PATCHes of different fields at the same time both count.',
    async ({ send, kind, read }, context) => {
      const fields = { ...labelled(context, kind, 'at once'), [listField(kind)]: textsIn(['at once']) };
      await Promise.all(Object.entries(fields).map(([name, items]) => send({ [name]: items })));
      const after = await read();
      for (const name of Object.keys(fields)) expectSame(valueIn(after, name), valueIn(fields, name), `"${name}"`);
    },
  ),
];

const secondsPass = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1000 + 100));

/** A test server may have a clock that does not move. */
const skipWhereTimeStands = async (context: CheckContext, since: unknown): Promise<void> => {
  const { record } = await context.workspace.node();
  if (valueIn(record, 'created') === since) throw new CheckSkip('The clock of the target does not move.');
};

/** What nobody may change, and what the refusal says besides its name. */
type Protection = readonly [field: string, value: string | number, reason: string];

const early = '2001-02-03T04:05:06+00:00';
const otherUuid = '5b0f4ac5-7d0f-4b39-8e7c-6f2f2b2f4a55';

const protectedFields = ({ idField, type }: RecordKind): readonly Protection[] => [
  [idField, 1_999_999_873, ' The entity ID cannot be changed.'],
  ['uuid', otherUuid, ' The entity UUID cannot be changed.'],
  ['changed', early, ''],
  ...(type === 'node' ? [['revision_timestamp', early, ''] as const] : []),
];

const protections = (kind: RecordKind): readonly Rule[] =>
  protectedFields(kind).map(([field, value, reason]) =>
    referenceRule(`protected.${field}`, 'a real site')(
      `Nobody may change "${field}": 403 with a message that names it.`,
      async (context) => {
        const message = expectRefusal(await patchRefused(context, kind, { [field]: [{ value }] }), 403);
        expectSame(message, `Access denied on updating field '${field}'.${reason}`, 'The message');
      },
    ),
  );

export const patchChecks = (contract: TargetContract): readonly Check[] =>
  mainKinds(contract).flatMap((kind) => {
    const topic = <Seen>(see: Topic<Seen>['see']) => writesOf('patch', kind, [kind.operations.update], see);
    return [
      ...checksOf(
        topic((context) => relabelled(context, kind)),
        labels,
      ),
      ...checksOf(
        topic((context) => changing(context, kind)),
        listField(kind) === '' ? changes : [...changes, ...listChanges],
      ),
      ...checksOf(
        topic((context) => context),
        protections(kind),
      ),
      ...checksThatWrite([changesNothing(`patch.${kind.word}.protected.changes-nothing`, sharedGuard(kind))]),
    ];
  });
