/** What a handler is: the types between the engine, which knows HTTP and the document, and the handlers, which know neither. */
import type { Readable } from 'node:stream';
import type { Identity } from '../model/principal.ts';
import type { Entity, Json, JsonObject } from '../model/entity.ts';
import type { Problem, ProblemHeaders } from '../problem.ts';
import type { Format } from '../site/site.ts';
import type { World } from '../world.ts';
import type { components, operations } from '../generated/contract.ts';

export type OperationId = keyof operations;

/** HEAD is GET without a body, by construction: its operations have no handler (house 1.6). */
export type HandledOperationId = Exclude<OperationId, `head${string}`>;

/** A request as a handler sees it: matched, its caller known, its path and query read. */
export type ContractRequest<Path, Query> = {
  readonly path: Path;
  readonly query: Query;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly identity: Identity;
  /** The value of `_format`; `json` where it was left out and may be. */
  readonly format: Format;
  /** The address of the caller, for flood control. */
  readonly address: string;
  /** The session cookie's value, when one was sent. */
  readonly session: string | undefined;
  /** The 404 of a path parameter that names nothing, in the reference's words for this route. */
  absent(parameter: keyof Path & string): Problem;
};

/** A body that arrives. `length` is the `Content-Length`, when one was sent. */
export type ArrivingBytes = { readonly stream: AsyncIterable<Uint8Array>; readonly length: number | undefined };

/** Bytes to send: which file's, in which storage, since when. Ranges and conditions are answered by `http/conditional`. */
export type SentFile = { readonly file: Entity; readonly scheme: string };

/** Events that are sent as they happen, until the client leaves: its stream is destroyed then (HTML, server-sent events). */
export type SentEvents = { readonly stream: Readable; readonly length: undefined };

/** The successful answers; refusals are thrown as `Problem`s. */
type SuccessStatus = 200 | 201 | 204;

type Known<H> = { [K in keyof H as string extends K ? never : K]: H[K] };
/** Headers that middleware writes, so that no handler has to. */
type WrittenElsewhere = 'Link' | 'Content-Type' | 'Content-Length';
type HandlerHeaders<H> = Omit<
  Known<H>,
  | WrittenElsewhere
  | 'ETag'
  | 'Last-Modified'
  | 'Accept-Ranges'
  | 'Content-Range'
  | 'Content-Disposition'
  | 'Cache-Control'
  | 'Content-Security-Policy'
  | 'X-Content-Type-Options'
>;
type HeadersPart<R> = R extends { headers: infer H }
  ? object extends HandlerHeaders<H>
    ? { readonly headers?: HandlerHeaders<H> & ProblemHeaders }
    : { readonly headers: HandlerHeaders<H> }
  : { readonly headers?: ProblemHeaders };

type Schemas = components['schemas'];
/** A site's fields are data, so entity bodies are plain JSON objects inside; the reply check holds them to the document. */
type EntityBody =
  | Schemas['Node']
  | Schemas['Media']
  | Schemas['File']
  | Schemas['Term']
  | Schemas['User']
  | Schemas['Graph']
  | Schemas['Linkset'];
type WireBody<T> = T extends EntityBody ? JsonObject : T extends EntityBody[] ? readonly JsonObject[] : Shown<T>;
/** What is only written out may be read-only, however deep. */
type Shown<T> = T extends readonly (infer Item)[]
  ? readonly Shown<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: Shown<T[Name]> }
    : T;

type BodyOf<Content> = {
  [M in keyof Content]: M extends 'application/json' | 'application/ld+json' | 'application/linkset+json'
    ? { readonly mediaType: M; readonly body: WireBody<Content[M]> }
    : M extends 'text/plain' | 'text/html' | 'application/xml'
      ? { readonly mediaType: M; readonly body: string }
      : M extends 'text/event-stream'
        ? { readonly mediaType: M; readonly body: SentEvents }
        : { readonly body: SentFile };
}[keyof Content];
type BodyPart<R> = R extends { content: infer C } ? BodyOf<C> : { readonly body?: undefined };

type Responses<Op> = Op extends { responses: infer R } ? R : never;
/** What an operation may answer: one shape per documented success status and media type. */
export type ReplyOf<Op> = {
  [S in keyof Responses<Op> & SuccessStatus]: { readonly status: S } & HeadersPart<Responses<Op>[S]> &
    BodyPart<Responses<Op>[S]> & {
      /** What the reply is about; Link headers are computed from it. */
      readonly subject?: Entity | undefined;
    };
}[keyof Responses<Op> & SuccessStatus];

/** The body handed to a handler: JSON where the operation declares JSON, else bytes as a stream. */
export type InputOf<Op> = Op extends { requestBody?: infer B }
  ? B extends { content: { 'application/json': unknown } }
    ? { readonly json: Json }
    : B extends { content: unknown }
      ? { readonly bytes: ArrivingBytes }
      : NoInput
  : NoInput;
type NoInput = Empty;
/** An object without members. */
type Empty = { readonly [name in never]: never };

type Parameter<Op, Kind extends 'path' | 'query'> = Op extends { parameters: { [K in Kind]?: infer P } }
  ? NonNullable<P>
  : Empty;

/**
 * Two small functions: the outer one opens what the request is about (404, 401, 403) before the body is read; the
 * inner one does the work with the body and answers.
 */
export type HandlerFor<Op> = (
  request: ContractRequest<Parameter<Op, 'path'>, Parameter<Op, 'query'>>,
  world: World,
) => Promise<(input: InputOf<Op>) => Promise<ReplyOf<Op>>>;

export type Handler<Id extends OperationId> = HandlerFor<operations[Id]>;

/** Instead of a handler: answer from the document's examples and schemas (house 1.3). */
export const mocked = Symbol('mocked');

/** Every operation of the contract's document has a handler or says `mocked`; else this does not compile. */
export type Handlers = { readonly [Id in HandledOperationId]: Handler<Id> | typeof mocked };

/** The shape that the engine works with, whatever the operation. */
export type AnyReply = {
  readonly status: number;
  readonly headers?: ProblemHeaders;
  readonly mediaType?: string;
  readonly body?: JsonObject | readonly JsonObject[] | string | SentFile | SentEvents | undefined;
  readonly subject?: Entity | undefined;
};
export type AnyRequest = ContractRequest<Record<string, string | number>, Record<string, unknown>>;
export type AnyInput = { readonly json?: Json; readonly bytes?: ArrivingBytes };
export type AnyHandler = (request: AnyRequest, world: World) => Promise<(input: AnyInput) => Promise<AnyReply>>;

/** A handler of an operation that an overlay adds, as a module in the folder of `--handlers` exports it under its id. */
export type ProposedHandler = AnyHandler;
