/** The types of a client's methods, made from the paths of a document. How requests are sent is not here. */
import type { MaybeOptionalInit } from 'openapi-fetch';
import type { Reply } from './reply.ts';

export type Method = 'get' | 'head' | 'post' | 'patch' | 'put' | 'delete';

type PathsWith<Paths, M extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends { [_ in M]: { responses: unknown } } ? Path : never;
}[keyof Paths];

/** The query without the need to name the format: the client asks for JSON. */
type JsonByDefault<Operation> = Operation extends { parameters: { query: infer Query } }
  ? Omit<Operation, 'parameters'> & {
      parameters: Omit<Operation['parameters'], 'query'> & OptionalQuery<Omit<Query, '_format'> & Partial<Query>>;
    }
  : Operation;
type OptionalQuery<Query> = object extends Query ? { query?: Query } : { query: Query };

type Init<Operation> = MaybeOptionalInit<{ operation: JsonByDefault<Operation> }, 'operation'>;

/** Arguments after the path; none are needed where nothing is required. */
type InitArguments<I> = [undefined] extends [I] ? [init?: I] : [init: I];

/** What is read of an answer, by media type. */
type Read<Content> = {
  [Type in keyof Content]: Type extends `application/${string}json` | 'text/plain' ? Content[Type] : Blob;
};

type Chosen<Content, Given> = 'application/json' extends keyof Content
  ? Given extends { params: { query: { _format: 'jsonld' } } }
    ? Content['application/ld+json' & keyof Content]
    : Content['application/json']
  : Read<Content>[keyof Content];

type Parsed = { text: string; blob: Blob; arrayBuffer: ArrayBuffer; stream: ReadableStream<Uint8Array> | null };

type DataOf<Operation, Given> = Given extends { parseAs: infer As extends keyof Parsed }
  ? Parsed[As]
  : Operation extends { responses: infer Responses }
    ? {
        [Status in keyof Responses & (200 | 201 | 204)]: Responses[Status] extends { content: infer Content }
          ? Chosen<Content, Given>
          : undefined;
      }[keyof Responses & (200 | 201 | 204)]
    : never;

/** A method of the client: a path of the document, with its parameters and its body. Throws an `AtollError` when refused. */
export type ClientMethod<Paths, M extends Method> = <
  Path extends PathsWith<Paths, M>,
  Given extends Init<Paths[Path][M & keyof Paths[Path]]>,
>(
  path: Path,
  ...init: InitArguments<Given>
) => Promise<Reply<DataOf<Paths[Path][M & keyof Paths[Path]], Given>>>;
