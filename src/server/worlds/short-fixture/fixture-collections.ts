/** Makes stored records of the collections of a short fixture. */
import { isRecord } from '../../../basics/json.ts';
import type { Keys } from '../../../basics/json-pointer.ts';
import {
  begun,
  collectionEntity,
  countersOfCollection,
  highestCounters,
  type Counters,
  type Entity,
} from '../../../openapi/openapi-records.ts';
import { begunBelow, collectionBounds } from '../../../openapi/openapi-terms.ts';
import { storedValue, type InitialRecords } from '../../../storage/storage.ts';
import type { FixtureContent } from '../fixture-content.ts';
import type { ShortFixture } from './read-short-fixture.ts';

type ShortRecord = { readonly keys: Keys; readonly id: string; readonly value: unknown };

/** In the order of the file. Throws `ConfigurationError` with file and line. */
export const collectionRecordsOf = ({
  file,
  collections,
  lineOf,
  flaw,
}: Pick<ShortFixture, 'file' | 'collections' | 'lineOf' | 'flaw'>): InitialRecords &
  Required<Pick<FixtureContent, 'places'>> => {
  const names = Object.keys(collections);
  if (names.length > collectionBounds.collections)
    throw flaw(['collections'], `has more than ${collectionBounds.collections} collections.`, 'Take some of them out.');
  const entities: Entity[] = [];
  const places = new Map<number, { readonly file: string; readonly line?: number | undefined }>();
  for (const name of names) {
    const ids = new Set<string>();
    for (const record of recordsIn(name, collections[name])) {
      const { keys } = record;
      // The document may have another id for it.
      const id = ids.has(record.id) ? `${record.id} (${ids.size + 1})` : record.id;
      if (entities.length === collectionBounds.records)
        throw flaw(keys, `is one more than the ${collectionBounds.records} records of a world.`, 'Take some out.');
      ids.add(id);
      places.set(entities.length + 1, { file, line: lineOf(keys) });
      entities.push(collectionEntity(name, id, valueAt(record, flaw), entities.length + 1));
    }
  }
  return { entities, places, counters: countersFor(names, entities) };
};

const recordsIn = (name: string, records: unknown): ShortRecord[] => {
  const above: Keys = ['collections', name];
  if (Array.isArray(records))
    return records.map((value: unknown, index) => ({
      ...{ keys: [...above, index], value },
      id: idIn(value) ?? String(index + 1),
    }));
  return Object.entries(records as Readonly<Record<string, unknown>>).map(([id, value]) => ({
    keys: [...above, id],
    id,
    value,
  })); // the schema has checked it
};

/** A record of a list says its id itself. */
const idIn = (value: unknown): string | undefined => {
  const id = isRecord(value) && Object.hasOwn(value, 'id') ? value['id'] : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
};

const valueAt = ({ keys, id, value }: ShortRecord, flaw: ShortFixture['flaw']) => {
  try {
    return storedValue(value, id);
  } catch (error) {
    throw flaw(keys, error instanceof Error ? error.message : String(error), 'Correct the record.', error);
  }
};

/** The collections have begun, so that none of them gets the examples of a document. */
const countersFor = (names: readonly string[], entities: readonly Entity[]): Counters => ({
  ...highestCounters(entities, countersOfCollection),
  ...Object.fromEntries(names.flatMap((name) => [name, begunBelow(name)]).map((each) => [begun(each), 1])),
});
