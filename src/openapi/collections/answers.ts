/** Answers requests for a collection: reads, lists, and writes that are decided in one transaction. */
import { isRecord } from '../../basics/json.ts';
import type { MakeAnswer } from '../answers/answer.ts';
import type { MakeSample } from '../answers/sample.ts';
import { Refusal } from '../refusal.ts';
import type { Outline } from '../schemas/outline.ts';
import type { Schemas } from '../schemas/schemas.ts';
import type { CollectionAnswer, OpenedRequest, SentValue } from './collection-request.ts';
import type { CollectionRecord } from './collection-store.ts';
import { isUnchanged, requireCondition, requireMatch, tagOf } from './conditions.ts';
import { createKeptAnswers, type KeptAnswers } from './kept-answers.ts';
import { createListAnswer } from './list-answer.ts';
import { pageOf } from './list-records.ts';
import type { CollectionPlan } from './plan.ts';
import { createReplies, type Replies } from './replies.ts';
import { absentRecord } from './required-records.ts';
import type { Seeds } from './seeds.ts';
import { createShape, type Shape } from './shaped-body.ts';
import { createWrites, mayCreate, Unstored } from './writes.ts';

export type AnswersOptions = {
  readonly schemas: Schemas;
  readonly outline: (schema: unknown) => Outline;
  readonly sample: MakeSample;
  readonly answers: MakeAnswer;
  readonly seeds: Seeds;
  readonly plans: readonly CollectionPlan[];
};

export type CollectionAnswers = {
  /** Throws a refusal where a request means a record that is not there, or another version of it. */
  readonly requireRecord: (asked: OpenedRequest) => Promise<void>;
  readonly answer: (asked: OpenedRequest, sent: SentValue | undefined) => Promise<CollectionAnswer>;
};

export const createCollectionAnswers = (options: AnswersOptions): CollectionAnswers => {
  const { seeds } = options;
  const single = singleRecords(seeds);
  const recordOf: FindRecord = async ({ plan, key, host }) =>
    (await host.store.get(plan.name, key)) ?? single(plan, key);
  const shape = createShape(options);
  const context = {
    ...options,
    shape,
    recordOf,
    kept: createKeptAnswers(),
    replies: createReplies({ ...options, shape }),
    fits: fitFinder(options.schemas),
  };
  const list = listReader(context);
  const read = recordReader(context);
  const write = createWrites({ ...options, single });
  return {
    requireRecord: async (asked) => {
      const { plan, role, key, request } = asked;
      if (role === 'list' || role === 'create') return;
      const record = await recordOf(asked);
      if (record === undefined && !(role === 'replace' && mayCreate(asked))) throw absentRecord(plan, key);
      if (role === 'read') requireMatch(request, record);
      else requireCondition(request, record);
    },
    answer: async (asked, sent) => {
      if (asked.role === 'list') return list(asked);
      if (asked.role === 'read') return read(asked);
      try {
        const { record, isNew } = await write(asked, sent);
        return { made: context.replies.written(asked, record, isNew), isFit: () => context.fits(asked.plan, record) };
      } catch (error) {
        if (error instanceof Unstored) return { reason: error.message };
        throw meant(error);
      }
    },
  };
};

type FindRecord = (asked: OpenedRequest) => Promise<CollectionRecord | undefined>;

type ReadContext = AnswersOptions & {
  readonly shape: Shape;
  readonly replies: Replies;
  readonly fits: (plan: CollectionPlan, record: CollectionRecord) => boolean;
  readonly recordOf: FindRecord;
  readonly kept: KeptAnswers;
};

type Read = (asked: OpenedRequest) => Promise<CollectionAnswer>;

const otherForm = ({ name }: CollectionPlan): CollectionAnswer => ({
  reason: `Records of ${name} have no form but JSON and XML.`,
});

const listReader = ({ shape, replies, fits, kept, ...options }: ReadContext): Read => {
  const listed = createListAnswer({ ...options, shape });
  return async (asked) => {
    const { plan, request, query, parents, host } = asked;
    const { list } = plan;
    const media = replies.jsonMedia(asked);
    if (list === undefined || media === undefined) return otherForm(plan);
    const shown = (value: unknown): unknown => shape.shown(value, plan);
    const all = await host.store.list(plan.name);
    return kept.ofList(all, asked, () => {
      const page = pageOf(all, { plan, list, parents, query, shown });
      const answer = listed({ plan, list, page, request, baseUrl: host.baseUrl, query });
      return { made: { ...media, ...answer }, isFit: () => page.records.every((record) => fits(plan, record)) };
    });
  };
};

const recordReader =
  ({ replies, fits, kept, recordOf }: ReadContext): Read =>
  async (asked) => {
    const { plan, key, request } = asked;
    const record = await recordOf(asked);
    if (record === undefined) throw absentRecord(plan, key);
    const tag = tagOf(record, replies.jsonMedia(asked)?.mediaType);
    if (isUnchanged(request, tag)) return { made: replies.unchanged(tag), isFit: () => false };
    return kept.ofRecord(record, asked, () => {
      const made = replies.read(asked, record);
      return made === undefined ? otherForm(plan) : { made, isFit: () => fits(plan, record) };
    });
  };

/** The errors of a store have a status. */
const meant = (error: unknown): unknown => {
  if (error instanceof Refusal || !isRecord(error)) return error;
  const { status, message } = error as { readonly status?: unknown; readonly message?: unknown };
  return [413, 503, 507].includes(Number(status))
    ? new Refusal('handler', String(message), { statuses: [Number(status)], cause: error })
    : error;
};

/** A record alone is there from the start, with its example. */
const singleRecords = (seeds: Seeds) => {
  const records = new WeakMap<CollectionPlan, CollectionRecord>();
  return (plan: CollectionPlan, key: string): CollectionRecord | undefined => {
    if (!plan.isSingleton) return undefined;
    const record = records.get(plan) ?? { id: key, value: seeds.single(plan) };
    records.set(plan, record);
    return record;
  };
};

const fitFinder = (schemas: Schemas): ((plan: CollectionPlan, record: CollectionRecord) => boolean) => {
  const known = new WeakMap<CollectionRecord, boolean>();
  return ({ record: { media } }, record) => {
    const isFit = known.get(record) ?? schemas.check(media.schema ?? true, 'response')(record.value).length === 0;
    known.set(record, isFit);
    return isFit;
  };
};
