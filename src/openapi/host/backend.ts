/** Defines what a host asks the document of an application. */
import type { RawParameters } from '../request/parameter-styles.ts';
import type { ReadParameters } from '../request/parameters.ts';
import type { Violation } from '../schemas/violations.ts';
import type { HeaderValues } from '../exchange.ts';
import type { HostedOperation } from './operation.ts';

/** A finished reply. `body` is a JSON value or a text; undefined when the reply has bytes or no body. */
export type ReplyParts = {
  readonly status: number;
  readonly mediaType: string | undefined;
  readonly headers: HeaderValues;
  readonly body: unknown;
};

/** What the engine of any application asks a document. */
export type HostedBackend = {
  readonly operations: readonly HostedOperation[];
  /** The HEAD operation with the path of a GET operation. */
  headOf(operation: HostedOperation): HostedOperation | undefined;
  /** The parameters of a request as typed values, and their violations. A text that no schema takes stays a text. */
  readParameters(operation: HostedOperation, raw: RawParameters): ReturnType<ReadParameters>;
  /** What the document does not allow in a JSON body. Pointers begin with `/requestBody`. */
  bodyViolations(operation: HostedOperation, body: unknown): readonly Violation[];
  replyViolations(operation: HostedOperation, reply: ReplyParts): readonly Violation[];
  /** The example of a schema in a request, or a value that is made of what it requires: the same each time. */
  readonly sampleOf: (schema: unknown) => Promise<unknown>;
};
