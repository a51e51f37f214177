/** Derives the types of a client's methods from the paths of a document. */
import type { MaybeOptionalInit } from 'openapi-fetch';
import type { Reply } from './reply.ts';

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
