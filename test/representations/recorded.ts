/** Turns recorded JSON records back into stored entities, so that tests can render them again. */
import { entityTypes, identityOf, type Records, indexKeys, type Site } from '../../src/repository/repository.ts';
import { readingOf } from '../model/reading.ts';
import { loadSite } from '../support/site-sources.ts';
import { type Entity, type EntityKey, type FieldItem, keyOf } from '../../src/openapi/openapi-records.ts';
import type { JsonObject } from '../../src/basics/json.ts';

export type Item = { readonly [member: string]: unknown };
export type RecordedBody = { readonly [field: string]: readonly Item[] };
export const site: Site = await loadSite(new URL('../../data/site', import.meta.url).pathname);

const idFields: Readonly<Record<string, string>> = { nid: 'node', mid: 'media', fid: 'file', tid: 'taxonomy_term' };

/** The entity type of a recorded body; undefined when it is no record. */
export const typeOfBody = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null
    ? Object.entries(idFields).find(([field]) => field in body && 'uuid' in body)?.[1]
    : undefined;

/** An object without some of its members. */
export const without = <T>(
  object: { readonly [member: string]: T },
  ...names: string[]
): { readonly [member: string]: T } =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

const stored = (item: Item): FieldItem => {
  const rest = without(item, 'target_type', 'target_uuid', 'url', 'processed');
  const value =
    item['format'] === 'Y-m-d\\TH:i:sP'
      ? { value: Date.parse(String(item['value'])) / 1000 }
      : Object.fromEntries(Object.entries(rest).filter(([, member]) => member !== null));
  return value as FieldItem; // what JSON.parse made is JSON
};

/** The entity behind a recorded record. */
export const entityOf = (body: RecordedBody): Entity => {
  const type = typeOfBody(body);
  if (type === undefined) throw new Error('not a record');
  const identity = identityOf(type);
  const derived = new Set([identity.id, identity.bundle, 'uuid', 'path']);
  return {
    type,
    id: Number(body[identity.id]?.[0]?.['value']),
    uuid: String(body['uuid']?.[0]?.['value']),
    bundle: identity.bundle === undefined ? type : String(body[identity.bundle]?.[0]?.['target_id']),
    fields: Object.fromEntries(
      Object.entries(body)
        .filter(([name]) => !derived.has(name))
        .map(([name, items]) => [name, items.map(stored).filter((item) => Object.keys(item).length > 0)] as const)
        .filter(([, items]) => items.length > 0),
    ),
    ...(type === 'file' ? { blob: { key: 'bytes', size: 1, sha256: '00' } } : {}),
  };
};

/** A term as the site brings it along, with the label and the external URI of its id. */
export const seededTerm = (tid: number, uuid?: string): Entity => {
  const seed = site.terms.find((term) => term.tid === tid);
  return {
    type: 'taxonomy_term',
    id: tid,
    uuid: uuid ?? seed?.uuid ?? '',
    bundle: seed?.vocabulary ?? 'subject',
    fields: seed?.fields ?? {},
  };
};

const bundles: Readonly<Record<string, string>> = { node: 'islandora_object', media: 'image' };

/** The entities that a record refers to and that were there when it was recorded. */
export const targetsOfBody = (body: RecordedBody): Entity[] =>
  Object.values(body)
    .flat()
    .flatMap((item) => {
      const type = entityTypes.find((one) => one === item['target_type']);
      const [id, uuid, url] = [Number(item['target_id']), String(item['target_uuid']), String(item['url'])];
      if (type === undefined) return [];
      if (type === 'taxonomy_term') return [seededTerm(id, uuid)];
      const path = decodeURIComponent(url.replace(/^.*\/(sites\/default\/files|_flysystem\/fedora)\//, ''));
      const uri = `${url.includes('_flysystem') ? 'fedora' : 'public'}://${path}`;
      const file = {
        fields: { uri: [{ value: uri }], filemime: [{ value: 'image/png' }] },
        blob: { key: 'b', size: 1, sha256: '' },
      };
      return [{ type, id, uuid, bundle: bundles[type] ?? type, ...(type === 'file' ? file : { fields: {} }) }];
    });

/** A store far away over fixed entities that counts its calls. `near` has the same records without waiting. */
export const storeOf = (entities: readonly Entity[]) => {
  const byKey = new Map(entities.map((entity) => [keyOf(entity), entity]));
  const byIndex = new Map<string, Entity[]>();
  for (const entity of [...byKey.values()].sort((a, b) => a.id - b.id)) {
    for (const key of indexKeys(entity)) {
      const found = byIndex.get(key);
      if (found === undefined) byIndex.set(key, [entity]);
      else found.push(entity);
    }
  }
  const store = {
    calls: 0,
    near: {
      get: (key: EntityKey) => byKey.get(key),
      lookup: (index: string) => byIndex.get(index) ?? [],
      count: () => 0,
      lastId: () => 0,
      counters: () => ({}),
    },
    getMany: (keys: readonly EntityKey[]) => {
      store.calls += 1;
      return Promise.resolve(keys.map((key) => byKey.get(key)));
    },
    lookupMany: (indexes: readonly string[]) => {
      store.calls += 1;
      return Promise.resolve(indexes.map((index) => byIndex.get(index) ?? []));
    },
  };
  return store;
};

/** The records of fixed entities, all of them there. */
export const recordsOf = (entities: readonly Entity[]): Records => {
  const { near } = storeOf(entities);
  return readingOf({ ...storeOf([]), present: near });
};

export const asBody = (value: unknown): RecordedBody => value as RecordedBody; // recordings of records have this shape
export const asJson = (value: unknown): JsonObject => value as JsonObject; // what JSON.parse made is JSON
