/** Reads the arguments and filters of a view as the conditions of a list. */
import { given } from '../../../basics/json.ts';
import {
  booleanOf,
  dataOf,
  filledTextOf,
  namesOf,
  textOf,
  textsOf,
  yesOf,
  type Data,
} from '../../../basics/exported/lenient-values.ts';
import type { SiteList } from '../site-format.ts';
import { fieldOf, type ViewModel } from './view-fields.ts';

type Part<K extends 'arguments' | 'parameters' | 'where'> = Record<string, NonNullable<SiteList[K]>[string]>;

/** The conditions of a list, as short as people write them. `lost` says what was not understood and left out. */
export type ViewConditions = {
  readonly path: string;
  readonly arguments: Part<'arguments'>;
  readonly parameters: Part<'parameters'>;
  readonly where: Part<'where'>;
  readonly lost: string[];
};

type Draft = Omit<ViewConditions, 'path'>;

/** Undefined when a part of the path means something that a list does not have. */
export const conditionsOf = (
  path: string,
  handlers: { readonly arguments: Data; readonly filters: Data; readonly groups: Data },
  model: ViewModel,
): ViewConditions | undefined => {
  const draft: Draft = { arguments: {}, parameters: {}, where: {}, lost: [] };
  const waiting = Object.entries(handlers.arguments).map(([id, data]) => ({ id, data: dataOf(data) }));
  let isUnderstood = true;
  const parts = path.split('/').map((part, index) => {
    if (!part.startsWith('%')) return part;
    const name = part.slice(1) || `arg_${index}`;
    const argument = waiting.shift();
    isUnderstood &&= argument !== undefined && takeArgument(draft, name, argument.data, model);
    return `{${name}}`;
  });
  for (const { id, data } of waiting) isUnderstood &&= takeRest(draft, parts, id, data, model);
  if (!isUnderstood) return undefined;
  if (isJoinedByOr(handlers.filters, handlers.groups)) draft.lost.push('conditions that are joined by "or"');
  else for (const [id, data] of Object.entries(handlers.filters)) takeFilter(draft, id, dataOf(data), model);
  return { ...draft, path: `/${parts.join('/')}` };
};

/** The arguments that compare a value with the text. Others reckon with dates, depths or the search index. */
const comparing: ReadonlySet<string> = new Set(
  `string numeric standard entity_target_id taxonomy language user_uid file_fid node_nid node_vid node_type media_mid vocabulary_vid
  bundle list_field string_list_field`.split(/\s+/),
);

const argumentField = (data: Data, model: ViewModel): string | undefined => {
  const plugin = filledTextOf(data['plugin_id']) ?? 'standard';
  return comparing.has(plugin) && booleanOf(data['not']) !== true ? fieldOf(data, model) : undefined;
};

const takeArgument = (draft: Draft, name: string, data: Data, model: ViewModel): boolean => {
  const field = argumentField(data, model);
  if (field === undefined) return false;
  const check = filledTextOf(dataOf(data['validate'])['type'])?.startsWith('entity:') === true;
  draft.arguments[name] = check ? field : { field, check };
  return true;
};

/** An argument that the path does not have: the view makes up its value, or takes it behind the path. */
const takeRest = (draft: Draft, parts: string[], id: string, data: Data, model: ViewModel): boolean => {
  const action = filledTextOf(data['default_action']) ?? 'ignore';
  if (action === 'ignore') return true;
  const field = argumentField(data, model);
  if (field === undefined) return false;
  const options = dataOf(data['default_argument_options']);
  if (action !== 'default') {
    const name = /^[a-z][a-z0-9_]*$/.test(id) ? id : `arg_${parts.length}`;
    parts.push(`{${name}}`);
    return takeArgument(draft, name, data, model);
  }
  switch (data['default_argument_type']) {
    case 'query_parameter': {
      const name = filledTextOf(options['query_param']);
      if (name === undefined) return false;
      const fallback = filledTextOf(options['fallback']);
      const isOptional = fallback !== undefined && fallback === dataOf(data['exception'])['value'];
      draft.parameters[name] = isOptional ? field : { field, required: 'not_found' };
      if (fallback !== undefined && !isOptional) draft.lost.push(`the value of "${name}" when it is left out`);
      return true;
    }
    case 'fixed': {
      const value = filledTextOf(options['argument']);
      if (value !== undefined) draft.where[field] = value;
      return value !== undefined;
    }
    default:
      return false;
  }
};

const isJoinedByOr = (filters: Data, groups: Data): boolean => {
  const groupsOf = Object.values(filters).map((filter) => textOf(dataOf(filter)['group']) ?? '1');
  const byGroup = dataOf(groups['groups']);
  const listed = Array.isArray(groups['groups']) ? (groups['groups'] as unknown[]) : undefined;
  const operatorOf = (group: string): unknown => byGroup[group] ?? listed?.[Number(group)];
  if (groups['operator'] === 'OR' && new Set(groupsOf).size > 1) return true;
  return groupsOf.some((group, index) => operatorOf(group) === 'OR' && groupsOf.indexOf(group) !== index);
};

/** What a filter asks for besides the rights to view, which each list checks anyway. */
const alwaysMet: ReadonlySet<string> = new Set(['node_status', 'media_status', 'node_access', 'status']);

const takeFilter = (draft: Draft, id: string, data: Data, model: ViewModel): void => {
  if (alwaysMet.has(filledTextOf(data['plugin_id']) ?? '')) return;
  const field = fieldOf(data, model);
  const isExposed = booleanOf(data['exposed']) === true;
  const isTaken = field !== undefined && (isExposed ? takeExposed : takeFixed)(draft, id, field, data);
  if (!isTaken) draft.lost.push(`the filter ${id}`);
};

const takeFixed = (draft: Draft, _id: string, field: string, data: Data): boolean => {
  const test = testOf(data);
  if (test === undefined || Object.hasOwn(draft.where, field)) return false;
  draft.where[field] = test;
  return true;
};

const same: ReadonlySet<string> = new Set(['=', 'in', 'or']);
const different: ReadonlySet<string> = new Set(['!=', 'not in', 'not']);

/** The filters that compare whole values. */
const comparingFilters: ReadonlySet<string> = new Set(
  'boolean string numeric bundle list_field user_name taxonomy_index_tid entity_reference'.split(' '),
);

const takeExposed = (draft: Draft, id: string, field: string, data: Data): boolean => {
  const expose = dataOf(data['expose']);
  const name = filledTextOf(expose['identifier']) ?? id;
  const operator = filledTextOf(data['operator']) ?? '=';
  const plugin = filledTextOf(data['plugin_id']) ?? 'string';
  const isNegated = different.has(operator);
  // Left out it asks for nothing, and the path names the same.
  const argument = draft.arguments[name];
  const named = typeof argument === 'object' ? argument.field : argument;
  if (named === field && valuesOf(data).length === 0) return true;
  if (!comparingFilters.has(plugin) || booleanOf(data['is_grouped']) === true) return false;
  if (!isNegated && !same.has(operator)) return false;
  if (Object.hasOwn(draft.parameters, name) || Object.hasOwn(draft.arguments, name)) return false;
  const said = given({ required: yesOf(expose['required']), not: isNegated || undefined });
  draft.parameters[name] = Object.keys(said).length === 0 ? field : { field, ...said };
  if (valuesOf(data).length > 0) draft.lost.push(`the value of "${name}" when it is left out`);
  return true;
};

const testOf = (data: Data): Part<'where'>[string] | undefined => {
  const plugin = filledTextOf(data['plugin_id']) ?? 'string';
  const operator = filledTextOf(data['operator']) ?? '=';
  if (operator === 'empty' || operator === 'not empty') return { set: operator === 'not empty' };
  if (!comparingFilters.has(plugin)) return undefined;
  const values = valuesOf(data);
  // The words of the language of the page, and of the current user.
  if (values.length === 0 || values.some((value) => value.startsWith('***'))) return undefined;
  const [only = '', ...others] = values;
  if (plugin === 'boolean') return booleanOf(only) === true;
  const wanted = others.length === 0 ? only : [...values];
  if (different.has(operator)) return { not: wanted };
  return same.has(operator) ? wanted : undefined;
};

const valuesOf = ({ value }: Data): readonly string[] => {
  const single = filledTextOf(value);
  if (single !== undefined) return [single];
  if (Array.isArray(value)) return textsOf(value);
  const { value: inner } = dataOf(value);
  const number = filledTextOf(inner);
  if ('value' in dataOf(value)) return number === undefined ? [] : [number];
  return namesOf(value);
};
