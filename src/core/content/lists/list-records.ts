/** Finds the records of a list: from an index where there is one, else among all records of the type or bundle. */
import type { Entity } from '../../model/entity.ts';
import { entityKey, identityFields } from '../../model/entity.ts';
import type { IndexKey } from '../../model/entity-store.ts';
import type { Principal } from '../../model/principal.ts';
import { addressField, type ListOrder, type ListTest, type RecordList } from '../../site/record-list.ts';
import { mediaOf, membersOf, termNamed, termWithUri } from '../index-keys.ts';
import { areMany, beginSlices, mapInSlices, nextTurn } from '../../../basics/long-work.ts';
import type { Repository } from '../repository.ts';
import { passes, valuesOf, type ListReader } from './list-values.ts';

/** The texts of a request, by the names of path arguments and query parameters. */
export type ListRequest = {
  readonly path: Readonly<Record<string, string | number>>;
  /** Each is the text of a parameter, or undefined. */
  readonly query: Readonly<Record<string, unknown>>;
};

/** The records that the viewer may view, in the order of the list. */
export const recordsOf = async (
  list: RecordList,
  request: ListRequest,
  repository: Repository,
  viewer: Principal,
): Promise<readonly Entity[]> => {
  const tests = testsOf(list, request);
  if (tests === undefined) return [];
  // Lists that arrive together begin in turns of their own.
  await nextTurn();
  const reader: ListReader = { site: repository.parts.site, viewer };
  const found = await candidates(list, tests, repository);
  const open = tests.length === 1 && tests.every((test) => isMetByIndex(test, list, reader)) ? [] : tests;
  const isListed = (entity: Entity): boolean => open.every((test) => passes(test, entity, reader));
  return arranged(await chosen(found, isListed, repository, viewer), list, reader);
};

/** In the order of the list, and not more than it may have. */
const arranged = (visible: Entity[], list: RecordList, reader: ListReader): readonly Entity[] => {
  // What no bundle has sorts nothing, and a list can be long.
  const bundles = reader.site.model.bundles(list.entityType);
  const order = list.order.filter(({ field }) => bundles.some(({ fields }) => fields.has(field.name)));
  const entities = sorted(visible, order, reader);
  return list.limit === undefined ? entities : entities.slice(0, list.limit);
};

/**
 * The same without waiting, where an index that is in memory has a few records and no others. Undefined where finding them takes
 * more.
 */
export const presentRecordsOf = (
  list: RecordList,
  request: ListRequest,
  repository: Repository,
  viewer: Principal,
): readonly Entity[] | undefined => {
  const { site, store } = repository.parts;
  const tests = testsOf(list, request);
  const [test, ...others] = tests ?? [];
  const reader: ListReader = { site, viewer };
  if (store.present === undefined || test === undefined || others.length > 0) return undefined;
  if (!isMetByIndex(test, list, reader)) return undefined;
  const [key, ...further] = indexKeysOf(list, textsIn([test]), []) ?? [];
  if (key === undefined || further.length > 0) return undefined;
  if (areMany({ length: store.present.count(key) })) return undefined;
  const found = store.present.lookup(key);
  const visible: Entity[] = [];
  for (const entity of found) {
    const answer = repository.canView(viewer, entity);
    if (answer instanceof Promise) return undefined;
    if (answer) visible.push(entity);
  }
  return arranged(visible, list, reader);
};

/** Undefined when a parameter is missing that the list needs. Other parameters that are missing or empty ask for nothing. */
const testsOf = (list: RecordList, { path, query }: ListRequest): readonly ListTest[] | undefined => {
  const tests: ListTest[] = [...list.tests];
  for (const { name, field } of list.arguments) tests.push({ field, equals: [String(path[name] ?? '')] });
  for (const { name, field, isRequired, isNegated } of list.parameters) {
    const sent = query[name];
    if (typeof sent === 'string' && sent !== '') {
      tests.push(isNegated ? { field, differs: [sent] } : { field, equals: [sent] });
    } else if (isRequired) return undefined;
  }
  return tests;
};

/** In ascending id. Each test is still to be made. */
const candidates = async (
  list: RecordList,
  tests: readonly ListTest[],
  repository: Repository,
): Promise<readonly Entity[]> => {
  const { store, site } = repository.parts;
  const { entityType: type } = list;
  const textsFor = textsIn(tests);
  const ids = textsFor(identityFields[type].id)?.flatMap((text) => (/^[0-9]{1,16}$/.test(text) ? [Number(text)] : []));
  if (ids !== undefined)
    return (await store.getMany(ids.map((id) => entityKey(type, id)))).flatMap((each) => each ?? []);
  const bundleName = identityFields[type].bundle;
  const bundles = bundleName === undefined ? undefined : textsFor(bundleName);
  const all = site.model.bundles(type).map(({ id }) => id);
  const keys = indexKeysOf(list, textsFor, bundles ?? all);
  if (keys !== undefined) {
    const lists = await store.lookupMany(keys);
    return lists.length === 1 ? (lists[0] ?? []) : byId(lists.flat());
  }
  const known = bundles?.filter((id) => all.includes(id));
  if (known === undefined) return everyRecord(list, undefined, repository);
  return byId((await Promise.all(known.map((bundle) => everyRecord(list, bundle, repository)))).flat());
};

/** The texts that a field must equal. */
const textsIn =
  (tests: readonly ListTest[]) =>
  (name: string): readonly string[] | undefined => {
    const test = tests.find(
      ({ field, ...each }) => field.name === name && indexed.includes(field.property) && 'equals' in each,
    );
    return test !== undefined && 'equals' in test ? test.equals : undefined;
  };

/** The fields whose index has the records that pass, and no others. A list can have thousands of them. */
const exactIndexes: Readonly<Partial<Record<RecordList['entityType'], string>>> = {
  media: 'field_media_of',
  node: 'field_member_of',
};

/** Whether a list's only test has chosen its candidates. A field that only some may see is tested for each record. */
const isMetByIndex = (test: ListTest, { entityType }: RecordList, { site }: ListReader): boolean => {
  const { name, property } = test.field;
  const bundles = site.model.bundles(entityType);
  return (
    exactIndexes[entityType] === name &&
    indexed.includes(property) &&
    'equals' in test &&
    bundles.every(({ fields }) => (fields.get(name)?.access ?? 'public') === 'public')
  );
};

/** The properties that indexes are made of. */
const indexed: readonly (string | undefined)[] = [undefined, 'value', 'target_id', 'uri'];

const byId = (entities: readonly Entity[]): readonly Entity[] => [...new Set(entities)].sort((a, b) => a.id - b.id);

/** The keys of an index that has all records of the list. */
const indexKeysOf = (
  { entityType }: RecordList,
  textsFor: (name: string) => readonly string[] | undefined,
  bundles: readonly string[],
): readonly IndexKey[] | undefined => {
  if (entityType === 'media') return textsFor('field_media_of')?.map((id) => mediaOf(Number(id)));
  if (entityType === 'node') return textsFor('field_member_of')?.map((id) => membersOf(Number(id)));
  if (entityType !== 'taxonomy_term') return undefined;
  const uris = textsFor(addressField) ?? textsFor('field_external_uri') ?? textsFor('field_authority_link');
  if (uris !== undefined) return uris.map(termWithUri);
  return textsFor('name')?.flatMap((name) => bundles.map((bundle) => termNamed(bundle, name)));
};

const atOnce = 500;

const everyRecord = async (
  { entityType }: RecordList,
  bundle: string | undefined,
  { parts: { store } }: Repository,
): Promise<readonly Entity[]> => {
  const found: Entity[] = [];
  const slices = beginSlices();
  for (let offset = 0; ; offset += atOnce) {
    const { entities, total } = await store.list(entityType, { bundle, offset, limit: atOnce });
    for (const entity of entities) found.push(entity);
    if (offset + atOnce >= total) return found;
    if (slices.isOver()) await slices.next();
  }
};

const chosen = async (
  found: readonly Entity[],
  isListed: (entity: Entity) => boolean,
  repository: Repository,
  viewer: Principal,
): Promise<Entity[]> => {
  const answers = await mapInSlices(found, (entity) => isListed(entity) && repository.canView(viewer, entity));
  const visible: Entity[] = [];
  for (const [at, entity] of found.entries()) {
    const answer = answers[at];
    if (answer instanceof Promise ? await answer : answer) visible.push(entity);
  }
  return visible;
};

/** open: records without a value come first, or last where the order is turned round, as SQL sorts NULL. Equal ones go by id. */
const sorted = (entities: Entity[], order: readonly ListOrder[], reader: ListReader): readonly Entity[] => {
  if (order.length === 0) return entities;
  const keyed = entities.map((entity) => ({
    entity,
    keys: order.map(({ field }) => valuesOf(field, entity, reader)[0]),
  }));
  keyed.sort((a, b) => {
    for (const [at, { isDescending }] of order.entries()) {
      const difference = compared(a.keys[at], b.keys[at]);
      if (difference !== 0) return isDescending ? -difference : difference;
    }
    return a.entity.id - b.entity.id;
  });
  return keyed.map(({ entity }) => entity);
};

const compared = (a: string | undefined, b: string | undefined): number => {
  if (a === undefined || b === undefined) return Number(a !== undefined) - Number(b !== undefined);
  const [first, second] = [Number(a), Number(b)];
  if (a !== '' && b !== '' && !Number.isNaN(first) && !Number.isNaN(second)) return first - second;
  const [lower, other] = [a.toLowerCase(), b.toLowerCase()];
  if (lower === other) return 0;
  return lower < other ? -1 : 1;
};
