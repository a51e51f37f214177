/** What a server knows of the collections of its documents, and which of their records the documents, as they are now, do not allow. */
import { beginSlices } from '../basics/long-work.ts';
import type { CollectionSummary } from '../openapi/openapi.ts';
import { type CollectionRecord, type CollectionStore, fullMessage } from '../openapi/openapi-terms.ts';
import type { DocumentCollections } from './corrected-body.ts';

type Documents = readonly DocumentCollections[];

const documentWith = (documents: Documents, name: string): DocumentCollections | undefined =>
  documents.find(({ summaries }) => summaries.some((each) => each.name === name));

/** What a document does not allow in a record. `pointer` leads to the value. */
type RecordFault = { readonly pointer: string; readonly message: string };

type Judged = {
  readonly ofLists: WeakMap<readonly CollectionRecord[], Promise<readonly CollectionRecord[]>>;
  readonly ofValues: WeakMap<object, readonly RecordFault[]>;
};

/** Each value is judged once by a document: a store has another value after a change, and a reload makes other collections. */
const judgements = new WeakMap<DocumentCollections, Map<string, Judged>>();

const judgedBy = (document: DocumentCollections, name: string): Judged => {
  const ofDocument = judgements.get(document) ?? new Map<string, Judged>();
  judgements.set(document, ofDocument);
  const known = ofDocument.get(name) ?? { ofLists: new WeakMap(), ofValues: new WeakMap() };
  ofDocument.set(name, known);
  return known;
};

/** What its document does not allow in the value of a record. Empty for a collection that no document has. */
export const recordFaults = (documents: Documents, name: string, value: unknown): readonly RecordFault[] => {
  const document = documentWith(documents, name);
  if (document === undefined) return [];
  const { ofValues } = judgedBy(document, name);
  const key = Object(value) as object; // another one each time for a value that is not an object
  const known = ofValues.get(key);
  if (known !== undefined) return known;
  const faults = document
    .faultsOf(name, value)
    .map((violation) => ({ pointer: violation.pointer, message: fullMessage(violation) }));
  ofValues.set(key, faults);
  return faults;
};

/** The records of a collection that its document does not allow, in the order of the collection. Other requests are answered while a long collection is judged. */
export const unfitRecords = async (
  documents: Documents,
  name: string,
  store: CollectionStore,
): Promise<readonly CollectionRecord[]> => {
  const document = documentWith(documents, name);
  if (document === undefined) return [];
  const records = await store.list(name);
  const { ofLists } = judgedBy(document, name);
  const result =
    ofLists.get(records) ?? recordsThat(({ value }) => recordFaults([document], name, value).length > 0, records);
  ofLists.set(records, result);
  return result;
};

const recordsThat = async (
  isMeant: (record: CollectionRecord) => boolean,
  records: readonly CollectionRecord[],
): Promise<readonly CollectionRecord[]> => {
  const meant: CollectionRecord[] = [];
  const slices = beginSlices();
  for (const record of records) {
    if (slices.isOver()) await slices.next();
    if (isMeant(record)) meant.push(record);
  }
  return meant;
};

type Collection = Pick<CollectionSummary, 'name' | 'isSingleton' | 'parent' | 'idMember'> & {
  /** Undefined where only handlers use it, as the title of the document. */
  readonly path?: string;
  readonly document?: string;
};

/** The collections of a server: those of the documents in their order, then those that only handlers have written to. */
export const allCollections = (documents: Documents, store: CollectionStore): readonly Collection[] => {
  const ofDocuments = documents.flatMap(({ document, summaries }) => summaries.map((each) => ({ ...each, document })));
  const others = store.names().filter((name) => !ofDocuments.some((each) => isOf(each.name, name)));
  return [
    ...ofDocuments,
    ...others.map((name) => ({ name, parent: undefined, idMember: undefined, isSingleton: false })),
  ];
};

/** What is below records of the repository begins below each of them, under a name of its own. */
const isOf = (collection: string, name: string): boolean => name === collection || name.startsWith(`${collection} `);

type Unfit = {
  readonly collection: string;
  readonly records: readonly CollectionRecord[];
  /** What the start says of it: how many there are, and the first ids. */
  readonly message: string;
};

/** The collections with records that do not fit, in the order of the documents. */
export const unfitCollections = async (
  documents: Documents,
  store: CollectionStore | undefined,
): Promise<readonly Unfit[]> => {
  const unfit: Unfit[] = [];
  if (store === undefined) return unfit;
  for (const { name: collection } of documents.flatMap(({ summaries }) => summaries)) {
    const records = await unfitRecords(documents, collection, store);
    if (records.length > 0) unfit.push({ collection, records, message: unfitMessage(collection, records) });
  }
  return unfit;
};

/** How many records a message names. */
const named = 10;

const unfitMessage = (collection: string, records: readonly CollectionRecord[]): string => {
  const ids = records.slice(0, named).map(({ id }) => JSON.stringify(id));
  const more = records.length > named ? [`… and ${records.length - named} more`] : [];
  const which = records.length === 1 ? '1 record that does' : `${records.length} records that do`;
  return `The collection "${collection}" has ${which} not fit the document. Nothing changes them: ${[...ids, ...more].join(', ')}.`;
};
