/** Answers a read whose path redirects elsewhere, and finds the record of a path that is a URL alias, on sites that have these. */
import { escapedMarkup } from '../../basics/markup.ts';
import { findRedirect } from '../content/aliases/redirects.ts';
import { aliasAt } from '../model/index-keys.ts';
import { readFrom } from '../model/reading.ts';
import { decodedUri, escapeUri } from '../model/uri.ts';
import { addressPath, type Site } from '../site/site.ts';
import type { World } from '../world.ts';
import type { Operation } from '../document/operation.ts';
import type { PathMatch } from '../../openapi/openapi-parts.ts';
import { isRead, type PlainRequest } from '../../openapi/openapi-host.ts';
import type { OutgoingReply } from './exchange.ts';
import { hasInvalidIds } from './contract-request.ts';
import { type EntityStore, type Entity, firstValue, textOf } from '../../openapi/openapi-records.ts';

/** Whether anything can redirect the request. Every read asks, and nearly no site has a redirect. */
export const mayRedirect = (request: PlainRequest, { site, store }: World): boolean =>
  isRead(request) && site.resources.has('redirect') && hasRedirects(store) !== false;

/** Undefined when nothing redirects the path. A redirect goes before a path of the document, as on the real site. */
export const redirectReply = async (request: PlainRequest, world: World): Promise<OutgoingReply | undefined> => {
  if (!(await hasRedirects(world.store))) return undefined;
  const query = new URLSearchParams(request.query);
  const place = { path: decodedUri(request.path), query };
  const found = await readFrom(world.store, (records) => findRedirect(place, { ...world, records }));
  if (found === undefined) return undefined;
  if (found === 'loop') return { status: 503, mediaType: 'text/html', body: 'Service unavailable' };
  const location = escapeUri(found.location);
  return {
    status: found.status,
    headers: { Location: location, 'X-Redirect-ID': String(found.id) },
    mediaType: 'text/html',
    body: page(escapedMarkup(location)),
  };
};

const page = (location: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Redirect</title></head>` +
  `<body><p>This is at <a href="${location}">${location}</a>.</p></body></html>`;

/** Whether a store has redirects: a promise at the first time. */
const known = new WeakMap<EntityStore, { has: boolean | Promise<boolean> }>();

const hasRedirects = (store: EntityStore): boolean | Promise<boolean> => {
  const before = known.get(store);
  if (before !== undefined) return before.has;
  const state: { has: boolean | Promise<boolean> } = { has: false };
  known.set(store, state);
  store.watch((_touched, changed) => {
    if (changed.some(({ key, isRemoved }) => !isRemoved && key.startsWith('redirect:'))) state.has = true;
  });
  return (state.has = countedIn(store, state));
};

const countedIn = async (store: EntityStore, state: { has: boolean | Promise<boolean> }): Promise<boolean> => {
  try {
    const { total } = await store.list('redirect', { offset: 0, limit: 0 });
    return (state.has = state.has === true || total > 0);
  } catch (error) {
    known.delete(store);
    throw error;
  }
};

/** Whether a path that the document has in this way, or not at all, can be an alias on this site. */
export const mayBeAlias = (match: PathMatch<Operation> | undefined, { site }: Pick<World, 'site'>): boolean =>
  (match === undefined || hasInvalidIds(match)) && (site.modules.path || site.resources.has('path_alias'));

/** The request at the address of the record that its path is an alias of. The newest alias of a language goes before those of none. */
export const withoutAlias = async (request: PlainRequest, world: World): Promise<PlainRequest> => {
  const found = await readFrom(world.store, (records) => records.lookup(aliasAt(decodedUri(request.path))));
  const record = found.findLast((alias) => firstValue(alias, 'langcode') !== 'und') ?? found.at(-1);
  return record === undefined ? request : { ...request, path: pathBehind(record, world.site) };
};

/** An alias is a record of its own. open: an alias that a fixture brings is known to its record alone. */
const pathBehind = (record: Entity, site: Site): string =>
  record.type === 'path_alias' ? textOf(firstValue(record, 'path')) : addressPath(site, record.type, record.id);
