/** Checks that each field of the site's model takes what it may hold: the samples of all fields of a kind go in few requests. */
import { areEqual } from '../../../../basics/equal-values.ts';
import { expectStatus, expectThat, shown } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { itemsOf, recordOf, type JsonRecord } from '../../record-members.ts';
import { samplesOf, type FieldSample } from './field-samples.ts';
import { placeOf, sentenceOf, valuesFor, type FieldOf } from './fields-of.ts';
import { makeWritten, patch, readBack, type RecordKind, type Written } from './record-kinds.ts';
import { contractRule, checksThatWrite, type Rule } from '../../rule.ts';

/** The sent values as items show them: the same, perhaps with more members. */
const isShown = (record: JsonRecord, field: string, wanted: readonly JsonRecord[]): boolean => {
  const items = itemsOf(record, field);
  return (
    items.length === wanted.length &&
    wanted.every((item, index) => Object.entries(item).every(([name, value]) => areEqual(items[index]?.[name], value)))
  );
};

/** What a PATCH answered, and what a GET showed then. */
type Stored = { readonly answered: JsonRecord; readonly read: JsonRecord };

/** One record of each kind for all that it must take. */
const changing = (context: CheckContext, kind: RecordKind): Promise<Written> =>
  context.once(`fields of ${kind.word} ${kind.bundle.id}`, (own) => makeWritten(own, kind));

/** Undefined when the PATCH was refused. */
const store = async (context: CheckContext, kind: RecordKind, fields: JsonRecord): Promise<Stored | undefined> => {
  const subject = await changing(context, kind);
  const answer = await patch(context, kind, subject, fields);
  return answer.status === 200 ? { answered: recordOf(answer), read: await readBack(context, subject) } : undefined;
};

/** The samples of one number of all fields, in one PATCH. */
const storeRound = (context: CheckContext, kind: RecordKind, at: number): Promise<Stored | undefined> =>
  context.once(`samples ${at} of ${kind.word} ${kind.bundle.id}`, async (own) =>
    store(own, kind, await valuesFor(kind, (of) => samplesOf(of)[at]?.items(own))),
  );

/** What became of one field. It is sent alone when the PATCH of all was refused, so that each check judges its own field. */
const storeOne = async (context: CheckContext, { kind, field }: FieldOf, items: unknown): Promise<Stored> => {
  const subject = await changing(context, kind);
  const answered = recordOf(expectStatus(await patch(context, kind, subject, { [field.name]: items }), 200));
  return { answered, read: await readBack(context, subject) };
};

const taken = (of: FieldOf, sample: FieldSample, at: number): Rule =>
  contractRule(sample.name, 'contract: PATCH with only the fields to change; document: the schema of the field')(
    `PATCH takes ${sentenceOf(of)} ${sample.words}, and a GET shows it.`,
    async (context) => {
      const { name } = of.field;
      const items = await sample.items(context);
      const wanted = (await sample.shown?.(context)) ?? items;
      const stored = (await storeRound(context, of.kind, at)) ?? (await storeOne(context, of, items));
      for (const [who, record] of [
        ['The answer', stored.answered],
        ['A GET', stored.read],
      ] as const) {
        expectThat(
          isShown(record, name, wanted),
          `${who} shows ${name} as ${shown(record[name])}, not ${shown(wanted)}.`,
        );
      }
    },
  );

/** All that can be emptied, filled by one PATCH and emptied by another one. */
const emptiedAll = (context: CheckContext, kind: RecordKind) =>
  context.once(`emptied ${kind.word} ${kind.bundle.id}`, async (own) => {
    const values = await valuesFor(kind, (of) => (isEmptiable(of) ? samplesOf(of)[0]?.items(own) : undefined));
    const filled = await store(own, kind, values);
    const left = await store(own, kind, Object.fromEntries(Object.keys(values).map((name) => [name, []])));
    return filled === undefined || left === undefined ? undefined : { filled: filled.read, left: left.read };
  });

const emptied = (of: FieldOf): Rule =>
  contractRule('emptied', 'contract: Resources and their fields')(
    `PATCH with [] empties ${sentenceOf(of)}: a list with no value is [].`,
    async (context) => {
      const { name } = of.field;
      const items = await samplesOf(of)[0]?.items(context);
      const both = (await emptiedAll(context, of.kind)) ?? {
        filled: (await storeOne(context, of, items)).read,
        left: (await storeOne(context, of, [])).read,
      };
      const filled = itemsOf(both.filled, name).length;
      expectThat(filled === 1, `The field holds ${filled} values after one was sent.`);
      const left = both.left[name];
      expectThat(Array.isArray(left) && left.length === 0, `The emptied field is ${shown(left)}.`);
    },
  );

/** What a file or a program fills again, or a record must have, cannot be emptied. */
const isEmptiable = (of: FieldOf): boolean =>
  !of.field.required && of.kind.type !== 'media' && samplesOf(of).length > 0;

export const takenChecks = (of: FieldOf): readonly Check[] => {
  const { update, read } = of.kind.operations;
  const rules = [
    ...samplesOf(of).map((sample, at) => taken(of, sample, at)),
    ...(isEmptiable(of) ? [emptied(of)] : []),
  ];
  return checksThatWrite(rules, { topic: `field-taken.${placeOf(of)}`, operations: [update, read] });
};
