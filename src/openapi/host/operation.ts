/** Defines what a host knows of the operations that it serves, of the document of any application. */
import type { Operation } from '../document/operation.ts';

export type HostedOperation = {
  readonly id: string;
  readonly method: string;
  /** `/node/{node_id}`, with the path below which the document is served. */
  readonly path: string;
  /** What the document says of it. */
  readonly described: Operation;
  /** `isId`: a whole number; other parameters stay text. */
  readonly pathParameters: readonly { readonly name: string; readonly isId: boolean }[];
  readonly queryNames: readonly string[];
  /** Whether the last path parameter takes the rest of the path. */
  readonly isMultiSegment: boolean;
  /** What the parameter `_format` may be. Undefined when the operation has none. */
  readonly format: { readonly enabled: readonly string[]; readonly required: boolean } | undefined;
  /** Which of the application's ways to say who asks it accepts. */
  readonly providers: readonly string[];
  /** Whether a request with a cookie has to send a token of its session, too. */
  readonly needsCsrfToken: boolean;
  readonly body: 'none' | 'json' | 'bytes';
  /** A request without a body is read as `{}`. */
  readonly isBodyOptional: boolean;
  /** The media types that a body of bytes may have; empty when any type is allowed. */
  readonly byteTypes: readonly string[];
  /** Status → media types with a body; an empty list for a status without one. */
  readonly responses: ReadonlyMap<number, readonly string[]>;
  /** `4XX` or `default` → media types. Absent where the document has no such responses. */
  readonly responseRanges?: ReadonlyMap<string, readonly string[]>;
};

/** The media types of the documented response for a status: its own, that of its class, or `default`. Undefined without one. */
export const responseTypes = (
  { responses, responseRanges }: Pick<HostedOperation, 'responses' | 'responseRanges'>,
  status: number,
): readonly string[] | undefined =>
  responses.get(status) ?? responseRanges?.get(`${String(status)[0]}XX`) ?? responseRanges?.get('default');
