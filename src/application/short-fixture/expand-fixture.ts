/** Makes records of the objects of a short fixture, through the repository itself: as if a client had sent them. */
import { writtenRecord } from '../../basics/records/record-form.ts';
import type { Entity } from '../../openapi/openapi-records.ts';
import type { Site } from '../../repository/repository.ts';
import { exportedCounters } from '../../storage/storage-export.ts';
import {
  type FixtureContent,
  collectionRecordsOf,
  type ShortFixture,
  type ShortObject,
} from '../../server/server-application.ts';
import { createDraft, withUuidsOf } from './draft.ts';
import { createSourceBytes, type Expansion, nameOf } from './expansion.ts';
import { makeObject, reviseObject } from './make-object.ts';
import type { Keys } from '../../basics/json-pointer.ts';

/**
 * The records and bytes of a short fixture. The same file gives the same records: uuids come from the names or from
 * `uuids`, times from the dates, ids from the order. Throws `ConfigurationError` with file and line.
 */
export const expandFixture = async (fixture: ShortFixture, site: Site): Promise<FixtureContent> => {
  const bytes = createSourceBytes();
  let now = fixture.date === undefined ? site.seedTime * 1000 : Date.parse(fixture.date);
  const draft = createDraft(site, { blobs: bytes.blobs, now: () => now, onIcon: (path) => bytes.useOnce(path) });
  const { repository, nameUuids } = draft;
  const start = now;
  const setTime = (time: number | undefined): void => {
    now = time ?? start;
  };
  const expansion: Expansion = { fixture, site, repository, bytes, nameUuids, setTime };
  const names = byName(fixture);
  const nodes = new Map<number, number>();
  for (const index of inOrder(fixture, names)) {
    const parents = parentsOf(fixture.objects[index]).flatMap((name) => nodes.get(names.get(name) ?? -1) ?? []);
    nodes.set(index, await makeObject(expansion, index, parents));
  }
  for (const [index, node] of nodes) await reviseObject(expansion, index, node);
  const made = await draft.made();
  const { entities, counters } = fixture.uuids === undefined ? made : withUuidsOf(fixture.uuids, made);
  const collected = collectionRecordsOf(fixture);
  return {
    entities: [...[...entities].map((entity) => inOrderOfModel(entity, site)), ...collected.entities],
    counters: exportedCounters({ ...counters, ...collected.counters }),
    blobs: bytes.blobs,
    places: collected.places,
  };
};

/** The record with its fields in the order of the model, and not in that in which they came to it. */
const inOrderOfModel = (entity: Entity, site: Site): Entity => {
  const known = site.model.bundle(entity.type, entity.bundle)?.fields ?? new Map<string, unknown>();
  const names = new Set([...known.keys(), ...Object.keys(entity.fields)]);
  const fields = [...names].flatMap((name) => {
    const items = entity.fields[name];
    return items === undefined ? [] : [[name, items] as const];
  });
  return writtenRecord({ ...entity, fields: Object.fromEntries(fields) }, entity.blob);
};

type Names = ReadonlyMap<string, number>;

/** The objects by name, and by title where no name is like it. */
const byName = ({ objects, flaw }: ShortFixture): Names => {
  const names = new Map<string, number>();
  for (const [index, object] of objects.entries()) {
    const name = nameOf(object);
    const key = object.name === undefined ? 'title' : 'name';
    if (names.has(name))
      throw flaw(['objects', index, key], `"${name}" is taken.`, 'Give each object a name of its own.');
    names.set(name, index);
  }
  for (const [index, { title }] of objects.entries()) if (!names.has(title)) names.set(title, index);
  return names;
};

/** The indexes of the objects, each after those that it is a member of. */
const inOrder = (fixture: ShortFixture, names: Names): readonly number[] => {
  const done = new Set<number>();
  const open = new Set<number>();
  const visit = (index: number): void => {
    if (done.has(index)) return;
    open.add(index);
    for (const [position, parent] of parentsOf(fixture.objects[index]).entries()) {
      const keys: Keys = ['objects', index, 'member_of', position];
      const found = names.get(parent);
      if (found === undefined)
        throw fixture.flaw(keys, `no object is called "${parent}".`, 'Correct the name or title.');
      if (open.has(found)) throw fixture.flaw(keys, `"${parent}" leads back to this object.`, 'Take one of them out.');
      visit(found);
    }
    open.delete(index);
    done.add(index);
  };
  for (const index of fixture.objects.keys()) visit(index);
  return [...done];
};

const parentsOf = (object: ShortObject | undefined): readonly string[] => [object?.member_of ?? []].flat();
