/** What a store is asked for by a filter of records. */
export { storeFilter } from '../../src/repository/content/lists/record-lists.ts';
