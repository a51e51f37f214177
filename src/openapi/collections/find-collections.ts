/** Finds the collections of a document: paths of lists with paths of their records, and singletons. */
import { isRecord } from '../../basics/json.ts';
import { partOf, type Part } from '../document/nodes.ts';
import type { Operation } from '../document/operation.ts';
import type { References } from '../schemas/references.ts';
import { shapeOf } from '../router.ts';
import type { Outline } from '../schemas/outline.ts';
import type { Schemas } from '../schemas/schemas.ts';
import { collectionBounds } from './collection-store.ts';
import { findList, jsonOf } from './find-list.ts';
import { namesLike, plainName, singularOf } from './names.ts';
import type {
  CollectionFlaw,
  CollectionPlan,
  CollectionRole,
  IdKind,
  NoCollection,
  ParentMember,
  ParentPlan,
} from './plan.ts';
import { readSetting, type Setting } from './setting.ts';

export type FindOptions = {
  readonly document: Part;
  readonly references: References;
  readonly operations: readonly Operation[];
  readonly schemas: Schemas;
  readonly outline: (schema: unknown) => Outline;
  /** Names that other documents have. */
  readonly takenNames?: ReadonlySet<string> | undefined;
};

export type FoundCollections = {
  /** Each after its parent. */
  readonly plans: readonly CollectionPlan[];
  readonly others: readonly NoCollection[];
  readonly flaws: readonly CollectionFlaw[];
};

/** Says why a path is not a collection. */
class Unfit extends Error {
  override name = 'Unfit';
}

export const findCollections = (options: FindOptions): FoundCollections => {
  const finder = createFinder(options);
  const { byPath, others } = finder;
  const paths = [...byPath.keys()].sort((a, b) => a.split('/').length - b.split('/').length);
  for (const path of paths) {
    const candidate = candidateAt(path, byPath);
    if (candidate === undefined) continue;
    try {
      finder.add(candidate);
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      others.push({ path: candidate.path, reason: error.message });
    }
  }
  return { plans: finder.plans, others, flaws: finder.flaws };
};

type Methods = ReadonlyMap<string, Operation>;

type Candidate = {
  readonly path: string;
  /** The path of one record. Undefined for a singleton, and where the document lacks it. */
  readonly itemPath: string | undefined;
  readonly isSingleton: boolean;
};

const writes = ['PUT', 'PATCH', 'DELETE'];

/** The last segment of a path that is one parameter: `/books/{id}`. */
const parameterAtEnd = (path: string): string | undefined => /\/\{([^{}/]+)\}$/.exec(path)?.[1];

/** What a path may begin: each collection is looked at once, from the path of its list or, without one, of its record. */
const candidateAt = (path: string, byPath: ReadonlyMap<string, Methods>): Candidate | undefined => {
  const methods = byPath.get(path);
  const has = (method: string): boolean => methods?.has(method) === true;
  if (parameterAtEnd(path) !== undefined) {
    const above = path.slice(0, path.lastIndexOf('/'));
    const isWritten = writes.some(has);
    return byPath.has(above) || !isWritten ? undefined : { path: above, itemPath: path, isSingleton: false };
  }
  const items = [...byPath.keys()].filter((each) => itemsPath(each) === path);
  const [itemPath] = items;
  if (itemPath !== undefined) return { path, itemPath, isSingleton: false };
  if (has('POST')) return { path, itemPath: undefined, isSingleton: false };
  return has('GET') && (has('PUT') || has('PATCH')) ? { path, itemPath: undefined, isSingleton: true } : undefined;
};

const itemsPath = (path: string): string | undefined =>
  parameterAtEnd(path) === undefined ? undefined : path.slice(0, path.lastIndexOf('/'));

const operationsByPath = (operations: readonly Operation[]): ReadonlyMap<string, Methods> => {
  const byPath = new Map<string, Map<string, Operation>>();
  for (const operation of operations) {
    const methods = byPath.get(operation.path) ?? new Map<string, Operation>();
    byPath.set(operation.path, methods.set(operation.method, operation));
  }
  return byPath;
};

const createFinder = ({ document, references, operations, schemas, outline, takenNames }: FindOptions) => {
  const byPath = operationsByPath(operations);
  const plans: CollectionPlan[] = [];
  const others: NoCollection[] = [];
  const flaws: CollectionFlaw[] = [];
  const names = new Set(takenNames);
  const settingOf = (...paths: readonly (string | undefined)[]): Setting | undefined => {
    for (const path of paths) {
      const item = path === undefined ? {} : partOf(references.overlaid(partOf(document['paths'])[path]));
      const written = item['x-atoll-collection'];
      if (written === undefined || path === undefined) continue;
      const { setting, message } = readSetting(written);
      if (message !== undefined) flaws.push({ keys: ['paths', path, 'x-atoll-collection'], message });
      if (setting !== undefined) return setting;
    }
    return undefined;
  };
  const add = ({ path, itemPath, isSingleton }: Candidate): void => {
    const setting = settingOf(path, itemPath);
    if (setting === false) throw new Unfit('x-atoll-collection is false.');
    const above = byPath.get(path) ?? new Map<string, Operation>();
    const below = (itemPath === undefined ? undefined : byPath.get(itemPath)) ?? new Map<string, Operation>();
    if (!isSingleton) requirePaths(path, itemPath, { above, below, byPath });
    const { collections: most } = collectionBounds;
    if (plans.length >= most) throw new Unfit(`A document has ${most} collections at most.`);
    const record = recordOf(isSingleton ? above : below, outline);
    const name = freeName(setting?.name ?? nameOf(path), path, names);
    const idParameter = itemPath === undefined ? undefined : parameterAtEnd(itemPath);
    const { names: members } = outline(record.media.schema);
    const idMember =
      idParameter === undefined ? undefined : (setting?.id ?? idMemberOf(members, idParameter, lastWord(path)));
    const parent = parentOf(path, { plans, setting, members, idMember });
    const readable = above.get('GET');
    const list =
      isSingleton || readable === undefined
        ? undefined
        : findList(readable, { schemas, outline, members, items: setting?.items, refuse });
    names.add(name);
    plans.push({
      ...{ name, path, isSingleton, idParameter, idMember, parent, record, list },
      parentParameters: parametersIn(path),
      idKind:
        idMember === undefined ? 'text' : idKindOf(outline(record.media.schema).member(idMember), outline, schemas),
      operations: rolesOf(above, below, isSingleton),
    });
  };
  return { byPath, plans, others, flaws, add };
};

const refuse = (reason: string): never => {
  throw new Unfit(reason);
};

type Around = { readonly above: Methods; readonly below: Methods; readonly byPath: ReadonlyMap<string, Methods> };

const requirePaths = (path: string, itemPath: string | undefined, { above, below, byPath }: Around): void => {
  const items = [...byPath.keys()].filter((each) => itemsPath(each) === path);
  if (itemPath === undefined) refuse(`There is no path ${path === '/' ? '' : path}/{id} of one record.`);
  if (items.length > 1) refuse(`Two paths may be its records: ${items.slice(0, 2).join(' and ')}.`);
  if (!byPath.has(path)) refuse(`There is no path ${path}.`);
  if (!below.has('GET')) refuse(`${itemPath} has no GET.`);
  if (!above.has('POST') && !writes.some((method) => below.has(method))) refuse('No operation writes to it.');
};

type RecordPlan = CollectionPlan['record'];

const recordOf = (methods: Methods, outline: FindOptions['outline']): RecordPlan => {
  const operation = methods.get('GET');
  if (operation === undefined) return refuse('It has no GET.');
  const found = jsonOf(operation);
  if (found === undefined) return refuse(`GET ${operation.path} answers no JSON.`);
  const { types } = outline(found.media.schema);
  if (!types.has('object')) return refuse(`GET ${operation.path} answers no object of JSON.`);
  return { operation, ...found };
};

const lastWord = (path: string): string =>
  path
    .split('/')
    .filter((segment) => segment !== '' && !segment.includes('{'))
    .at(-1) ?? '';

/** The member like the parameter; else `id`; else the parameter without the singular of the path: `id` for `bookId` of `/books`. */
const idMemberOf = (members: readonly string[], parameter: string, word: string): string => {
  const singular = plainName(singularOf(word));
  const plain = plainName(parameter);
  const without = singular !== '' && plain.startsWith(singular) ? plain.slice(singular.length) : '';
  for (const wanted of [parameter, 'id', without]) {
    const found = namesLike(members, wanted);
    if (found.length > 1) refuse(`Two members may be the id: ${found.slice(0, 2).join(' and ')}.`);
    if (found[0] !== undefined) return found[0];
  }
  return refuse(`No member of a record is like {${parameter}}, and none is called id.`);
};

const idKindOf = (schema: unknown, outline: FindOptions['outline'], schemas: Schemas): IdKind => {
  const { types } = outline(schema);
  if (types.has('string') || types.size === 0) {
    const read = schemas.read(schema, 'response');
    return isRecord(read) && read['format'] === 'uuid' ? 'uuid' : 'text';
  }
  return types.has('integer') || types.has('number') ? 'integer' : 'text';
};

const parametersIn = (path: string): string[] => [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);

/** The fixed parts of a path: `/users/{id}/posts` → `users/posts`. */
const nameOf = (path: string): string =>
  path
    .split('/')
    .filter((segment) => segment !== '' && !segment.includes('{'))
    .join('/');

/** Where another collection has the name, the whole path is it. */
const freeName = (name: string, path: string, taken: ReadonlySet<string>): string => {
  if (name !== '' && !taken.has(name)) return name;
  for (let number = 1, free = path; ; number += 1, free = `${path} ${number}`) if (!taken.has(free)) return free;
};

type ParentContext = {
  readonly plans: readonly CollectionPlan[];
  readonly setting: Exclude<Setting, false> | undefined;
  readonly members: readonly string[];
  readonly idMember: string | undefined;
};

/** The parent of a path is the part up to its last parameter. */
const parentOf = (path: string, { plans, setting, members, idMember }: ParentContext): ParentPlan | undefined => {
  const end = path.lastIndexOf('}');
  const above = path.slice(0, end + 1);
  const parameter = parameterAtEnd(above);
  if (parameter === undefined || setting?.parent === false) return undefined;
  const others = members.filter((each) => each !== idMember);
  const filled = parentMembers(above, others).filter((each) => each.parameter !== parameter);
  const own =
    typeof setting?.parent === 'string' ? { name: setting.parent, parameter } : parentMembers(above, others).at(-1);
  const member = own?.parameter === parameter ? own : undefined;
  const shape = shapeOf(above);
  return {
    path: above,
    collection: plans.find(
      ({ path: own, idParameter }) => idParameter !== undefined && shapeOf(`${own}/{${idParameter}}`) === shape,
    ),
    member,
    members: [...filled, ...(member === undefined ? [] : [member])],
  };
};

/** The members that are like a parameter of a path, alone or with the word before it: `user_id`, `userId`, `user`. */
const parentMembers = (path: string, members: readonly string[]): ParentMember[] =>
  parametersIn(path).flatMap((parameter) => {
    const before = path.slice(0, path.indexOf(`/{${parameter}}`));
    const word = singularOf(lastWord(before));
    const [name] = [parameter, `${word}${parameter}`, word].flatMap((each) => namesLike(members, each));
    return name === undefined ? [] : [{ name, parameter }];
  });

const rolesOf = (above: Methods, below: Methods, isSingleton: boolean): CollectionPlan['operations'] => {
  const roles = new Map<Operation, CollectionRole>();
  const set = (methods: Methods, method: string, role: CollectionRole): void => {
    const operation = methods.get(method);
    if (operation !== undefined) roles.set(operation, role);
  };
  const one = isSingleton ? above : below;
  if (!isSingleton) {
    set(above, 'GET', 'list');
    set(above, 'POST', 'create');
    set(below, 'DELETE', 'remove');
  }
  set(one, 'GET', 'read');
  set(one, 'PUT', 'replace');
  set(one, 'PATCH', 'patch');
  return roles;
};
