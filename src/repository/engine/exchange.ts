/** Defines the replies of handlers on their way through the engine. */
import type { AnyReply, AnyRequest, FileBody } from './handler.ts';
import type { Operation } from '../document/operation.ts';
import type { SentBytes } from '../../openapi/openapi-host.ts';
import type { Problem } from '../../openapi/openapi-terms.ts';

/** The request of a reply, for response middleware. */
export type Exchange = {
  readonly operation: Operation;
  readonly request: AnyRequest;
  /** May be `HEAD` where the operation is a GET. */
  readonly method: string;
};

/** A handler's reply on its way through middleware. A body of bytes is a `FileBody` until middleware opens it as a stream. */
export type OutgoingReply = Omit<AnyReply, 'body'> & {
  /** The handler of a proposed operation may answer the JSON value null. */
  readonly body?: AnyReply['body'] | SentBytes | null;
};

export const isFileBody = (body: unknown): body is FileBody =>
  typeof body === 'object' && body !== null && 'file' in body && 'scheme' in body && !('stream' in body);

/** A refusal as a reply with the single member `message`. */
export const problemReply = (
  problem: Problem,
  mediaType = 'application/json',
): OutgoingReply & { mediaType: string } => ({
  status: problem.status,
  headers: problem.headers,
  mediaType,
  body: { [problem.member]: problem.message },
});
