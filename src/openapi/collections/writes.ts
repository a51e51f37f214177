/** Carries out what clients write to a collection: each request in one transaction, all of it or nothing. */
import { isRecord } from '../../basics/json.ts';
import type { MakeAnswer } from '../answers/answer.ts';
import type { MakeSample } from '../answers/sample.ts';
import { Refusal, refusalOf } from '../refusal.ts';
import { jsonPatched, mergePatched, PatchFault } from '../request/patches.ts';
import { markedSchemas } from '../request/read-only.ts';
import type { Outline } from '../schemas/outline.ts';
import type { Schemas } from '../schemas/schemas.ts';
import { fullMessage, type Violation } from '../schemas/violations.ts';
import type { OpenedRequest, SentValue } from './collection-request.ts';
import type { CollectionRecord, CollectionsView } from './collection-store.ts';
import { requireCondition } from './conditions.ts';
import { createRecordMaker, type Members, type RecordMaker } from './made-record.ts';
import { newId } from './new-id.ts';
import { type CollectionPlan, idsIn, keyOf, prefixOf } from './plan.ts';
import { absentRecord, requireParentsIn } from './required-records.ts';
import { idText } from './seeds.ts';

/** Says why a request that the document allows makes no record that the document allows. */
export class Unstored extends Error {
  override name = 'Unstored';
}

export type WriteOptions = {
  readonly schemas: Schemas;
  readonly outline: (schema: unknown) => Outline;
  readonly sample: MakeSample;
  readonly answers: MakeAnswer;
  readonly plans: readonly CollectionPlan[];
  /** A record alone, as long as it is not written. */
  readonly single: (plan: CollectionPlan, key: string) => CollectionRecord | undefined;
};

/** The record as it is now; of a removal as it was. */
type Written = { readonly record: CollectionRecord; readonly isNew: boolean };

export type Write = (asked: OpenedRequest, sent: SentValue | undefined) => Promise<Written>;

type Context = WriteOptions & {
  readonly maker: RecordMaker;
  /** Whether a schema has members that clients only write. */
  readonly hasWriteOnly: (schema: unknown) => boolean;
};
type Writing = { readonly asked: OpenedRequest; readonly sent: SentValue | undefined; readonly view: CollectionsView };

export const createWrites = (options: WriteOptions): Write => {
  const context: Context = {
    ...options,
    maker: createRecordMaker(options),
    hasWriteOnly: markedSchemas(options.schemas, 'request', 'writeOnly'),
  };
  const writes = { create, replace, patch, remove } as const;
  return async (asked, sent) => {
    const { role, plan, parents, host } = asked;
    if (role === 'list' || role === 'read') throw new Error(`${role} does not write.`);
    return host.store.transact((view) => {
      requireParentsIn(view, plan, parents);
      return writes[role]({ asked, sent, view }, context);
    });
  };
};

const put = (view: CollectionsView, { name }: CollectionPlan, id: string, value: unknown, isNew: boolean): Written => {
  view.put(name, id, value);
  return { record: view.get(name, id) ?? { id, value }, isNew };
};

const create = ({ asked, sent, view }: Writing, context: Context): Written => {
  const { plan, parents, host } = asked;
  const { maker, schemas, outline, sample } = context;
  const { idMember = '' } = plan;
  const members = sent === undefined ? {} : maker.sent(plan, sent.value, sent.schema);
  if (members === undefined) throw new Unstored('The body is not a JSON object, so nothing was stored.');
  const isTaken = (id: unknown): boolean => view.get(plan.name, keyOf([...parents, idText(id) ?? ''])) !== undefined;
  const given = members[idMember];
  requireAddress(idMember, given);
  if (idText(given) !== undefined && isTaken(given))
    throw new Refusal('conflict', `${plan.name} has a record ${JSON.stringify(given).slice(0, 200)} already.`);
  const id =
    idText(given) === undefined
      ? newId(plan, {
          ...{ schemas, sample, schema: outline(plan.record.media.schema).member(idMember), uuid: host.uuid },
          ...{ nextNumber: () => view.nextNumber(plan.name), isFree: (each) => !isTaken(each) },
        })
      : given;
  if (id === undefined) throw new Unstored(`No id was found that ${idMember} allows, so nothing was stored.`);
  const fixed = { ...parentMembers(asked), [idMember]: id };
  const value = fittingRecord({ asked, sent, view }, { members, fixed, before: undefined }, context);
  return put(view, plan, keyOf([...parents, idText(id) ?? '']), value, true);
};

/** An address is UTF-8, which has no half of a pair of surrogates. */
const requireAddress = (idMember: string, id: unknown): void => {
  if (typeof id === 'string' && !id.isWellFormed())
    throw refusalOf('body', [{ pointer: `/requestBody/${idMember}`, message: 'is a text that no address can name' }]);
};

const parentMembers = ({ plan, path }: OpenedRequest): Members =>
  Object.fromEntries((plan.parent?.members ?? []).map(({ name, parameter }) => [name, path[parameter]]));

/** The id of the record that a request names, as its member has it. */
const ownId = ({ asked }: Writing, before: Members | undefined): Members => {
  const { plan, path } = asked;
  const { idMember, idParameter } = plan;
  if (idMember === undefined || idParameter === undefined) return {};
  const id = before?.[idMember] ?? path[idParameter];
  // A path has the id as a text, where its parameter says no more.
  const typed = plan.idKind === 'integer' && typeof id === 'string' && id !== '' ? Number(id) : id;
  return { [idMember]: typed };
};

const presentRecord = ({ asked, view }: Writing, { single }: Context): CollectionRecord | undefined => {
  const { plan, key, request } = asked;
  const record = view.get(plan.name, key) ?? single(plan, key);
  requireCondition(request, record);
  return record;
};

const membersOf = (value: unknown): Members => (isRecord(value) ? value : {});

/** Whether a PUT makes a record that is not there. */
export const mayCreate = ({ plan, operation }: Pick<OpenedRequest, 'plan' | 'operation'>): boolean =>
  operation.responses.has('201') || ![...plan.operations.values()].includes('create');

const replace = (writing: Writing, context: Context): Written => {
  const { asked, sent, view } = writing;
  const { plan, key } = asked;
  const { maker } = context;
  const present = presentRecord(writing, context);
  if (present === undefined && !mayCreate(asked)) throw absentRecord(plan, key);
  const members = sent === undefined ? {} : maker.sent(plan, sent.value, sent.schema);
  if (members === undefined) throw new Unstored('The body is not a JSON object, so nothing was stored.');
  const before = present === undefined ? undefined : membersOf(present.value);
  const own = ownId(writing, before);
  refuseOtherId(plan, membersOf(sent?.value), own);
  const fixed = { ...parentMembers(asked), ...own };
  const value = fittingRecord(writing, { members, fixed, before }, context);
  return put(view, plan, key, value, present === undefined);
};

/** A record keeps its id. */
const refuseOtherId = ({ idMember }: CollectionPlan, members: Members, own: Members): void => {
  if (idMember === undefined || !Object.hasOwn(members, idMember)) return;
  const [wanted, id] = [members[idMember], own[idMember]].map(idText);
  if (wanted === id) return;
  const message = `is another id than that of the record (${JSON.stringify(own[idMember])})`;
  throw refusalOf('body', [{ pointer: `/requestBody/${idMember}`, message }]);
};

const patch = (writing: Writing, context: Context): Written => {
  const { asked, sent, view } = writing;
  const { plan, key, host } = asked;
  const { maker } = context;
  const present = presentRecord(writing, context);
  if (present === undefined) throw absentRecord(plan, key);
  const before = membersOf(present.value);
  const own = ownId(writing, before);
  const patched = patchedValue(present.value, writing, maker);
  if (!isRecord(patched)) throw refusalOf('body', [{ pointer: '/requestBody', message: 'makes the record no object' }]);
  refuseOtherId(plan, patched, own);
  if (!isOperations(sent)) refuseOtherId(plan, membersOf(sent?.value), own);
  const fixed = { ...parentMembers(asked), ...own };
  const value = maker.restored(plan, patched, sent?.schema, { fixed, before, now: host.now() });
  const [fault, ...more] = faultsOf(plan, value, context);
  if (fault !== undefined)
    throw refusalOf(
      'body',
      [fault, ...more].map((each) => ({ ...each, pointer: `/requestBody${each.pointer}` })),
    );
  return put(view, plan, key, value, false);
};

const isOperations = (sent: SentValue | undefined): boolean =>
  /^application\/json-patch\+json\b/i.test(sent?.mediaType ?? '');

/** By its media type a list of operations (RFC 6902), else the members to change (RFC 7396). */
const patchedValue = (value: unknown, { asked: { plan }, sent }: Writing, maker: RecordMaker): unknown => {
  if (sent === undefined) return value;
  if (!isOperations(sent)) return mergePatched(value, maker.sent(plan, sent.value, sent.schema) ?? sent.value);
  try {
    return jsonPatched(value, sent.value);
  } catch (error) {
    if (!(error instanceof PatchFault)) throw error;
    throw patchRefusals[error.kind](error.message);
  }
};

const patchRefusals: Readonly<Record<PatchFault['kind'], (message: string) => Refusal>> = {
  conflict: (message) => new Refusal('conflict', message, { statuses: [409, 422, 400] }),
  size: (message) => new Refusal('length', message),
  form: (message) => new Refusal('body', message, { violations: [{ pointer: '/requestBody', message }] }),
};

const remove = (writing: Writing, context: Context): Written => {
  const { asked, view } = writing;
  const { plan, key } = asked;
  const record = presentRecord(writing, context);
  if (record === undefined) throw absentRecord(plan, key);
  view.delete(plan.name, key);
  const ids = idsIn(key, plan.parentParameters.length + 1);
  for (const below of context.plans) if (isBelow(below, plan)) removeBelow(view, below, ids);
  return { record, isNew: false };
};

const isBelow = ({ parent }: CollectionPlan, plan: CollectionPlan): boolean =>
  parent?.collection !== undefined && (parent.collection === plan || isBelow(parent.collection, plan));

const removeBelow = (view: CollectionsView, { name, isSingleton }: CollectionPlan, ids: readonly string[]): void => {
  if (isSingleton) view.delete(name, keyOf(ids));
  const prefix = prefixOf(ids);
  for (const { id } of view.list(name)) if (id.startsWith(prefix)) view.delete(name, id);
};

/** A record has the members that clients only write as well as those that they only read. */
const faultsOf = (
  { record }: CollectionPlan,
  value: unknown,
  { schemas, hasWriteOnly }: Pick<Context, 'schemas' | 'hasWriteOnly'>,
): readonly Violation[] => {
  const { schema = true } = record.media;
  const ofReads = schemas.check(schema, 'response')(value);
  if (ofReads.length > 0 || !hasWriteOnly(schema)) return ofReads;
  return schemas.check(schema, 'request')(structuredClone(value));
};

type Parts = { readonly members: Members; readonly fixed: Members; readonly before: Members | undefined };

/** A record that allows only its own members is stored without those that the body alone has, such as terms that are accepted. */
const fittingRecord = ({ asked: { plan, host }, sent }: Writing, parts: Parts, context: Context): Members => {
  const { maker, outline } = context;
  const { members, fixed, before } = parts;
  const complete = (each: Members): Members =>
    maker.completed(plan, each, sent?.schema, { fixed, before, now: host.now() });
  const whole = complete(members);
  if (faultsOf(plan, whole, context).length === 0) return whole;
  const { names } = outline(plan.record.media.schema);
  const asked = outline(sent?.schema).names;
  const own = Object.entries(members).filter(([name]) => names.includes(name) || !asked.includes(name));
  const value = complete(Object.fromEntries(own));
  requireFit(plan, value, context);
  return value;
};

const requireFit = (plan: CollectionPlan, value: unknown, context: Parameters<typeof faultsOf>[2]): void => {
  const [fault] = faultsOf(plan, value, context);
  if (fault === undefined) return;
  const place = fault.pointer === '' ? 'the record' : fault.pointer;
  throw new Unstored(
    `Nothing was stored, because GET ${plan.record.operation.path} documents another form: ${place} ${fullMessage(fault)}.`,
  );
};
