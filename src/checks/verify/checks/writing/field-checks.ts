/** Checks that each field of the site's model refuses what it may not hold. */
import { CheckSkip, expectRefusalThatSays, type Answer } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { memberOf, type JsonRecord } from '../../record-members.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { dealt } from '../../dealt.ts';
import { faultsOf, type FieldFault } from './field-faults.ts';
import { manyItems, samplesOf } from './field-samples.ts';
import { takenChecks } from './field-taken-checks.ts';
import { fieldsOf, placeOf, sentenceOf, valuesFor, type FieldOf } from './fields-of.ts';
import { changesNothing, patchRefused, sharedGuard } from './guarded.ts';
import { asMaker, createBody, recordKinds, type RecordKind } from './record-kinds.ts';
import { referenceRule, adviceRule, checksThatWrite, type Rule } from '../../rule.ts';

type Method = 'post' | 'patch';

/** What POST refuses is sent by PATCH once for each field; media come by uploads, so all of theirs is sent by PATCH. */
const faultsBy = (method: Method, of: FieldOf): readonly FieldFault[] => {
  const faults = faultsOf(of);
  if (of.kind.type === 'media') return method === 'post' ? [] : faults;
  return method === 'post' ? faults : faults.slice(-1);
};

const linesBy = (method: Method, of: FieldOf): readonly FieldFault[] =>
  faultsBy(method, of).filter(({ hasLine }) => hasLine);

const send = async (context: CheckContext, kind: RecordKind, method: Method, fields: JsonRecord): Promise<Answer> => {
  if (method === 'patch') return patchRefused(context, kind, fields);
  const json = { ...(await createBody(context, kind)), ...fields };
  return asMaker(context, 'POST', kind.collection, { json });
};

/** The faults of one number of all fields, in one request. */
const sendRound = (context: CheckContext, kind: RecordKind, method: Method, at: number): Promise<Answer> =>
  context.once(`faults ${method} ${at} of ${kind.word} ${kind.bundle.id}`, async (own) =>
    send(own, kind, method, await valuesFor(kind, async (of) => (await linesBy(method, of)[at]?.sent(own))?.value)),
  );

/** A field whose fault is not in the refusal of all is sent alone, so that each check judges its own field. */
const expectRefused = async (context: CheckContext, of: FieldOf, method: Method, fault: FieldFault): Promise<void> => {
  const { value, says } = await fault.sent(context);
  const at = linesBy(method, of).findIndex(({ name }) => name === fault.name);
  if (at >= 0) {
    const answer = await sendRound(context, of.kind, method, at);
    if (answer.status === 422 && String(memberOf(answer.json, 'message')).includes(says)) return;
  }
  expectRefusalThatSays(await send(context, of.kind, method, { [of.field.name]: value }), 422, says);
};

const faultRule = (of: FieldOf, method: Method, fault: FieldFault): Rule =>
  (fault.isAdvice ? adviceRule : referenceRule)(
    `${method}.${placeOf(of)}.${fault.name}`,
    'document: 422; recording: validation of fields',
  )(
    `${method.toUpperCase()} refuses ${sentenceOf(of)} ${fault.words}: 422 with a message that names the field.`,
    (context) => expectRefused(context, of, method, fault),
    { also: [method === 'post' ? of.kind.operations.create : of.kind.operations.update] },
  );

const tooMany = (of: FieldOf): Rule =>
  referenceRule(`patch.${placeOf(of)}.too-many`, 'a real site: too many items')(
    `PATCH refuses more than ${of.field.cardinality} values of ${sentenceOf(of)}: 422.`,
    async (context) => {
      const { name, label, cardinality } = of.field;
      const items = await manyItems(context, of, cardinality + 1);
      if (items === undefined) throw new CheckSkip(`A check cannot make values of ${name}.`);
      const answer = await patchRefused(context, of.kind, { [name]: items });
      const words = `${name}: ${label}: this field cannot hold more than ${cardinality} values.`;
      expectRefusalThatSays(answer, 422, words);
    },
    { also: [of.kind.operations.update] },
  );

/** The fields of one type, of all kinds, whose faults a method sends. */
const alike = (method: Method, all: readonly FieldOf[], { field }: FieldOf): readonly FieldOf[] =>
  all.filter((one) => one.field.type === field.type && faultsBy(method, one).length > 0);

/** A fault that ends the reading of the body is sent alone. The same code reads all fields of a type, so they share those. */
const sharedFaults = (method: Method, all: readonly FieldOf[], of: FieldOf): readonly FieldFault[] => {
  const fields = alike(method, all, of);
  const faults = faultsBy(method, of);
  const alone = faults.filter(({ hasLine }) => !hasLine);
  const share = dealt(alone, fields.indexOf(of), fields.length);
  return faults.filter((fault) => fault.hasLine || share.includes(fault));
};

const refusalsOf = (of: FieldOf, all: readonly FieldOf[]): readonly Rule[] => [
  ...(['post', 'patch'] as const).flatMap((method) =>
    sharedFaults(method, all, of).map((fault) => faultRule(of, method, fault)),
  ),
  ...(Number.isFinite(of.field.cardinality) && samplesOf(of).length > 0 ? [tooMany(of)] : []),
];

const refused = { topic: 'field-refused' };

export const fieldChecks = (contract: TargetContract): readonly Check[] =>
  fieldsByKind(recordKinds(contract)).flatMap(([kind, fields], _, kinds) => {
    const all = kinds.map(([, each]) => each).flat();
    const last = changesNothing(`patch.${kind.word}.${kind.bundle.id}.changes-nothing`, sharedGuard(kind));
    return [
      ...fields.flatMap((of) => [...checksThatWrite(refusalsOf(of, all), refused), ...takenChecks(of)]),
      ...checksThatWrite(fields.length === 0 ? [] : [last], refused),
    ];
  });

/** A field that another bundle of the type has with the same settings is the same field, and checked there. */
const fieldsByKind = (kinds: readonly RecordKind[]) => {
  const seen = new Set<string>();
  return kinds.map((kind) => {
    const fields = fieldsOf(kind).filter(({ field }) => {
      const key = JSON.stringify([kind.type, field]);
      return !seen.has(key) && seen.add(key);
    });
    return [kind, fields] as const;
  });
};
