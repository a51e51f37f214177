/** Checks that each field of the site's model takes what it may hold, and refuses what it may not. */
import type { FieldDefinition } from '../../../../core/model/bundle.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckSkip, expectRefusal, expectStatus, expectThat, shown, type Answer } from '../../answer.ts';
import { type Check, type CheckContext, contractRule, referenceRule } from '../../check.ts';
import { faultsOf, type FieldFault } from './field-faults.ts';
import { manyItems, samplesOf, type FieldSample } from './field-samples.ts';
import {
  createBody,
  inJson,
  makeWritten,
  patch,
  readBack,
  recordKinds,
  sharedWritten,
  type RecordKind,
} from './record-kinds.ts';
import { canonical, differingFields, itemsOf, recordOf, type JsonRecord } from '../../record-members.ts';
import { rememberedBy } from './remembered.ts';

type FieldOf = { readonly kind: RecordKind; readonly field: FieldDefinition };

/** Only those who wrote a site's model know who may set a field with permissions of its own. */
const isOpen = ({ access = 'public', configured, type }: FieldDefinition): boolean =>
  access === 'public' && configured && type !== 'other' && type !== 'comment' && type !== 'metatag';

/** A minimal record shows a field that its file fills; its values are the subject of other checks. */
const fieldsOf = (kind: RecordKind): readonly FieldOf[] =>
  [...kind.bundle.fields.values()].filter(isOpen).map((field) => ({ kind, field }));

const placeOf = ({ kind, field }: FieldOf): string => `${kind.word}.${kind.bundle.id}.${field.name}`;
const sentenceOf = ({ kind, field }: FieldOf): string =>
  `"${field.label}" (${field.name}) of ${kind.bundle.id} ${kind.word}`;

/** Throws unless the answer is the refusal of the fault. */
const expectFault = (answer: Answer, fault: FieldFault, field: FieldDefinition): void => {
  const message = expectRefusal(answer, 422);
  const needle = fault.says(field);
  expectThat(message.includes(needle), `The message is ${shown(message)}, without ${shown(needle)}.`);
};

const postFault = (of: FieldOf, fault: FieldFault): Check => ({
  name: `field-refused.post.${placeOf(of)}.${fault.name}`,
  rule: `POST refuses ${sentenceOf(of)} ${fault.words}: 422 with a message that names the field.`,
  source: 'document: 422; recording: validation of fields',
  severity: fault.isAdvice === true ? 'advice' : 'reference',
  operations: [of.kind.operations.create],
  isWriting: true,
  run: async (context) => {
    const value = await fault.value(context, of.field);
    const json = { ...(await createBody(context, of.kind)), [of.field.name]: value };
    const answer = await context.ask({ method: 'POST', path: inJson(of.kind.collection), as: context.maker(), json });
    if (answer.status === 201) await noteStray(context, of.kind, answer);
    expectFault(answer, fault, of.field);
  },
});

/** A target that takes what it must refuse has made a record, which must not stay. */
const noteStray = async (context: CheckContext, kind: RecordKind, answer: Answer): Promise<void> => {
  const id = itemsOf(recordOf(answer), kind.idField)[0]?.['value'];
  if (typeof id === 'number') await context.workspace.made(kind.type, id);
};

const patchFault = (of: FieldOf, fault: FieldFault): Check => ({
  name: `field-refused.patch.${placeOf(of)}.${fault.name}`,
  rule: `PATCH refuses ${sentenceOf(of)} ${fault.words}: 422 with a message that names the field, and nothing changes.`,
  source: 'document: 422; recording: validation of fields',
  severity: fault.isAdvice === true ? 'advice' : 'reference',
  operations: [of.kind.operations.update],
  isWriting: true,
  run: async (context) => {
    const subject = await sharedWritten(context, of.kind);
    const value = await fault.value(context, of.field);
    const before = await readBack(context, subject);
    const answer = await patch(context, of.kind, subject, { [of.field.name]: value });
    expectFault(answer, fault, of.field);
    const changed = differingFields(before, await readBack(context, subject));
    expectThat(changed.length === 0, `The refused PATCH has changed ${changed.join(', ')}.`);
  },
});

const tooMany = (of: FieldOf): Check => ({
  ...referenceRule(`field-refused.patch.${placeOf(of)}.too-many`, 'a real site: too many items'),
  rule: `PATCH refuses more than ${of.field.cardinality} values of ${sentenceOf(of)}: 422.`,
  operations: [of.kind.operations.update],
  isWriting: true,
  run: async (context) => {
    const { field, kind } = of;
    const items = await manyItems(context, field, field.cardinality + 1);
    if (items === undefined) throw new CheckSkip(`A check cannot make values of ${field.name}.`);
    const subject = await sharedWritten(context, kind);
    const message = expectRefusal(await patch(context, kind, subject, { [field.name]: items }), 422);
    const needle = `${field.name}: ${field.label}: this field cannot hold more than ${field.cardinality} values.`;
    expectThat(message.includes(needle), `The message is ${shown(message)}, without ${shown(needle)}.`);
  },
});

/** The sent values as items show them: the same, perhaps with more members. */
const isShown = (record: JsonRecord, field: string, wanted: readonly JsonRecord[]): boolean => {
  const items = itemsOf(record, field);
  return (
    items.length === wanted.length &&
    wanted.every((item, index) =>
      Object.entries(item).every(([name, value]) => canonical(items[index]?.[name]) === canonical(value)),
    )
  );
};

const taken = (of: FieldOf, sample: FieldSample): Check => ({
  ...contractRule(
    `field-taken.${placeOf(of)}.${sample.name}`,
    'contract: PATCH with only the fields to change; document: the schema of the field',
  ),
  rule: `PATCH takes ${sentenceOf(of)} ${sample.words}, and a GET shows it.`,
  operations: [of.kind.operations.update, of.kind.operations.read],
  isWriting: true,
  run: async (context) => {
    const subject = await changing(context, placeOf(of));
    const items = await sample.items(context, of.field);
    const wanted = (await sample.shown?.(context, of.field)) ?? items;
    const answer = expectStatus(await patch(context, of.kind, subject, { [of.field.name]: items }), 200);
    const says = `shows ${of.field.name} as`;
    const own = recordOf(answer);
    expectThat(
      isShown(own, of.field.name, wanted),
      `The answer ${says} ${shown(own[of.field.name])}, not ${shown(wanted)}.`,
    );
    const read = await readBack(context, subject);
    expectThat(
      isShown(read, of.field.name, wanted),
      `A GET ${says} ${shown(read[of.field.name])}, not ${shown(wanted)}.`,
    );
  },
});

/** A record of its own for each field, so that checks at the same time do not change the same field. */
const changing = rememberedBy((context, place) => {
  const of = allFields(context.contract).find((each) => placeOf(each) === place);
  if (of === undefined) throw new CheckSkip(`There is no field ${place}.`);
  return makeWritten(context, of.kind);
});

const emptied = (of: FieldOf): Check => ({
  ...contractRule(`field-taken.${placeOf(of)}.emptied`, 'contract: Resources and their fields'),
  rule: `PATCH with [] empties ${sentenceOf(of)}: a list with no value is [].`,
  operations: [of.kind.operations.update, of.kind.operations.read],
  isWriting: true,
  run: async (context) => {
    const [first] = samplesOf(of.field);
    if (first === undefined) throw new CheckSkip(`A check cannot make values of ${of.field.name}.`);
    const subject = await makeWritten(context, of.kind);
    const name = of.field.name;
    expectStatus(await patch(context, of.kind, subject, { [name]: await first.items(context, of.field) }), 200);
    const filled = itemsOf(await readBack(context, subject), name).length;
    expectThat(filled === 1, `The field holds ${filled} values after one was sent.`);
    expectStatus(await patch(context, of.kind, subject, { [name]: [] }), 200);
    const left = (await readBack(context, subject))[name];
    expectThat(Array.isArray(left) && left.length === 0, `The emptied field is ${shown(left)}.`);
  },
});

/** What a file or a program fills again, or a record must have, cannot be emptied. */
const isEmptiable = ({ kind, field }: FieldOf): boolean =>
  !field.required && kind.type !== 'media' && samplesOf(field).length > 0;

const allFields = (contract: TargetContract): readonly FieldOf[] => recordKinds(contract).flatMap(fieldsOf);

/** What POST refuses is sent by PATCH once for each field; media come by uploads, so all of theirs is sent by PATCH. */
const checksOf = (of: FieldOf): readonly Check[] => {
  const faults = faultsOf(of.field);
  const patched = of.kind.type === 'media' ? faults : faults.slice(-1);
  const { cardinality, type } = of.field;
  const isFile = type === 'file' || type === 'image';
  return [
    ...(of.kind.type === 'media' ? [] : faults.map((fault) => postFault(of, fault))),
    ...patched.map((fault) => patchFault(of, fault)),
    ...(Number.isFinite(cardinality) && !isFile && samplesOf(of.field).length > 0 ? [tooMany(of)] : []),
    ...samplesOf(of.field).map((sample) => taken(of, sample)),
    ...(isEmptiable(of) ? [emptied(of)] : []),
  ];
};

export const fieldChecks = (contract: TargetContract): readonly Check[] => allFields(contract).flatMap(checksOf);
