/** Gives the worlds of a server the collections of its documents, once these are known. */
import type { HostedWorld } from '../../../openapi/openapi-host.ts';
import { beginCollections, type CollectionSeeds, type LeftOut, replaceCollections } from './collection-seeds.ts';
import { type InitialRecords, createRecordSet } from '../../../storage/storage.ts';
import type { FixtureContent } from '../fixture-content.ts';
import type { SavedState } from '../saved-state.ts';
import { createFixtures, type FixtureOptions, type Fixtures } from '../fixtures.ts';
import { type Entity, collectionRecordType } from '../../../openapi/openapi-records.ts';

/** What a document says of its collections. */
export type DocumentSeeds = Omit<CollectionSeeds, 'onLeftOut'> & { readonly hasAny: boolean };

type Options = FixtureOptions & { readonly warn: (message: string) => void };

/** The fixtures of a server, which change with its site and its documents. */
export const createCurrentFixtures = (given: Options) => {
  let options: Options = given;
  let fixtures = createFixtures(options);
  let isFirst = true;
  const change = (changed: Partial<Omit<FixtureOptions, 'warn'>>): void => {
    options = { ...options, ...changed };
    fixtures = createFixtures(options);
  };
  const onLeftOut = leftOutWarning(given);
  return {
    current: (): Fixtures => fixtures,
    change,
    /** `isNew`: the main world was filled before the documents were known. */
    useCollections: async (
      { hasAny, ...seeds }: DocumentSeeds,
      { main, isNew }: { readonly main: HostedWorld; readonly isNew: boolean },
    ) => {
      if (!hasAny && options.collectionSeeds === undefined) return;
      change({ collectionSeeds: { ...seeds, onLeftOut } });
      if (isFirst && isNew) await replaceCollections(main.store, collectionRecords(await fixtures.own()));
      isFirst = false;
      if (main.collections !== undefined) await beginCollections(main.collections, seeds);
    },
  };
};

const collectionRecords = ({ model, records }: SavedState): readonly Entity[] =>
  createRecordSet(model, records).list(collectionRecordType, { offset: 0, limit: Infinity }).entities;

/** Says each thing once: a fixture is read again for resets and forks. */
const leftOutWarning = ({ warn, records }: Options): CollectionSeeds['onLeftOut'] => {
  const said = new Set<string>();
  return (left) => {
    const message = leftOutText(left, records);
    if (said.has(message)) return;
    said.add(message);
    warn(message);
  };
};

const leftOutText = ({ collection, id, reason, place }: LeftOut, records: InitialRecords | undefined): string => {
  const where = (records as Partial<FixtureContent> | undefined)?.places?.get(place); // of a short fixture
  const file = where === undefined ? '' : `${where.file}:${where.line ?? 1}: `;
  return id === ''
    ? `${file}collections.${collection}: ${reason}. Only handlers reach it.`
    : `${file}collections.${collection}, "${id}": it ${reason}. It is left out.`;
};
