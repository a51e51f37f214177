/** Defines the types of handlers: requests and replies of an operation, derived from the document. */
import type { Awaitable } from '../../basics/awaitable.ts';
import type { Records } from '../model/reading.ts';
import type { Advise } from '../../openapi/openapi-host.ts';
import type { Identity } from '../model/principal.ts';
import type { JsonBody } from '../representations/represent.ts';
import type { Format } from '../site/site.ts';
import type { World } from '../world.ts';
import type { components, operations } from '../../client/generated/contract.ts';
import type { Entity } from '../../openapi/openapi-records.ts';
import type { Problem, ProblemHeaders } from '../../openapi/openapi-terms.ts';
import type { Json, JsonObject } from '../../basics/json.ts';

type OperationId = keyof operations;

/** The engine answers HEAD with the handler of GET, so the operations of HEAD have no handler. */
type HandledOperationId = Exclude<OperationId, `head${string}`>;

/** A request as a handler gets it: its operation is matched, its client authenticated, its path and query read. */
export type ContractRequest<Path, Query> = {
  readonly path: Path;
  readonly query: Query;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly identity: Identity;
  /** The value of `_format`; `json` when it was left out. */
  readonly format: Format;
  /** Path and query as they were sent, without the prefix of the world. */
  readonly target: string;
  /** The client's address, for flood control. */
  readonly address: string;
  /** The value of the session cookie, if the client sent one. */
  readonly session: string | undefined;
  /** The 404 of a path parameter that names nothing, in the real site's words for this route. */
  absent(parameter: keyof Path & string): Problem;
  /**
   * Tells the client's author which values are not stored as they were sent. Undefined when nobody listens, and for requests without a
   * body: write `request.advise?.({ … })`.
   */
  readonly advise?: Advise;
};

/** A body that is still arriving. `length` is the `Content-Length`, if the client sent one. */
type ArrivingBytes = { readonly stream: AsyncIterable<Uint8Array>; readonly length: number | undefined };

/** The bytes of a file, in the storage of `scheme`. `repository/engine/content-middleware.ts` opens them, with ranges and conditions. */
export type FileBody = { readonly file: Entity; readonly scheme: string };

/** Server-sent events (HTML §9.2), or other bytes that are made while they are sent. The stream is cancelled when the client disconnects. */
export type EventStream = { readonly stream: ReadableStream<Uint8Array>; readonly length: undefined };

/** The statuses that a handler returns. It throws refusals as `Problem`s. */
type SuccessStatus = 200 | 201 | 204;

type Named<H> = { [K in keyof H as string extends K ? never : K]: H[K] };
/** Without the headers that the engine and its middleware write. */
type HandlerHeaders<H> = Omit<
  Named<H>,
  | 'Link'
  | 'Content-Type'
  | 'Content-Length'
  | 'ETag'
  | 'Last-Modified'
  | 'Accept-Ranges'
  | 'Content-Range'
  | 'Content-Disposition'
  | 'Cache-Control'
  | 'X-Drupal-Cache'
  | 'X-Drupal-Dynamic-Cache'
  | 'Content-Security-Policy'
  | 'X-Content-Type-Options'
>;
type HeadersPart<R> = R extends { headers: infer H }
  ? object extends HandlerHeaders<H>
    ? { readonly headers?: HandlerHeaders<H> & ProblemHeaders }
    : { readonly headers: HandlerHeaders<H> }
  : { readonly headers?: ProblemHeaders };

type Schemas = components['schemas'];
/** Bodies with a site's fields are untyped JSON objects here. The reply check validates them against the document. */
type EntityBody =
  | Schemas['NodeRecord']
  | Schemas['MediaRecord']
  | Schemas['FileRecord']
  | Schemas['TermRecord']
  | Schemas['UserRecord']
  | Schemas['PathAlias']
  | Schemas['Redirect']
  | Schemas['Graph']
  | Schemas['Linkset'];
type WireBody<T> = T extends EntityBody
  ? JsonObject | JsonBody
  : T extends EntityBody[]
    ? readonly JsonObject[] | JsonBody
    : DeepReadonly<T>;

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T;

type BodyOf<Content> = {
  [M in keyof Content]: M extends 'application/json' | 'application/ld+json' | 'application/linkset+json'
    ? { readonly mediaType: M; readonly body: WireBody<Content[M]> }
    : M extends 'text/plain' | 'text/html' | 'text/markdown' | 'application/xml'
      ? { readonly mediaType: M; readonly body: string }
      : M extends 'text/event-stream' | 'application/x-tar'
        ? { readonly mediaType: M; readonly body: EventStream }
        : { readonly body: FileBody };
}[keyof Content];
type BodyPart<R> = R extends { content: infer C } ? BodyOf<C> : { readonly body?: undefined };

type Responses<Op> = Op extends { responses: infer R } ? R : never;
/** The replies of an operation: one type for each documented success status and media type. */
type ReplyOf<Op> = {
  [S in keyof Responses<Op> & SuccessStatus]: { readonly status: S } & HeadersPart<Responses<Op>[S]> &
    BodyPart<Responses<Op>[S]> & {
      /** The entity that the Link headers are made for. */
      readonly subject?: Entity | undefined;
    };
}[keyof Responses<Op> & SuccessStatus];

/** The body for a handler: JSON where the operation declares JSON, else bytes as a stream. */
type InputOf<Op> = Op extends { requestBody?: infer B }
  ? B extends { content: { 'application/json': unknown } }
    ? { readonly json: Json }
    : B extends { content: unknown }
      ? { readonly bytes: ArrivingBytes }
      : Empty
  : Empty;
type Empty = { readonly [name in never]: never };

type Parameter<Op, Kind extends 'path' | 'query'> = Op extends { parameters: { [K in Kind]?: infer P } }
  ? NonNullable<P>
  : Empty;

/**
 * Two functions. The first finds the entity and checks access (404, 401, 403). The engine then reads the body, and calls
 * the second, which does the work and answers.
 */
export type HandlerFor<Op> = (
  request: ContractRequest<Parameter<Op, 'path'>, Parameter<Op, 'query'>>,
  world: World,
) => Promise<(input: InputOf<Op>) => Promise<ReplyOf<Op>>>;

export type Handler<Id extends OperationId> = HandlerFor<operations[Id]>;

/**
 * The handler of a read. Both functions are pure and wait for nothing: they look at `records`, and run again when something was
 * missing there.
 */
export type Reader<Id extends OperationId> = (
  request: ContractRequest<Parameter<operations[Id], 'path'>, Parameter<operations[Id], 'query'>>,
  world: World,
  records: Records,
) => (input: InputOf<operations[Id]>) => ReplyOf<operations[Id]>;

/** In place of a handler: the document's examples and schemas answer the operation. */
export const mocked = Symbol('mocked');

/** A handler or `mocked` for every operation of `openapi.yaml`. A missing one does not compile. */
export type Handlers = { readonly [Id in HandledOperationId]: Handler<Id> | Reader<Id> | typeof mocked };

/** The reply of any operation. The engine works with this type and those below. */
export type AnyReply = {
  readonly status: number;
  readonly headers?: ProblemHeaders;
  readonly mediaType?: string;
  readonly body?: JsonObject | readonly JsonObject[] | JsonBody | string | FileBody | EventStream | undefined;
  readonly subject?: Entity | undefined;
};
export type AnyRequest = ContractRequest<Record<string, string | number>, Record<string, unknown>>;
export type AnyInput = { readonly json?: Json; readonly bytes?: ArrivingBytes };
export type AnyHandler = (
  request: AnyRequest,
  world: World,
  records: Records,
) => Awaitable<(input: AnyInput) => Awaitable<AnyReply>>;

/** The handler of an operation that an overlay adds. A module in the folder of `--handlers` exports it under the operation's id. */
export type ProposedHandler = AnyHandler;
