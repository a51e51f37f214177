/** Shows and changes the records of collections: what a world remembers by the documents of a user, and by their handlers. */
import { type DocumentCollections, allCollections, recordFaults, unfitRecords } from '../../contract/contract.ts';
import type { components, operations } from '../../client/generated/control.ts';
import { type HostedWorld, jsonReply } from '../../openapi/openapi-host.ts';
import { type CollectionRecord, type CollectionStore, notFound } from '../../openapi/openapi-terms.ts';
import type { ControlHandlers } from './control-handlers.ts';

type Schemas = components['schemas'];
type Handled =
  | 'listCollections'
  | 'listCollectionRecords'
  | 'getCollectionRecord'
  | 'putCollectionRecord'
  | 'deleteCollectionRecord';

type Documents = readonly DocumentCollections[];

export const collectionHandlers = (documents: () => Documents): Pick<ControlHandlers, Handled> => ({
  listCollections: async (_request, world) => async () => {
    const { collections: store } = world;
    const served = documents();
    const others = served.flatMap((document) => document.others.map(({ path, reason }) => ({ path, reason })));
    if (store === undefined) return jsonReply({ collections: [], others });
    const collections = [];
    for (const summary of allCollections(served, store)) {
      const { name } = summary;
      const [{ length: records }, unfit] = [await store.list(name), await unfitRecords(served, name, store)];
      collections.push({ ...summaryBody(summary), records, unfit: unfit.length, begun: store.hasBegun(name) });
    }
    return jsonReply({ collections, others });
  },
  listCollectionRecords: async ({ path: { collection_name: name }, query }, world) => {
    const store = storeOf(world);
    const records = await store.list(name);
    if (records.length === 0 && !allCollections(documents(), store).some((each) => each.name === name))
      throw notFound(`There is no collection "${name}".`);
    return async () => jsonReply(await pageOf(name, { store, documents: documents(), query }));
  },
  getCollectionRecord: async ({ path: { collection_name: name, record_id: id } }, world) => {
    const record = await storeOf(world).get(name, id);
    if (record === undefined) throw noRecord(name, id);
    return async () => jsonReply(recordBody(name, record, documents()));
  },
  putCollectionRecord: async ({ path: { collection_name: name, record_id: id } }, world) => {
    const store = storeOf(world);
    return async ({ json: value }) => {
      const isNew = await store.transact((view) => {
        const before = view.get(name, id);
        view.put(name, id, value);
        return before === undefined;
      });
      return jsonReply(recordBody(name, { id, value }, documents()), isNew ? 201 : 200);
    };
  },
  deleteCollectionRecord: async ({ path: { collection_name: name, record_id: id } }, world) => {
    const store = storeOf(world);
    return async () => {
      if (!(await store.transact((view) => view.delete(name, id)))) throw noRecord(name, id);
      return { status: 204 };
    };
  },
});

const storeOf = ({ collections }: HostedWorld): CollectionStore => {
  if (collections === undefined) throw notFound('A server over a database keeps no collections.');
  return collections;
};

const noRecord = (name: string, id: string) => notFound(`There is no record "${id}" in the collection "${name}".`);

const summaryBody = ({
  name,
  path,
  document,
  parent,
  idMember,
  isSingleton,
}: ReturnType<typeof allCollections>[number]) => ({
  ...{ name, path: path ?? null, document: document ?? null, parent: parent ?? null, idMember: idMember ?? null },
  single: isSingleton,
});

type Query = NonNullable<operations['listCollectionRecords']['parameters']['query']>;

type Listing = { readonly store: CollectionStore; readonly documents: Documents; readonly query: Query };

/** A page of long values ends earlier than its limit: behind the value with which it has so many characters of JSON. */
const pageCharacters = 1024 ** 2;

const pageOf = async (name: string, listing: Listing): Promise<Schemas['CollectionPage']> => {
  const { documents, query } = listing;
  const offset = Number(query.offset ?? 0);
  const limit = Number(query.limit ?? 50);
  const matching = await matchingRecords(name, listing);
  const records = [];
  let characters = 0;
  for (const record of matching.slice(offset, offset + limit)) {
    const { id, value } = record;
    records.push({ id, value, fits: recordFaults(documents, name, value).length === 0 });
    characters += JSON.stringify(value).length;
    if (characters > pageCharacters) break;
  }
  const end = offset + records.length;
  return {
    ...{ name, total: matching.length, offset, records },
    ...(records.length > 0 && end < matching.length ? { next: end } : {}),
  };
};

const matchingRecords = async (
  name: string,
  { store, documents, query }: Listing,
): Promise<readonly CollectionRecord[]> => {
  if (query.fits === undefined) return store.list(name);
  const unfit = await unfitRecords(documents, name, store);
  if (query.fits === 'false') return unfit;
  const set = new Set(unfit);
  return (await store.list(name)).filter((record) => !set.has(record));
};

/** How many faults of a record are named. */
const namedFaults = 100;

const recordBody = (
  collection: string,
  { id, value }: CollectionRecord,
  documents: Documents,
): Schemas['CollectionRecord'] => {
  const faults = recordFaults(documents, collection, value);
  return {
    ...{ collection, id, value, fits: faults.length === 0 },
    faults: faults.slice(0, namedFaults),
  };
};
