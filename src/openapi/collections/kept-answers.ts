/** Keeps answers to reads as long as their records are the same, and not more than some of them. */
import { createLruMap, type LruMap } from '../../basics/lru-map.ts';
import type { CollectionAnswer, OpenedRequest } from './collection-request.ts';
import type { CollectionRecord } from './collection-store.ts';

type MakeAnswer = () => CollectionAnswer;

export type KeptAnswers = {
  readonly ofRecord: (record: CollectionRecord, asked: OpenedRequest, make: MakeAnswer) => CollectionAnswer;
  readonly ofList: (records: readonly CollectionRecord[], asked: OpenedRequest, make: MakeAnswer) => CollectionAnswer;
};

const mostRecords = 1000;
const mostForms = 10;
const mostLists = 200;

export const createKeptAnswers = (): KeptAnswers => {
  const records = createLruMap<CollectionRecord, LruMap<string, CollectionAnswer>>(mostRecords);
  const lists = new WeakMap<readonly CollectionRecord[], LruMap<string, CollectionAnswer>>();
  const kept = (answers: LruMap<string, CollectionAnswer>, key: string, make: MakeAnswer): CollectionAnswer => {
    const answer = answers.get(key) ?? make();
    answers.set(key, answer);
    return answer;
  };
  return {
    ofRecord: (record, { request }, make) => {
      const answers = records.get(record) ?? createLruMap<string, CollectionAnswer>(mostForms);
      records.set(record, answers);
      return kept(answers, request.headers['accept'] ?? '', make);
    },
    ofList: (all, { request, host }, make) => {
      const answers = lists.get(all) ?? createLruMap<string, CollectionAnswer>(mostLists);
      lists.set(all, answers);
      const { path, query, headers } = request;
      return kept(answers, JSON.stringify([host.baseUrl, path, query, headers['accept']]), make);
    },
  };
};
