/** What modules add that is about the address of a record: its alias, the elements of its page's head, where a redirect begins. */
import { markup } from '../../markup/page-markup.ts';
import { type FieldType, shapes } from '../field-type.ts';
import type { PropertyRule } from '../rule.ts';
import { fits, integer, object, text } from '../rules.ts';
import { hasMembers, isMissing, isMissingOrEmptyText, scalarText } from '../values.ts';

const beginsWithSlash: PropertyRule = (value, { automatic }) =>
  automatic === true || scalarText(value).startsWith('/') ? undefined : 'The alias path has to start with a slash.';

/** A record keeps the alias, number and language of the alias that it shows, and whether the site makes its aliases (`living/aliases`). */
export const path: FieldType = {
  name: 'path',
  isOfBase: true,
  main: 'alias',
  properties: ['alias', 'pid', 'langcode', 'pathauto'],
  added: ['pid', 'langcode', 'pathauto'],
  isEmpty: ({ alias }) => isMissingOrEmptyText(alias),
  store: ({ alias }) => ({ alias: scalarText(alias) }),
  rules: { alias: [text, beginsWithSlash, fits(255)], pid: [integer], langcode: [text] },
  page: ({ alias }) => markup`${typeof alias === 'string' ? alias : 'none'}`,
  form: () => [{ property: 'alias', label: 'Alias', hint: 'Begins with a slash.' }],
  schema: ({ automatic }) => ({ shown: 'PathItem', sent: automatic === true ? 'AutomaticPathInput' : 'PathInput' }),
  module: 'path',
  widget: 'path',
};

/** Metatags are computed from the record. `denormalise.ts` drops the sent ones. */
export const metatag: FieldType = {
  name: 'metatag',
  isOfBase: true,
  main: 'tag',
  properties: ['tag', 'attributes'],
  isEmpty: () => true,
  store: (item) => item,
  schema: shapes('MetatagItem'),
  module: 'metatag',
  widget: 'metatag_firehose',
};

/** Slashes at the end of the path do not count for a real site, either. Slashes alone are the front page, which nothing redirects. */
export const redirectSource: FieldType = {
  name: 'redirect_source',
  isOfBase: true,
  main: 'path',
  properties: ['path', 'query'],
  isEmpty: ({ path: from }) => isMissing(from) || (typeof from === 'string' && /^\/*$/.test(from)),
  store: ({ path: from, query }) => ({
    path: scalarText(from).replace(/\/+$/, ''),
    ...(hasMembers(query) ? { query: query ?? null } : {}),
  }),
  rules: { path: [text, fits(2048)], query: [object] },
  json: ({ path: from, query }) => ({ path: from ?? null, query: query ?? [] }),
  form: () => [{ property: 'path', label: 'Path' }],
  schema: shapes('RedirectSource', 'RedirectSourceInput'),
  module: 'redirect',
  widget: 'redirect_source',
};
