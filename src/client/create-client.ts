/** Creates the client by paths, and derives the types of its methods from the paths of a document. */
import type { MaybeOptionalInit } from 'openapi-fetch';
import createFetchClient from 'openapi-fetch';
import type { paths } from './generated/contract.ts';
import {
  anonymous,
  type Authentication,
  authenticationFor,
  type Connection,
  type Credentials,
  type Exchange,
  headersFor,
  isOnServer,
  sendAuthenticated,
  type Sending,
} from './authentication.ts';
import { type Link, type LinkFilter, linksNamed, readLinkset } from './link.ts';
import { type ParseAs, type Reply, replyOf } from './reply.ts';

/** A method of a request, as a document writes it. */
export type Method = 'get' | 'head' | 'post' | 'patch' | 'put' | 'delete';

type PathsWith<Paths, M extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends { [_ in M]: { responses: unknown } } ? Path : never;
}[keyof Paths];

/** Makes `_format` optional: the client sends `json` by default. */
type JsonByDefault<Operation> = Operation extends { parameters: { query: infer Query } }
  ? Omit<Operation, 'parameters'> & {
      parameters: Omit<Operation['parameters'], 'query'> & OptionalQuery<Omit<Query, '_format'> & Partial<Query>>;
    }
  : Operation;
type OptionalQuery<Query> = object extends Query ? { query?: Query } : { query: Query };

type Init<Operation> = MaybeOptionalInit<{ operation: JsonByDefault<Operation> }, 'operation'>;

/** The arguments after the path. They are optional when the operation requires none. */
type InitArguments<I> = [undefined] extends [I] ? [init?: I] : [init: I];

/** The type of a body, by its media type. */
type Read<Content> = {
  [Type in keyof Content]: Type extends `application/${string}json` | 'text/plain' ? Content[Type] : Blob;
};

type BodyInFormat<Content, Options> = 'application/json' extends keyof Content
  ? Options extends { params: { query: { _format: 'jsonld' } } }
    ? Content['application/ld+json' & keyof Content]
    : Content['application/json']
  : Read<Content>[keyof Content];

type Parsed = { text: string; blob: Blob; arrayBuffer: ArrayBuffer; stream: ReadableStream<Uint8Array> | null };

type DataOf<Operation, Options> = Options extends { parseAs: infer As extends keyof Parsed }
  ? Parsed[As]
  : Operation extends { responses: infer Responses }
    ? {
        [Status in keyof Responses & (200 | 201 | 204)]: Responses[Status] extends { content: infer Content }
          ? BodyInFormat<Content, Options>
          : undefined;
      }[keyof Responses & (200 | 201 | 204)]
    : never;

/** Sends a request for a path of the document, with its parameters and body. Throws an `AtollError` when it is refused. */
export type ClientMethod<Paths, M extends Method> = <
  Path extends PathsWith<Paths, M>,
  Options extends Init<Paths[Path][M & keyof Paths[Path]]>,
>(
  path: Path,
  ...init: InitArguments<Options>
) => Promise<Reply<DataOf<Paths[Path][M & keyof Paths[Path]], Options>>>;

/** What `createClient` takes. */
export type ClientOptions = {
  /** The server's address, as its links write it. Credentials go only to addresses below it. In a browser it may be a path. */
  readonly baseUrl: string;
  /** `basic`, `bearer`, `session` or one of your own. `anonymous` when left out. */
  readonly authentication?: Authentication;
  /** Headers that every request to this server carries, such as one that chooses a world. Asked for before each request. */
  readonly headers?: () => Readonly<Record<string, string>>;
  /** Sends the requests instead of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
};

/**
 * `Paths` are the paths of a site's own document, made with `openapi-typescript --array-length`. Every method throws an
 * `AtollError` when the server refuses.
 */
export type AtollClient<Paths = paths> = Methods<Paths> & {
  /** Follows the first link of a relation. Undefined when there is none; the server omits links that the account may not see. */
  follow(reply: Reply<unknown>, rel: string, filter?: LinkFilter): Promise<Reply<unknown> | undefined>;
  /** Follows a link with GET. */
  open(link: Link): Promise<Reply<unknown>>;
  /** All links. Fetches those that did not fit into the header (`linkset`, RFC 9264). */
  allLinks(reply: Reply<unknown>): Promise<readonly Link[]>;
  /** `fetch` with this client's credentials, which are left out for addresses of other servers. */
  fetch(url: string, init?: RequestInit): Promise<Response>;
  /** For `upload` and `uploadFile`. They are separate functions, so that a bundle without uploads does not contain them. */
  readonly connection: Connection;
};

/** Creates a client for one server and one account. Sends nothing before the first call. */
export const createClient = <Paths extends object = paths>(options: ClientOptions): AtollClient<Paths> => {
  const { authentication = anonymous, headers = (): Credentials => ({}) } = options;
  const sender = options.fetch ?? ((request: Request) => globalThis.fetch(request));
  const exchange: Exchange = {
    baseUrl: absolute(options.baseUrl),
    headers,
    fetch: (request) => {
      for (const [name, value] of Object.entries(headersFor(exchange, request.url))) request.headers.set(name, value);
      return sender(request);
    },
  };
  const send = async (request: Request): Promise<Response> => {
    const used = authenticationFor(authentication, exchange, request.url);
    const attempt = (sending: Sending): Promise<Response> => exchange.fetch(copyOf(request, sending, used));
    return sendAuthenticated(used, exchange, { method: request.method, isRepeatable: true, attempt });
  };
  const fetch = (url: string, init?: RequestInit): Promise<Response> => {
    const { cookies } = authenticationFor(authentication, exchange, new Request(url).url);
    return send(new Request(url, { credentials: cookies, ...init }));
  };

  const open = async ({ target, rel }: Link): Promise<Reply<unknown>> => {
    // Content has no formats and is read as bytes. Everything else on the server is a representation.
    if (!isOnServer(exchange, target) || rel === 'describes') return replyOf(await fetch(target), 'blob');
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

/** `GET`, `HEAD`, `POST`, `PATCH`, `PUT` and `DELETE`. */
type Methods<Paths> = { readonly [Name in Method as Uppercase<Name>]: ClientMethod<Paths, Name> };

/** openapi-fetch builds the request from path and parameters. We read the reply ourselves, by its media type. */
const methodsOf = <Paths extends object>(
  baseUrl: string,
  send: (request: Request) => Promise<Response>,
  credentials: Authentication['cookies'],
): Methods<Paths> => {
  const { request } = createFetchClient({ baseUrl, fetch: send, credentials }) as unknown as RawClient; // `ClientMethod` has the types of the methods
  const method =
    (name: string) =>
    async (path: string, init: RawInit = {}): Promise<Reply<unknown>> => {
      const { parseAs, params, ...rest } = init;
      const query = { _format: 'json', ...params?.query };
      const { response } = await request(name, path, { ...rest, params: { ...params, query }, parseAs: 'stream' });
      return replyOf(response, parseAs);
    };
  const names = ['get', 'head', 'post', 'patch', 'put', 'delete'];
  return Object.fromEntries(names.map((name) => [name.toUpperCase(), method(name)])) as unknown as Methods<Paths>; // a document's types do not exist at run time
};

type RawInit = { readonly parseAs?: ParseAs; readonly params?: { readonly query?: object } };
type RawClient = {
  readonly request: (method: string, path: string, init: object) => Promise<{ readonly response: Response }>;
};

/** A request as it is sent once: with these credentials, and with cookies only where they may go with it. */
const copyOf = (request: Request, { credentials, cookies, signal }: Sending, used: Authentication): Request => {
  const whole = request.clone();
  const isChanged = signal !== undefined || cookies !== used.cookies;
  const copy = isChanged
    ? new Request(whole, {
        credentials: cookies === used.cookies ? whole.credentials : cookies,
        signal: signal === undefined ? whole.signal : AbortSignal.any([whole.signal, signal]),
      })
    : whole;
  for (const [name, value] of Object.entries(credentials)) copy.headers.set(name, value);
  return copy;
};

/** Makes the base URL absolute, so that it can be compared with links. */
const absolute = (baseUrl: string): string => {
  const { location } = globalThis as { readonly location?: { readonly href: string } }; // browsers have one
  return new URL(baseUrl, location?.href).href.replace(/\/+$/, '');
};
