/** Finds the records of a list: from an index where there is one, else among all records of the type or bundle. */
import { identityOf } from '../../model/entity.ts';
import { addressField, type ListOrder, type ListTest, type RecordList } from '../../site/record-list.ts';
import { everyOf, mediaOf, membersOf, termNamed, termWithUri } from '../../model/index-keys.ts';
import { beginSlices } from '../../../basics/long-work.ts';
import { eachOf, type Records } from '../../model/reading.ts';
import { mayView, type Viewer } from '../views.ts';
import { passes, valuesOf, type ListReader } from './list-values.ts';
import { type Entity, entityKey, type EntityStore, type IndexKey } from '../../../openapi/openapi-records.ts';
import { notFound } from '../../../openapi/openapi-terms.ts';

/** The texts of a request, by the names of path arguments and query parameters. */
export type ListRequest = {
  readonly path: Readonly<Record<string, string | number>>;
  /** Each is the text of a parameter, or undefined. */
  readonly query: Readonly<Record<string, unknown>>;
};

/** Who asks for a list, and where its records are. */
type ListViewer = ListReader & Viewer & { readonly records: Records; readonly store: Pick<EntityStore, 'list'> };

/** The records that the viewer may view, in the order of the list. */
export const recordsOf = (list: RecordList, request: ListRequest, viewer: ListViewer): readonly Entity[] => {
  const tests = testsOf(list, request);
  if (tests === undefined) return [];
  const found = candidates(list, tests, viewer);
  const open = tests.length === 1 && tests.every((test) => isMetByIndex(test, list, viewer)) ? [] : tests;
  const isChosen = (entity: Entity): boolean =>
    open.every((test) => passes(test, entity, viewer)) && mayView(entity, viewer);
  const answers = eachOf(found, isChosen, { records: viewer.records, name: 'list' });
  return arranged(
    found.filter((_, at) => answers[at]),
    list,
    viewer,
  );
};

/** In the order of the list, and not more than it may have. */
const arranged = (visible: Entity[], list: RecordList, reader: ListReader): readonly Entity[] => {
  // What no bundle has sorts nothing, and a list can be long.
  const bundles = reader.site.model.bundles(list.entityType);
  const order = list.order.filter(({ field }) => bundles.some(({ fields }) => fields.has(field.name)));
  const entities = sorted(visible, order, reader);
  return list.limit === undefined ? entities : entities.slice(0, list.limit);
};

/** Undefined when a parameter is missing that the list needs; 404 when it is part of its address. Other parameters that are missing or empty ask for nothing. */
const testsOf = (list: RecordList, { path, query }: ListRequest): readonly ListTest[] | undefined => {
  const tests: ListTest[] = [...list.tests];
  for (const { name, field } of list.arguments) tests.push({ field, equals: [String(path[name] ?? '')] });
  for (const { name, field, isRequired, isPartOfAddress, isNegated } of list.parameters) {
    const sent = query[name];
    if (typeof sent === 'string' && sent !== '') {
      tests.push(isNegated ? { field, differs: [sent] } : { field, equals: [sent] });
    } else if (isPartOfAddress) throw notFound(`The parameter "${name}" is missing.`);
    else if (isRequired) return undefined;
  }
  return tests;
};

/** In ascending id. Each test is still to be made. */
const candidates = (list: RecordList, tests: readonly ListTest[], viewer: ListViewer): readonly Entity[] => {
  const { records, site, store } = viewer;
  const { entityType: type } = list;
  const textsFor = textsIn(tests);
  const ids = textsFor(identityOf(type).id)?.flatMap((text) => (/^[0-9]{1,16}$/.test(text) ? [Number(text)] : []));
  if (ids !== undefined) return ids.flatMap((id) => records.get(entityKey(type, id)) ?? []);
  const bundleName = identityOf(type).bundle;
  const bundles = bundleName === undefined ? undefined : textsFor(bundleName);
  const all = site.model.bundles(type).map(({ id }) => id);
  const keys = indexKeysOf(list, textsFor, bundles ?? all);
  if (keys !== undefined) {
    const lists = keys.map((key) => records.lookup(key));
    return lists.length === 1 ? (lists[0] ?? []) : byId(lists.flat());
  }
  const known = bundles?.filter((id) => all.includes(id));
  const read = async (): Promise<readonly Entity[]> => {
    if (known === undefined) return everyRecord(list, undefined, store);
    return byId((await Promise.all(known.map((bundle) => everyRecord(list, bundle, store)))).flat());
  };
  return records.later('every record', [list, ...(known ?? [])], read, everyOf(type)) ?? [];
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

const recordsOfPage = 500;

const everyRecord = async (
  { entityType }: RecordList,
  bundle: string | undefined,
  store: Pick<EntityStore, 'list'>,
): Promise<readonly Entity[]> => {
  const found: Entity[] = [];
  const slices = beginSlices();
  // Lists that arrive together begin in turns of their own.
  await slices.next();
  for (let offset = 0; ; offset += recordsOfPage) {
    const { entities, total } = await store.list(entityType, { bundle, offset, limit: recordsOfPage });
    for (const entity of entities) found.push(entity);
    if (offset + recordsOfPage >= total) return found;
    if (slices.isOver()) await slices.next();
  }
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
