/**
 * Answers a read through the caches of a real site: first the page cache, then, when access is granted, the dynamic page
 * cache. Only worlds that have such caches pass here. The rules are those of Drupal's core. open: a site may give pages a
 * maximum age; then browsers and proxies keep them, too, and `Cache-Control` says so. open: core also keeps configuration, and
 * the lists of members, media and terms until a record of their type is saved; they are always fresh here.
 */
import { type AnswerCache, type KeptAnswer, type KeptFor, type SiteCaches, refusalTag } from '../caches/site-caches.ts';
import { endingKeys, isAnswerPersonal, isViewPersonal, type Shown } from '../content/cacheability.ts';
import { readFrom } from '../model/reading.ts';
import { mediaOpening } from '../content/views.ts';
import { hasOwnersFields } from '../content/fields/field-access.ts';
import type { Operation } from '../document/operation.ts';
import type { Identity, Principal } from '../model/principal.ts';
import type { Format } from '../site/site.ts';
import type { World } from '../world.ts';
import type { PlainReply, PlainRequest } from '../../openapi/openapi-host.ts';
import type { AnyRequest } from './handler.ts';
import { entityKey, type EntityKey } from '../../openapi/openapi-records.ts';

const pageHeader = 'X-Drupal-Cache';
const routeHeader = 'X-Drupal-Dynamic-Cache';

/** How long the page cache keeps a refusal. */
const refusalMs = 3_600_000;

type Read = {
  readonly operation: Operation;
  readonly request: PlainRequest;
  readonly identity: Identity;
  readonly format: Format;
  readonly path: AnyRequest['path'];
  readonly world: World;
  /** Reports an answer that comes from a cache. */
  readonly report: (status: number) => void;
};

export type CachedRead = {
  /** Around everything after authentication. `answer` never rejects: a refusal is a reply, too. */
  throughPages(answer: () => Promise<PlainReply>): Promise<PlainReply>;
  /** Around the work that is done once access is granted. */
  throughRoutes(answer: () => Promise<PlainReply>): Promise<PlainReply>;
};

export const createCachedRead = (caches: SiteCaches, read: Read): CachedRead => ({
  throughPages: async (answer) => {
    // Someone who sends credentials never meets the page cache, be they accepted or refused.
    if (read.identity.provider !== undefined) return withRefusalHeader(await answer(), read);
    const { world, request } = read;
    const key = `${world.baseUrl}${request.path}?${request.query}`;
    return through(caches.pages, key, read, {
      header: pageHeader,
      answer: async () => withRefusalHeader(await answer(), read),
      keptFor: (reply) => pageKeptFor(reply, read),
    });
  },
  throughRoutes: async (answer) => {
    const { operation, world, format, identity } = read;
    const shown = shownKey(read);
    if (shown === undefined) return answer();
    const key = [operation.id, shown, format, world.baseUrl, permissionsOf(identity.principal)].join(' ');
    return through(caches.routes, key, read, {
      header: routeHeader,
      answer,
      keptFor: (reply) => routeKeptFor(reply, read),
    });
  },
});

type CachedExchange = {
  readonly header: string;
  readonly answer: () => Promise<PlainReply>;
  /** For how long to keep a reply. Undefined: it is not kept, and the cache says nothing. `never`: the cache says so. */
  readonly keptFor: (reply: PlainReply) => Promise<KeptFor | 'never' | undefined>;
};

const through = async (
  cache: AnswerCache,
  key: string,
  { report }: Read,
  { header, answer, keptFor }: CachedExchange,
): Promise<PlainReply> => {
  const kept = cache.find(key);
  if (kept !== undefined) {
    report(kept.status);
    return withHeader(kept, header, 'HIT');
  }
  const keep = cache.begin();
  const reply = await answer();
  if (!isText(reply)) return reply;
  const duration = await keptFor(reply);
  if (duration === undefined) return reply;
  if (duration === 'never') return withHeader(reply, header, 'UNCACHEABLE');
  keep(key, reply, duration);
  return withHeader(reply, header, 'MISS');
};

/** Records and denials of visitors without credentials. A 401 says nothing of a record, so only a save ends it. */
const pageKeptFor = async ({ status }: PlainReply, read: Read): Promise<KeptFor | undefined> => {
  if (status === 401) return { tags: [refusalTag], ms: refusalMs };
  const shown = await shownBy(read);
  if (status === 403) return { tags: [refusalTag, ...tagsOf(shown, read)], ms: refusalMs };
  return status === 200 && shown !== undefined ? { tags: tagsOf(shown, read) } : undefined;
};

const routeKeptFor = async ({ status }: PlainReply, read: Read): Promise<KeptFor | 'never' | undefined> => {
  const shown = status === 200 ? await shownBy(read) : undefined;
  if (shown === undefined) return undefined;
  const bundle = read.world.site.model.bundle(shown.entity.type, shown.entity.bundle);
  const isPersonal =
    isAnswerPersonal(read.identity.principal, shown) || (bundle !== undefined && hasOwnersFields(bundle));
  return isPersonal ? 'never' : { tags: tagsOf(shown, read) };
};

/** The dynamic page cache speaks of a denial only where the denial depends on who asks. */
const withRefusalHeader = async (reply: PlainReply, read: Read): Promise<PlainReply> => {
  const { provider } = read.identity;
  const isAccepted = provider === undefined || read.operation.providers.includes(provider);
  const shown = reply.status === 403 && isAccepted ? await shownBy(read) : undefined;
  if (shown === undefined || !isViewPersonal(read.identity.principal, shown)) return reply;
  return withHeader(reply, routeHeader, 'UNCACHEABLE');
};

const tagsOf = (shown: Shown | undefined, { identity }: Read): readonly EntityKey[] =>
  shown === undefined ? [] : endingKeys(identity.principal, shown);

/** The key of the record that the read represents. */
const shownKey = ({ operation, path }: Read): EntityKey | undefined => {
  const id = Object.values(path).find((value) => typeof value === 'number');
  return operation.represents === undefined || id === undefined ? undefined : entityKey(operation.represents, id);
};

/** The record that the read represents. Undefined when there is none. */
const shownBy = (read: Read): Promise<Shown | undefined> => {
  const { site, store } = read.world;
  const key = shownKey(read);
  return readFrom(store, (records) => {
    const entity = key === undefined ? undefined : records.get(key);
    return entity && { entity, media: mediaOpening(entity, { records, site }) };
  });
};

/** Visitors with the same permissions share the kept answers. */
const permissionsOf = ({ mayEverything, permissions }: Principal): string =>
  mayEverything ? 'everything' : [...permissions].sort().join(', ');

const isText = (reply: PlainReply): reply is PlainReply & KeptAnswer =>
  reply.body === undefined || typeof reply.body === 'string';

const withHeader = (reply: PlainReply, name: string, value: string): PlainReply => ({
  ...reply,
  headers: { ...reply.headers, [name]: value },
});
