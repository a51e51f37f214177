/** Finds the redirect for a request. */
import { entityPath, type Site } from '../../site/site.ts';
import { decodedUri } from '../../model/uri.ts';
import { redirectFrom } from '../../model/index-keys.ts';
import type { Records } from '../../model/reading.ts';
import { recordAt, sourceOf } from './path-aliases.ts';
import { type Entity, firstValue, items, textOf } from '../../../openapi/openapi-records.ts';
import type { JsonObject } from '../../../basics/json.ts';

/** Where a request is sent. `loop`: redirects that lead to each other. */
type FoundRedirect = { readonly id: number; readonly status: number; readonly location: string } | 'loop';

type Place = { readonly path: string; readonly query: URLSearchParams };
type Redirects = { readonly records: Records; readonly site: Site; readonly baseUrl: string };

/** Follows a chain of redirects to its end. The query of the request goes along, behind that of the redirect. */
export const findRedirect = (asked: Place, redirects: Redirects): FoundRedirect | undefined => {
  const { baseUrl } = redirects;
  const met = new Set<number>();
  let place = asked;
  let found: FoundRedirect | undefined;
  for (;;) {
    const redirect = redirectAt(place, redirects);
    if (redirect === undefined) return found;
    if (met.has(redirect.id)) return 'loop';
    met.add(redirect.id);
    const target = addressOf(redirect, redirects);
    const code = firstValue(redirect, 'status_code');
    const status = typeof code === 'number' ? code : 301;
    const location = withQuery(target, asked.query);
    found = { id: redirect.id, status, location: location.startsWith('/') ? baseUrl + location : location };
    if (!target.startsWith('/')) return found;
    const url = new URL(target, 'http://site');
    place = { path: decodedUri(url.pathname), query: url.searchParams };
  }
};

/** The redirect with the query of the request goes before the one without a query. */
const redirectAt = ({ path, query }: Place, { records, site }: Redirects): Entity | undefined => {
  const fitting = records.lookup(redirectFrom(path)).filter((redirect) => {
    const language = firstValue(redirect, 'language');
    return firstValue(redirect, 'enabled') !== false && (language === 'und' || language === site.langcode);
  });
  const bare = fitting.find((redirect) => Object.keys(sourceOf(redirect).query).length === 0);
  return fitting.find((redirect) => isQueryOf(sourceOf(redirect).query, query)) ?? bare;
};

/** open: queries with lists in them, such as `f[0]=…`. */
const isQueryOf = (wanted: JsonObject, query: URLSearchParams): boolean => {
  const names = Object.keys(wanted);
  const sent = [...new Set(query.keys())];
  return (
    names.length > 0 &&
    names.length === sent.length &&
    names.every((name) => query.getAll(name).at(-1) === textOf(wanted[name]))
  );
};

/** A path of the site, or a whole address. A record is at its alias. open: a route leads to the front page. */
const addressOf = (redirect: Entity, { records, site }: Redirects): string => {
  const uri = textOf(items(redirect, 'redirect_redirect')[0]?.['uri']);
  const [, scheme, inside = ''] = /^(internal|base|entity|route):\/*(.*)$/s.exec(uri) ?? [];
  if (scheme === undefined) return uri;
  if (scheme === 'route') return '/';
  const [path = '', rest = ''] = splitAt(
    `/${scheme === 'entity' ? inside.replace(/^taxonomy_term\//, 'taxonomy/term/') : inside}`,
  );
  const key = recordAt(path, site);
  const record = key === undefined ? undefined : records.get(key);
  return (record === undefined ? path : entityPath(site, record)) + rest;
};

/** A path, and its query and fragment. */
const splitAt = (address: string): readonly string[] => /^([^?#]*)(.*)$/s.exec(address)?.slice(1) ?? [];

const withQuery = (target: string, query: URLSearchParams): string => {
  const [, before = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(target) ?? [];
  const known = new URLSearchParams(before.split('?')[1] ?? '');
  const added = new URLSearchParams([...query].filter(([name]) => !known.has(name))).toString();
  if (added === '') return target;
  return `${before}${before.includes('?') ? '&' : '?'}${added}${fragment}`;
};
