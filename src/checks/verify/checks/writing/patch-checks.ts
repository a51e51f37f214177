/** Checks of what PATCH changes, what it leaves alone, and what may not be changed. */
import type { FieldDefinition } from '../../../../core/model/bundle.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { type Answer, CheckSkip, expectStatus, expectThat, shown } from '../../answer.ts';
import { type Check, type CheckContext, contractRule, referenceRule } from '../../check.ts';
import { inJson, mainKinds, makeWritten, patch, readBack, type RecordKind, type Written } from './record-kinds.ts';
import {
  canonical,
  differingFields,
  recordOf,
  shownOtherwise,
  valueIn,
  valuesIn,
  type JsonRecord,
} from '../../record-members.ts';
import { protectedFieldChecks } from './protected-fields.ts';
import { sources, writing } from './writing-check.ts';

type Rule = Pick<Check, 'name' | 'rule' | 'source' | 'severity'> & {
  readonly run: (context: CheckContext, kind: RecordKind) => Promise<void>;
};

/** What a change of any field may change besides it: its time, and the revision that it may make. */
const isBeside = (name: string): boolean =>
  ['changed', 'vid', 'revision_id'].includes(name) || name.startsWith('revision_') || shownOtherwise.has(name);

const expectOnly = (before: JsonRecord, after: JsonRecord, fields: readonly string[]): void => {
  const others = differingFields(before, after).filter((name) => !isBeside(name) && !fields.includes(name));
  expectThat(others.length === 0, `It has also changed ${others.join(', ')}.`);
};

const labelled = (context: CheckContext, kind: RecordKind, words: string): JsonRecord => ({
  [kind.labelField]: [{ value: `${context.workspace.label} ${words}` }],
});

/** A text field that may hold several values. */
const listField = ({ bundle }: RecordKind): FieldDefinition | undefined =>
  [...bundle.fields.values()].find(
    ({ type, cardinality, configured, access = 'public' }) =>
      type === 'string' && cardinality > 2 && configured && access === 'public',
  );

const requireListField = (kind: RecordKind): string => {
  const field = listField(kind);
  if (field !== undefined) return field.name;
  throw new CheckSkip(`${kind.bundle.id} has no text field with several values.`);
};

/** One record for all: each rule reads it before, or looks only at what it sets itself. */
const patched = (context: CheckContext, kind: RecordKind): Promise<Written> =>
  context.once(`patched ${kind.word}`, (own) => makeWritten(own, kind));

type Relabelled = {
  readonly id: number;
  readonly before: JsonRecord;
  readonly label: unknown;
  readonly answer: Answer;
  readonly after: JsonRecord;
};

/** A PATCH of the label, with the record before and after it. */
const relabelled = (context: CheckContext, kind: RecordKind): Promise<Relabelled> =>
  context.once(`relabelled ${kind.word}`, async (own) => {
    const made = await patched(own, kind);
    const before = await readBack(own, made);
    const fields = labelled(own, kind, 'patched');
    const answer = expectStatus(await patch(own, kind, made, fields), 200);
    const label = valueIn(fields, kind.labelField);
    return { id: made.id, before, label, answer, after: await readBack(own, made) };
  });

const effects: readonly Rule[] = [
  {
    ...contractRule('answer', sources.lifecycle),
    rule: 'PATCH answers 200 with the updated record in JSON.',
    run: async (context, kind) => {
      const { answer, id, label } = await relabelled(context, kind);
      expectThat(answer.mediaType === 'application/json', `The media type is ${shown(answer.mediaType)}.`);
      const record = recordOf(answer);
      expectThat(valueIn(record, kind.idField) === id, `The id is ${shown(record[kind.idField])}.`);
      const found = valueIn(record, kind.labelField);
      expectThat(found === label, `The label is ${shown(found)}.`);
    },
  },
  {
    ...contractRule('read-back', sources.lifecycle),
    rule: 'After a PATCH a GET shows what the answer showed.',
    run: async (context, kind) => {
      const { answer, after } = await relabelled(context, kind);
      expectOnly(recordOf(answer), after, []);
    },
  },
  {
    ...contractRule('only-what-is-sent', sources.endpoints),
    rule: 'PATCH changes the fields that are sent, and keeps all others.',
    run: async (context, kind) => {
      const { before, after } = await relabelled(context, kind);
      expectThat(differingFields(before, after).includes(kind.labelField), 'It has not changed the label.');
      expectOnly(before, after, [kind.labelField]);
    },
  },
  {
    ...contractRule('keeps-identity', sources.fields),
    rule: 'PATCH keeps id, UUID, owner, bundle and the time of creation.',
    run: async (context, kind) => {
      const { before, answer } = await relabelled(context, kind);
      const after = recordOf(answer);
      const kept = [kind.idField, 'uuid', 'uid', 'created', kind.bundleField];
      const lost = kept.filter((name) => canonical(before[name]) !== canonical(after[name]));
      expectThat(lost.length === 0, `It has changed ${lost.join(', ')}.`);
    },
  },
  {
    ...referenceRule('no-revision', sources.recorded),
    rule: 'PATCH makes no revision where the bundle does not ask for one.',
    run: async (context, kind) => {
      if (kind.bundle.newRevision === true) throw new CheckSkip(`${kind.bundle.id} makes a revision of each change.`);
      const field = kind.type === 'taxonomy_term' ? 'revision_id' : 'vid';
      const { before, after } = await relabelled(context, kind);
      expectThat(
        canonical(before[field]) === canonical(after[field]),
        `"${field}" was ${shown(before[field])} and is ${shown(after[field])}.`,
      );
    },
  },
  {
    ...referenceRule('no-links', sources.recorded),
    rule: 'Only GET and HEAD have Link headers, so the answer of a PATCH has none.',
    run: async (context, kind) => {
      const { links } = (await relabelled(context, kind)).answer;
      expectThat(links.length === 0, `It has ${links.length} links.`);
    },
  },
  {
    ...referenceRule('without-format', sources.recorded),
    rule: 'A PATCH without _format works as with json, the only format. That of a term goes to its page, which refuses it.',
    run: async (context, kind) => {
      const made = await patched(context, kind);
      const json = { [kind.bundleField]: [{ target_id: kind.bundle.id }], ...labelled(context, kind, 'no format') };
      const answer = await context.ask({ method: 'PATCH', path: made.path, as: context.maker(), json });
      expectStatus(answer, kind.type === 'taxonomy_term' ? 403 : 200);
    },
  },
  {
    ...referenceRule('nothing', sources.recorded),
    rule: 'A PATCH with the bundle alone answers 200 and changes nothing, not even the time of change.',
    run: async (context, kind) => {
      const made = await patched(context, kind);
      const before = await readBack(context, made);
      expectStatus(await patch(context, kind, made, {}), 200);
      const changed = differingFields(before, await readBack(context, made));
      expectThat(changed.length === 0, `It has changed ${changed.join(', ')}.`);
    },
  },
  {
    ...referenceRule('whole-record', sources.recorded),
    rule: 'A PATCH with the whole record, as a GET shows it, answers 200 and changes nothing.',
    run: async (context, kind) => {
      const made = await patched(context, kind);
      const before = await readBack(context, made);
      const answer = await context.ask({ method: 'PATCH', path: inJson(made.path), as: context.maker(), json: before });
      expectStatus(answer, 200);
      expectOnly(before, await readBack(context, made), []);
    },
  },
  {
    ...contractRule('repeated', 'RFC 5789 §2'),
    rule: 'The same PATCH twice leaves the record as once.',
    run: async (context, kind) => {
      const made = await patched(context, kind);
      const fields = labelled(context, kind, 'twice');
      expectStatus(await patch(context, kind, made, fields), 200);
      const once = await readBack(context, made);
      expectStatus(await patch(context, kind, made, fields), 200);
      expectOnly(once, await readBack(context, made), []);
    },
  },
  {
    ...referenceRule('list-is-replaced', sources.recorded),
    rule: 'A field that is sent is replaced as a whole: the list then has the items that were sent, in their order.',
    run: async (context, kind) => {
      const name = requireListField(kind);
      const made = await patched(context, kind);
      for (const values of [['c', 'a', 'b'], ['d']]) {
        expectStatus(await patch(context, kind, made, { [name]: values.map((value) => ({ value })) }), 200);
        const found = valuesIn(await readBack(context, made), name);
        expectThat(canonical(found) === canonical(values), `"${name}" holds ${shown(found)}, not ${shown(values)}.`);
      }
    },
  },
  {
    ...contractRule('list-is-kept', sources.endpoints),
    rule: 'A list that a PATCH does not send is kept with all its items.',
    run: async (context, kind) => {
      const name = requireListField(kind);
      const made = await patched(context, kind);
      expectStatus(await patch(context, kind, made, { [name]: [{ value: 'a' }, { value: 'b' }] }), 200);
      expectStatus(await patch(context, kind, made, labelled(context, kind, 'keeps its list')), 200);
      const found = valuesIn(await readBack(context, made), name);
      expectThat(canonical(found) === canonical(['a', 'b']), `"${name}" holds ${shown(found)}.`);
    },
  },
  {
    ...contractRule('visible', sources.lifecycle),
    rule: 'Two PATCHes of different fields at the same time both count.',
    run: async (context, kind) => {
      const name = requireListField(kind);
      const made = await patched(context, kind);
      const label = labelled(context, kind, 'at once');
      const answers = await Promise.all([
        patch(context, kind, made, label),
        patch(context, kind, made, { [name]: [{ value: 'at once' }] }),
      ]);
      for (const answer of answers) expectStatus(answer, 200);
      const after = await readBack(context, made);
      expectThat(valueIn(after, name) === 'at once', `"${name}" is ${shown(after[name])}.`);
      const wanted = valueIn(label, kind.labelField);
      expectThat(valueIn(after, kind.labelField) === wanted, `The label is ${shown(valueIn(after, kind.labelField))}.`);
    },
  },
  {
    ...contractRule('changed', sources.lifecycle),
    rule: 'The time of change is updated by a PATCH that changes something.',
    run: async (context, kind) => {
      const made = await patched(context, kind);
      const before = valueIn(await readBack(context, made), 'changed');
      await secondsPass(1);
      expectStatus(await patch(context, kind, made, labelled(context, kind, 'changed later')), 200);
      const after = valueIn(await readBack(context, made), 'changed');
      if (before === after) await skipWhereTimeStands(context, before);
      const isLater = typeof before === 'string' && typeof after === 'string' && Date.parse(after) > Date.parse(before);
      expectThat(isLater, `"changed" was ${shown(before)} and is ${shown(after)}.`);
    },
  },
];

const secondsPass = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1000 + 100));

/** A test server may have a clock that does not move. */
const skipWhereTimeStands = async (context: CheckContext, since: unknown): Promise<void> => {
  const { record } = await context.workspace.node();
  if (valueIn(record, 'created') === since) throw new CheckSkip('The clock of the target does not move.');
};

export const patchChecks = (contract: TargetContract): readonly Check[] =>
  mainKinds(contract).flatMap((kind) => [
    ...effects
      .filter(
        ({ name }) => listField(kind) !== undefined || !['list-is-replaced', 'list-is-kept', 'visible'].includes(name),
      )
      .map(({ name, rule, source, severity, run }) =>
        writing({
          ...{ rule: `${kind.word}: ${rule}`, source, severity, name: `patch.${kind.word}.${name}` },
          operations: [kind.operations.update],
          run: (context) => run(context, kind),
        }),
      ),
    ...protectedFieldChecks(kind),
  ]);
