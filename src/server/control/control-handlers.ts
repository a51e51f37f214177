/** Defines the types of the control interface's handlers: requests and replies of an operation, derived from its document. */
import type { Awaitable } from '../../basics/awaitable.ts';
import type { operations } from '../../client/generated/control.ts';
import type { HostedWorld } from '../../openapi/openapi-host.ts';
import type { HandlerInput, HandlerReply, HandlerRequest } from '../../openapi/openapi-parts.ts';
import type { ControlCaller } from './tokens/identify.ts';

/** A checked request. */
export type ControlRequest<Path = HandlerRequest['path'], Query = HandlerRequest['query']> = {
  readonly path: Path;
  readonly query: Query;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly caller: ControlCaller;
};

type Empty = { readonly [name in never]: never };

type Parameters<Op, Kind extends 'path' | 'query'> = Op extends { parameters: { [K in Kind]?: infer P } }
  ? NonNullable<P>
  : Empty;

/** JSON has its type. Bytes are those of the engine: a stream. */
type BodyOf<Content> = Content extends { 'application/json': infer Json }
  ? { readonly json: Json }
  : Required<Pick<HandlerInput, 'bytes'>>;

type Sent<Op> = Op extends { requestBody?: infer Body } ? Exclude<Body, undefined> : never;
type InputOf<Op> = [Sent<Op>] extends [never]
  ? Empty
  : Sent<Op> extends { content: infer Content }
    ? Op extends { requestBody: unknown }
      ? BodyOf<Content>
      : Partial<BodyOf<Content>>
    : Empty;

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> }
    : T;

/** The statuses that a handler returns. It throws refusals as `Problem`s. */
type Success = 200 | 201 | 204;

type StreamType = 'text/event-stream' | 'application/x-tar';

/** A body, under a media type that may have parameters, such as a charset. */
type Content<Type extends string, Body> = [Type] extends [never]
  ? never
  : { readonly mediaType: Type | `${Type};${string}`; readonly body: Body };

type ContentOf<Response> = Response extends { content: infer C }
  ? | (C extends { 'application/json': infer Json } ? Content<'application/json', DeepReadonly<Json>> : never)
    | Content<keyof C & StreamType, ReadableStream<Uint8Array>>
    | Content<Exclude<keyof C & string, StreamType | 'application/json'>, string>
  : { readonly body?: undefined };

/** The headers that the document requires of a response. */
type Named<Headers> = { [Name in keyof Headers as string extends Name ? never : Name]: Headers[Name] };
type HeadersOf<Response> = Response extends { headers: infer Headers }
  ? object extends Named<Headers>
    ? Pick<HandlerReply, 'headers'>
    : { readonly headers: Named<Headers> & HandlerReply['headers'] }
  : Pick<HandlerReply, 'headers'>;

type Responses<Op> = Op extends { responses: infer R } ? R : never;

/** One type for each success status and media type of the document. */
type ReplyOf<Op> = {
  [Status in keyof Responses<Op> & Success]: { readonly status: Status } & HeadersOf<Responses<Op>[Status]> &
    ContentOf<Responses<Op>[Status]>;
}[keyof Responses<Op> & Success];

/** Two functions. The first refuses what is not there, before the body is read; the second does the work and answers. */
export type ControlHandler<Op> = (
  request: ControlRequest<Parameters<Op, 'path'>, Parameters<Op, 'query'>>,
  world: HostedWorld,
) => Awaitable<(input: InputOf<Op>) => Awaitable<ReplyOf<Op>>>;

/** The handler of any operation. */
export type AnyControlHandler = (
  request: ControlRequest,
  world: HostedWorld,
) => Awaitable<(input: HandlerInput) => Awaitable<HandlerReply>>;

/** One handler for each operation of `src/server/control/openapi.yaml`. A new operation does not compile without its handler. */
export type ControlHandlers = { readonly [Id in keyof operations]: ControlHandler<operations[Id]> };

/** Those about content, which the application has. */
export type ContentHandlers = Pick<ControlHandlers, 'getRepository' | 'getModel' | 'listEntities'>;
