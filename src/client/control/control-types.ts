/** What each operation of the control interface takes and answers, from the types of its document. */
import type { components, operations } from '../generated/control.ts';

/** The wire types of the control interface. */
export type ControlSchemas = components['schemas'];

export type OperationId = keyof operations;

/** Members that may be left out may be undefined, too: neither JSON nor a query has them then. */
export type Loose<T> = { readonly [K in keyof T]: object extends Pick<T, K> ? T[K] | undefined : T[K] };

/** A member of the input. There is none where the operation takes nothing of the kind. */
type Part<Name extends string, Value> = [Exclude<Value, undefined>] extends [never]
  ? unknown
  : undefined extends Value
    ? { readonly [N in Name]?: Loose<Exclude<Value, undefined>> | undefined }
    : { readonly [N in Name]: Loose<Value> };

type Sent<Body> = Body extends { content: { 'application/json': infer Json } } ? Json : undefined;

type Body<Id extends OperationId> = Id extends 'importRepository'
  ? { readonly body: Blob | ReadableStream<Uint8Array> }
  : Part<'body', Sent<operations[Id]['requestBody']>>;

export type Input<Id extends OperationId> = Part<'path', operations[Id]['parameters']['path']> &
  Part<'query', operations[Id]['parameters']['query']> &
  Body<Id> & {
    readonly headers?: Readonly<Record<string, string>>;
    readonly signal?: AbortSignal;
  };

/** The input as a parameter, which may be left out where nothing in it must be there. */
export type InputParameter<Id extends OperationId> =
  object extends Input<Id> ? readonly [input?: Input<Id>] : readonly [input: Input<Id>];

type Received<Reply> = Reply extends { content: { 'application/json': infer Json } } ? Json : undefined;
type Success<Replies> = Replies[keyof Replies & (200 | 201 | 204)];

/** The JSON of a success. Undefined where it has no body. */
export type Answer<Id extends OperationId> = Received<Success<operations[Id]['responses']>>;
