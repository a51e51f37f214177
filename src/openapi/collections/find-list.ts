/** Finds the records in the answer of a list, and what each parameter of its query does. */
import { successOf } from '../answers/answer.ts';
import type { Media, Operation, Response } from '../document/operation.ts';
import { isJsonType } from '../media-type.ts';
import type { Outline } from '../schemas/outline.ts';
import { isRecord } from '../../basics/json.ts';
import type { Schemas } from '../schemas/schemas.ts';
import { namesLike, roleOfParameter, singularOf } from './names.ts';
import type { ListPlan, QueryPlan } from './plan.ts';

type ListOptions = {
  readonly schemas: Schemas;
  readonly outline: (schema: unknown) => Outline;
  /** Those of a record. */
  readonly members: readonly string[];
  /** The member that has the records, where the author says so. */
  readonly items: string | undefined;
  readonly refuse: (reason: string) => never;
};

export const findList = (operation: Operation, options: ListOptions): ListPlan => {
  const { outline, refuse, members, schemas } = options;
  const found = jsonOf(operation);
  if (found === undefined) return refuse(`GET ${operation.path} answers no JSON.`);
  const { schema } = found.media;
  const { types, names, member, item } = outline(schema);
  const query = queryOf(operation, { members, outline, schemas });
  if (types.has('array')) {
    if (!isOfObjects(item(0), outline)) refuse(`GET ${operation.path} answers no list of objects.`);
    return { operation, ...found, items: undefined, itemSchema: item(0), query };
  }
  const lists = names.filter((name) => {
    const { types: own, item: itemOf } = outline(member(name));
    return own.has('array') && isOfObjects(itemOf(0), outline);
  });
  const name = options.items ?? lists[0];
  if (name === undefined) return refuse(`GET ${operation.path} answers no list of objects.`);
  if (options.items === undefined && lists.length > 1)
    refuse(`GET ${operation.path} answers two lists: ${lists.slice(0, 2).join(' and ')}.`);
  return { operation, ...found, items: name, itemSchema: outline(member(name)).item(0), query };
};

/** The JSON of an operation's success. */
export const jsonOf = (operation: Operation): { readonly response: Response; readonly media: Media } | undefined => {
  const { response } = successOf(operation);
  const media = response?.media.find(({ type }) => isJsonType(type));
  return response === undefined || media === undefined ? undefined : { response, media };
};

const isOfObjects = (schema: unknown, outline: ListOptions['outline']): boolean => {
  const { types } = outline(schema);
  return types.size === 0 || types.has('object');
};

type QueryOptions = Pick<ListOptions, 'members' | 'outline' | 'schemas'>;

const queryOf = ({ parameters }: Operation, { members, outline, schemas }: QueryOptions): QueryPlan => {
  const filters: { parameter: string; member: string }[] = [];
  const objects: string[] = [];
  const ignored: string[] = [];
  const byRole = new Map<string, string>();
  let first = 1;
  for (const { name, in: place, schema } of parameters) {
    if (place !== 'query') continue;
    const role = roleOfParameter(name, members);
    const own = namesLike(members, name);
    // `ids` are several of `id`.
    const isPlural = own.length === 0 && outline(schema).types.has('array');
    const [like, ...more] = isPlural ? namesLike(members, singularOf(name)) : own;
    if (role === 'filter' && outline(schema).types.has('object')) objects.push(name);
    else if (role !== undefined && role !== 'filter' && !byRole.has(role)) {
      byRole.set(role, name);
      if (role === 'page') first = isFromZero(schema, schemas) ? 0 : 1;
    } else if (like !== undefined && more.length === 0) filters.push({ parameter: name, member: like });
    else ignored.push(name);
  }
  const page = byRole.get('page');
  const named = (role: string): string | undefined => byRole.get(role);
  return {
    ...{ filters, objects, ignored, page: page === undefined ? undefined : { parameter: page, first } },
    ...{ search: named('search'), limit: named('limit'), offset: named('offset'), cursor: named('cursor') },
    ...{ sort: named('sort'), direction: named('direction') },
  };
};

/** Pages count from 0 where the document allows or says 0. */
const isFromZero = (schema: unknown, schemas: Schemas): boolean => {
  const read = schemas.read(schema ?? true, 'request');
  return isRecord(read) && (read['minimum'] === 0 || read['default'] === 0);
};
