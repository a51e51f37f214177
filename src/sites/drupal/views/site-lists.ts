/** Makes the lists of a site from the REST displays of its views. What is not understood is named. */
import { filled } from '../../../basics/json.ts';
import { providerNames } from '../../../repository/repository.ts';
import { pathShape, type ListedType } from '../../../repository/repository-sites.ts';
import type { Configuration } from '../configuration.ts';
import {
  booleanOf,
  dataOf,
  filledTextOf,
  namesOf,
  textOf,
  textsOf,
  wholeOf,
  type Data,
} from '../../../basics/exported/lenient-values.ts';
import type { Reporter } from '../report.ts';
import type { SiteList, SiteRole } from '../site-format.ts';
import { columnsOf, type ViewColumns } from './view-columns.ts';
import { conditionsOf, type ViewConditions } from './view-conditions.ts';
import { fieldOf, listedTables, type ViewModel } from './view-fields.ts';
import { exportDisplays, isManifest, permissionsOf, restDisplays, type ServedDisplay } from './displays.ts';

/** What the imported site has. */
type ListSurroundings = {
  /** The paths of other reads. */
  readonly taken: readonly string[];
  /** Whether records of the type may have the field, and its items keep the property. */
  readonly hasField: (type: ListedType, name: string, property?: string) => boolean;
  readonly roles: readonly SiteRole[];
};

/** Where other operations are. */
const takenPaths = [
  /^\/(node|taxonomy\/term)(\/\{\})?$/,
  /^\/media\/\{\}(\/(edit|source|linkset))?$/,
  /^\/node\/\{\}\/(linkset|media\/\{\}\/\{\})$/,
  /^\/(entity|_atoll|file\/upload|session|rest\/session|jwt|oauth|user|islandora_workbench_integration)(\/|$)/,
  /^\/(openapi(-3\.0)?\.(json|yaml)|favicon\.ico)$/,
];

/** Whether something else than a list is at a path of this shape. */
export const isTaken = (shape: string): boolean => takenPaths.some((pattern) => pattern.test(shape));

/** The lists by the names of their files. */
export const siteLists = (
  configuration: Configuration,
  around: ListSurroundings,
  reporter: Reporter,
): ReadonlyMap<string, SiteList> => {
  const lists = new Map<string, SiteList>();
  const shapes = new Set(around.taken.map(pathShape));
  for (const display of restDisplays(configuration)) {
    if (isManifest(display)) continue;
    const where = `${display.name}: /${display.path}`;
    const made = listOf(display, around);
    if ('not' in made) {
      if (made.isOutside === true) reporter.outside(where, `a view serves this path: ${made.not}`);
      else reporter.partly(where, `a view serves this path, the program does not: ${made.not}`);
      continue;
    }
    const shape = pathShape(made.list.path);
    if (shapes.has(shape) || isTaken(shape)) {
      reporter.partly(where, 'a view serves this path, the program does not: something else is there already');
      continue;
    }
    shapes.add(shape);
    for (const lost of made.lost) reporter.partly(where, `a list is without ${lost}`);
    lists.set(fileName(made.list.path, lists), made.list);
    reporter.taken('REST paths of views');
  }
  for (const where of exportDisplays(configuration)) reporter.outside(where, 'a view serves a table to download here');
  return lists;
};

const fileName = (path: string, taken: ReadonlyMap<string, unknown>): string => {
  const word = path
    .replace(/[{}]/g, '')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .toLowerCase();
  let name = `lists/${word}.yml`;
  for (let number = 2; taken.has(name); number += 1) name = `lists/${word}_${number}.yml`;
  return name;
};

type Made =
  | { readonly list: SiteList; readonly lost: readonly string[] }
  | { readonly not: string; readonly isOutside?: boolean };

const listOf = (display: ServedDisplay, around: ListSurroundings): Made => {
  const type = listedTables[display.baseTable];
  if (type === undefined) {
    const isOutside = display.baseTable.startsWith('search_api_index_');
    return { not: `it lists records of ${display.baseTable || 'an unknown table'}`, isOutside };
  }
  const style = dataOf(display.option('style'));
  const styleName = filledTextOf(style['type']) ?? 'serializer';
  if (styleName !== 'serializer') return { not: `its style is ${styleName}` };
  const row = dataOf(display.option('row'));
  const rowName = filledTextOf(row['type']) ?? 'data_entity';
  if (rowName !== 'data_entity' && rowName !== 'data_field') return { not: `its rows are ${rowName}` };
  const isOfFields = rowName === 'data_field';
  const model = modelOf(type, around);
  const handlers = {
    arguments: dataOf(display.option('arguments')),
    filters: dataOf(display.option('filters')),
    groups: dataOf(display.option('filter_groups')),
  };
  const conditions = conditionsOf(display.path, handlers, model);
  if (conditions === undefined) return { not: 'an argument of it is none of a list' };
  const formats = formatsOf(style, isOfFields);
  if (formats.known.length === 0) return { not: `its formats are ${formats.others.join(', ')}` };
  const [fields, relationships] = [dataOf(display.option('fields')), dataOf(display.option('relationships'))];
  const options = dataOf(dataOf(row['options'])['field_options']);
  const columns = isOfFields ? columnsOf({ fields, options, relationships }, model) : undefined;
  if (columns !== undefined && Object.keys(columns.fields).length === 0) return { not: 'none of its fields is known' };
  return joined(display, around, { model, conditions, formats, columns });
};

const modelOf = (type: ListedType, around: ListSurroundings): ViewModel => ({
  ...{ type, of: (other) => modelOf(other, around) },
  hasField: (name, property) => around.hasField(type, name, property),
});

type Parts = {
  readonly model: ViewModel;
  readonly conditions: ViewConditions;
  readonly formats: ReturnType<typeof formatsOf>;
  readonly columns: ViewColumns | undefined;
};

const joined = (display: ServedDisplay, around: ListSurroundings, parts: Parts): Made => {
  const { model, conditions, formats, columns } = parts;
  const { path, arguments: named, parameters, where, lost } = conditions;
  const order = orderOf(dataOf(display.option('sorts')), model);
  const pages = pagesOf(dataOf(display.option('pager')));
  const access = accessOf(display, around);
  const auth = providersOf(display.option('auth'));
  return {
    list: {
      ...{ path, label: labelOf(display), entity_type: model.type },
      ...filled({ arguments: named, parameters, where, sort: order.sort, fields: columns?.fields }),
      ...{ ...pages.pages, ...access.access, formats: formats.known, providers: auth.providers },
    },
    lost: [
      ...[...lost, ...order.lost, ...(columns?.lost ?? []), ...pages.lost, ...access.lost, ...auth.lost],
      ...formats.others.map((format) => `the format ${format}`),
    ],
  };
};

const labelOf = (display: ServedDisplay): string =>
  filledTextOf(display.option('title')) ?? `The list /${display.path}`;

const formatsOf = (style: Data, isOfFields: boolean): { known: ('json' | 'jsonld')[]; others: string[] } => {
  const named = namesOf(dataOf(style['options'])['formats']);
  const wanted = named.length === 0 ? ['json', 'jsonld'] : named;
  const possible = isOfFields ? ['json'] : ['jsonld', 'json'];
  return {
    known: (['jsonld', 'json'] as const).filter((format) => possible.includes(format) && wanted.includes(format)),
    others: named.filter((format) => !possible.includes(format)),
  };
};

const orderOf = (sorts: Data, model: ViewModel): { sort: string[]; lost: string[] } => {
  const sort: string[] = [];
  const lost: string[] = [];
  for (const [id, written] of Object.entries(sorts)) {
    const data = dataOf(written);
    const field = fieldOf(data, model);
    if (field === undefined) lost.push(`the sort ${id}`);
    else sort.push(data['order'] === 'DESC' ? `-${field}` : field);
    if (booleanOf(data['exposed']) === true) lost.push(`the choice of the sort ${id}`);
  }
  return { sort, lost };
};

/** A REST export inherits no pager: without one of its own it shows its first records, as `DisplayPluginBase` of core says. */
const usualSize = 10;

type Pages = { page_size: number | 'all'; largest_page?: number; limit?: number };

const pagesOf = (pager: Data): { pages: Pages; lost: string[] } => {
  const options = dataOf(pager['options']);
  const size = wholeOf(options['items_per_page']) ?? usualSize;
  const lost = (wholeOf(options['offset']) ?? 0) > 0 ? ['the offset of its first record'] : [];
  const type = filledTextOf(pager['type']) ?? 'some';
  if (type === 'none' || size < 1) return { pages: { page_size: 'all' }, lost };
  if (type === 'some') return { pages: { page_size: 'all', limit: size }, lost };
  const expose = dataOf(options['expose']);
  const choices = (textOf(expose['items_per_page_options']) ?? '').split(',').flatMap((each) => wholeOf(each) ?? []);
  const largest = Math.max(size, ...choices);
  return {
    pages: { page_size: size, ...(booleanOf(expose['items_per_page']) === true ? { largest_page: largest } : {}) },
    lost,
  };
};

type Access = Pick<SiteList, 'permissions' | 'roles'>;

const accessOf = (display: ServedDisplay, { roles: known }: ListSurroundings): { access: Access; lost: string[] } => {
  const permissions = permissionsOf(display);
  if (permissions !== undefined) return { access: filled({ permissions }), lost: [] };
  const { type, options } = dataOf(display.option('access'));
  const roles =
    type === 'role' ? namesOf(dataOf(options)['role']).filter((role) => known.some(({ id }) => id === role)) : [];
  if (roles.length > 0) return { access: { roles }, lost: [] };
  // Better closed than open to those that the real site refuses.
  const administrators = known.find(({ is_admin: isAdmin }) => isAdmin === true);
  return {
    access: { roles: [administrators?.id ?? 'administrator'] },
    lost: ['its access rule: only administrators may ask'],
  };
};

/** Without a choice the platform takes those that are for every route. */
const providersOf = (auth: unknown): { providers: (typeof providerNames)[number][]; lost: string[] } => {
  const named = textsOf(auth);
  const providers = providerNames.filter((name) => named.includes(name));
  const others = named.filter((name) => !providerNames.some((known) => known === name));
  const lost = others.map((name) => `the provider ${name}`);
  return { providers: providers.length === 0 ? ['jwt_auth', 'cookie'] : providers, lost };
};
