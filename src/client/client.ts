/** The public face of `atoll-server/client`: the client itself, put together, and every part that can be used alone. */
import createFetchClient from 'openapi-fetch';
import {
  anonymous,
  isOwn,
  requesterFor,
  sendAs,
  type Authentication,
  type Connection,
  type Credentials,
  type Exchange,
} from './authentication.ts';
import type { paths } from '../generated/contract.ts';
import { linksNamed, readLinkset, type Link, type LinkFilter } from './link.ts';
import type { ClientMethod } from './operations.ts';
import { replyOf, type ParseAs, type Reply } from './reply.ts';

export {
  anonymous,
  basic,
  type Authentication,
  type Connection,
  type Credentials,
  type Exchange,
} from './authentication.ts';
export { bearer, bearerToken } from './bearer.ts';
export type { components, paths } from '../generated/contract.ts';
export { linksNamed, parseLinks, readLinkset, type Link, type LinkFilter } from './link.ts';
export type { ClientMethod, Method } from './operations.ts';
export * from './plain.ts';
export type { Plain, PlainBody, PlainInput, PlainItem, PlainReference } from './plain-types.ts';
export { readSiteFields, type RecordFields, type RecordKind, type SiteFields } from './record-fields.ts';
export { AtollError, isAtollError } from './refusal.ts';
export type { ParseAs, Reply } from './reply.ts';
export { session, type Session } from './session.ts';
export { upload, uploadFile, type Connected, type FileUpload, type Upload, type Uploaded } from './upload.ts';
export type { Progress, StreamSource, UploadBody } from './upload-body.ts';

export type ClientOptions = {
  /** Where the server is, as its links say it: credentials go to addresses below this one only. In a browser it may be a path. */
  readonly baseUrl: string;
  /** Who asks: `basic`, `bearer`, `session`; nobody when left out. */
  readonly authentication?: Authentication;
  /** Sends requests in place of `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
};

/** `Paths` are those of a site's own document (`openapi-typescript --array-length`). All methods throw an `AtollError` when refused. */
export type AtollClient<Paths = paths> = {
  readonly GET: ClientMethod<Paths, 'get'>;
  readonly HEAD: ClientMethod<Paths, 'head'>;
  readonly POST: ClientMethod<Paths, 'post'>;
  readonly PATCH: ClientMethod<Paths, 'patch'>;
  readonly PUT: ClientMethod<Paths, 'put'>;
  readonly DELETE: ClientMethod<Paths, 'delete'>;
  /** The first link of that relation, followed. Undefined where there is none, such as one that the requester may not see. */
  follow(reply: Reply<unknown>, rel: string, filter?: LinkFilter): Promise<Reply<unknown> | undefined>;
  /** A link, followed: GET. */
  open(link: Link): Promise<Reply<unknown>>;
  /** Every link, also those for which the header had no room; these are fetched (`linkset`, RFC 9264). */
  allLinks(reply: Reply<unknown>): Promise<readonly Link[]>;
  /** `fetch` with this client's credentials; they are left out where the address is not the server's. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** For `upload` and `uploadFile`, which stand alone so that who does not upload does not load them. */
  readonly connection: Connection;
};

/** A client for one server and one requester. Nothing is sent before the first call. */
export const createClient = <Paths extends object = paths>(options: ClientOptions): AtollClient<Paths> => {
  const { authentication = anonymous } = options;
  const exchange: Exchange = {
    baseUrl: absolute(options.baseUrl),
    fetch: options.fetch ?? ((request) => globalThis.fetch(request)),
  };
  const send = async (request: Request): Promise<Response> => {
    const attempt = (credentials: Credentials): Promise<Response> => {
      const copy = request.clone();
      for (const [name, value] of Object.entries(credentials)) copy.headers.set(name, value);
      return exchange.fetch(copy);
    };
    const requester = requesterFor(authentication, exchange, request.url);
    return sendAs(requester, exchange, { method: request.method, isRepeatable: true, attempt });
  };
  const fetch = (url: string, init?: RequestInit): Promise<Response> => {
    const { cookies } = requesterFor(authentication, exchange, new Request(url).url);
    return send(new Request(url, { credentials: cookies, ...init }));
  };

  const open = async ({ target, rel }: Link): Promise<Reply<unknown>> => {
    // Content is bytes whatever they are; everything else of the server is a representation, and has formats.
    if (!isOwn(exchange, target) || rel === 'describes') return replyOf(await fetch(target), 'blob');
    const url = new URL(target);
    if (!url.searchParams.has('_format')) url.searchParams.set('_format', 'json');
    return replyOf(await fetch(url.href));
  };
  const allLinks = async (reply: Reply<unknown>): Promise<readonly Link[]> => {
    const [linkset] = linksNamed(reply.links, 'linkset');
    if (linkset === undefined) return reply.links;
    return readLinkset((await open(linkset)).data, linkset.target);
  };

  return {
    ...methodsOf<Paths>(exchange.baseUrl, send, authentication.cookies),
    open,
    allLinks,
    follow: async (reply, rel, filter) => {
      const link = linksNamed(reply.links, rel, filter)[0] ?? linksNamed(await allLinks(reply), rel, filter)[0];
      return link === undefined ? undefined : open(link);
    },
    connection: { authentication, exchange, canReport: options.fetch === undefined },
    fetch,
  };
};

type Methods<Paths> = Pick<AtollClient<Paths>, 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'>;

/** openapi-fetch makes the request of path and parameters; the answer is read here, by its media type. */
const methodsOf = <Paths extends object>(
  baseUrl: string,
  send: (request: Request) => Promise<Response>,
  credentials: Authentication['cookies'],
): Methods<Paths> => {
  const { request } = createFetchClient({ baseUrl, fetch: send, credentials }) as unknown as RawClient; // a document's types stop here: ours are in `operations`
  const method =
    (name: string) =>
    async (path: string, init: RawInit = {}): Promise<Reply<unknown>> => {
      const { parseAs, params, ...rest } = init;
      const query = { _format: 'json', ...params?.query };
      const { response } = await request(name, path, { ...rest, params: { ...params, query }, parseAs: 'stream' });
      return replyOf(response, parseAs);
    };
  const methods = {
    GET: method('get'),
    HEAD: method('head'),
    POST: method('post'),
    PATCH: method('patch'),
    PUT: method('put'),
    DELETE: method('delete'),
  };
  return methods as unknown as Methods<Paths>; // the types of a document are not there at run time
};

type RawInit = { readonly parseAs?: ParseAs; readonly params?: { readonly query?: object } };
type RawClient = {
  readonly request: (method: string, path: string, init: object) => Promise<{ readonly response: Response }>;
};

/** Links are absolute, and what they are compared with is. */
const absolute = (baseUrl: string): string => {
  const { location } = globalThis as { readonly location?: { readonly href: string } }; // browsers have one
  return new URL(baseUrl, location?.href).href.replace(/\/+$/, '');
};
