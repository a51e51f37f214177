/** Defines a user's own handlers, and checks that the document has an operation for each. */
import { flawError } from '../../basics/configuration-error.ts';

/** What a module exports. The engine that calls it knows the types. */
export type HandlerFunction = (...given: readonly unknown[]) => unknown;

/** A handler, and where it is exported. `handler` is undefined for an export that is not a function, `line` where it is not known. */
export type LoadedHandler = {
  readonly file: string;
  readonly line: number | undefined;
  readonly handler: HandlerFunction | undefined;
};

/** By operation id. */
export type ProposedHandlers = ReadonlyMap<string, LoadedHandler>;

/** Throws `ConfigurationError` for a handler without an operation in the document. */
export const requireOperations = (handlers: ProposedHandlers, operationIds: readonly string[]): void => {
  for (const [id, { file, handler }] of handlers) {
    const isOperation = operationIds.includes(id);
    // Without a word its operation would be answered by a mock.
    if (handler === undefined && (isOperation || id === 'default')) {
      throw flawIn(
        file,
        `exports "${id}", which is not a function.`,
        'Export a function by the name of each operation.',
      );
    }
    if (isOperation || handler === undefined) continue;
    const remedy = 'Add the operation to a document or by an overlay, or correct the name of the export.';
    throw flawIn(file, `exports "${id}", which is not an operation of the document.`, remedy);
  }
};

/** An error with the file of the handler, and the line when it is known. */
export const flawIn = (
  file: string,
  message: string,
  remedy: string,
  { line, cause }: { readonly line?: number | undefined; readonly cause?: unknown } = {},
): Error => flawError({ file, line, rule: 'handlers', message, remedy }, cause);

/** `handlers/search.mjs:3` */
export const placeOfHandler = ({ file, line }: Pick<LoadedHandler, 'file' | 'line'>): string =>
  line === undefined ? file : `${file}:${line}`;
