/** Tells from its place in JSON which kind of id a number or text is. */
import { entityTypes, type Site } from '../../repository/repository.ts';
import type { IdKind } from './id-map.ts';

export const matchesPlace = (pattern: string, place: string): boolean => {
  const wanted = pattern.split('/');
  const steps = place.split('/');
  const isOpen = wanted.at(-1) === '**';
  const fixed = isOpen ? wanted.slice(0, -1) : wanted;
  if (isOpen ? steps.length < fixed.length : steps.length !== fixed.length) return false;
  return fixed.every((step, at) => step === '*' || step === steps[at]);
};

/** The pattern of all places that differ in their indexes alone. */
export const patternOfPlace = (place: string): string =>
  place
    .split('/')
    .map((step) => (/^(?:\d+|-)$/.test(step) ? '*' : step))
    .join('/');

/** The names of members and the indexes on the way from the root. */
export type Path = readonly string[];

type Members = Readonly<Record<string, unknown>>;

/** `root` and `parent` are the whole body and the object around the value. Undefined: the value is not an id. */
export type IdPlaces = (path: Path, root: unknown, parent: unknown) => IdKind | undefined;

/** A record of another type has these for others, such as its author. */
const recordIds = { nid: 'node', mid: 'media', fid: 'file', tid: 'taxonomy_term' } as const;

const ownIds: Readonly<Record<string, IdKind>> = {
  ...recordIds,
  uid: 'user',
  rid: 'redirect',
  file_id: 'file',
};

/** The id that a record has of its own. */
export const ownIdIn = (record: unknown): { readonly kind: IdKind; readonly id: string } | undefined => {
  for (const [name, kind] of Object.entries(recordIds)) {
    const [item] = [memberOf(record, name)].flat();
    const value = memberOf(item, 'value');
    if (typeof value === 'number') return { kind, id: String(value) };
  }
  return undefined;
};

const paired: ReadonlySet<string> = new Set(['node', 'media', 'file', 'taxonomy_term', 'user']);

/** Knows the targets of the site's references; an answer also tells them itself. */
export const createIdPlaces = (site: Site): IdPlaces => {
  const targets = targetsOf(site);
  return (path, root, parent) => {
    const names = path.filter((step) => !/^\d+$/.test(step));
    const last = names.at(-1) ?? '';
    const field = names.at(-2) ?? '';
    if (last === 'target_id') return asKind(memberOf(parent, 'target_type') ?? targets.get(field));
    const name = last === 'value' ? field : last;
    if (last === 'pid' && field === 'path') return 'path_alias';
    if (name === 'vid' || name === 'revision_id') return revisionKind(path.length > 3 ? recordAt(root, path) : root);
    return Object.hasOwn(ownIds, name) ? ownIds[name] : undefined;
  };
};

const asKind = (type: unknown): IdKind | undefined =>
  typeof type === 'string' && paired.has(type) ? (type as IdKind) : undefined; // one of the set

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Members)[name] : undefined;

/** The element of a list of records. */
const recordAt = (root: unknown, path: Path): unknown => (Array.isArray(root) ? root[Number(path[0])] : root);

const revisionKind = (record: unknown): IdKind | undefined => {
  const own = ['nid', 'mid', 'tid'].find((name) => memberOf(record, name) !== undefined);
  return own === undefined ? undefined : `${ownIds[own] ?? ''}_revision`;
};

/** What each field refers to. A name that two bundles use for two types is left out. */
const targetsOf = (site: Site): ReadonlyMap<string, string> => {
  const targets = new Map<string, string>();
  const unclear = new Set<string>();
  for (const bundle of entityTypes.flatMap((type) => site.model.bundles(type))) {
    for (const { name, target } of bundle.fields.values()) {
      if (target === undefined) continue;
      if ((targets.get(name) ?? target.type) !== target.type) unclear.add(name);
      targets.set(name, target.type);
    }
  }
  return new Map([...targets].filter(([name]) => !unclear.has(name)));
};
