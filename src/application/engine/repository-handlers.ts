/** Makes a user's own handlers those of the repository's engine: they open, then answer. */
import type { Awaitable } from '../../basics/awaitable.ts';
import { isRecord } from '../../basics/json.ts';
import type { AnyHandler, AnyReply, AnyRequest } from '../../repository/repository-engine.ts';
import { type LoadedHandler, placeOfHandler } from '../../server/server-application.ts';
import { Problem } from '../../openapi/openapi-terms.ts';

/**
 * A handler in another bundle throws a `Problem` of another class, or a plain error with a `status`. Both are refusals here, not
 * unexpected errors. A handler of one function answers at once.
 */
export const repositoryHandler = ({ file, line, handler }: LoadedHandler): AnyHandler | undefined => {
  if (handler === undefined) return undefined;
  const place = placeOfHandler({ file, line });
  return async (request, world, records) => {
    const opened = await asProblem(() => handler(withoutBody(request, place), world, records));
    if (typeof opened !== 'function') return () => requireReply(opened, place);
    return async (input) => requireReply(await asProblem(() => (opened as (given: unknown) => unknown)(input)), place);
  };
};

/** Nobody's body is read before the record is found and access is checked. */
const withoutBody = (request: AnyRequest, place: string): AnyRequest =>
  Object.defineProperty({ ...request }, 'body', {
    get: () => {
      throw new Error(
        `${place}: the body of an operation of the repository is read later. Return a function that takes it.`,
      );
    },
  });

const requireReply = (returned: unknown, place: string): AnyReply => {
  if (isRecord(returned) && typeof returned['status'] === 'number') return returned as AnyReply; // its author is responsible for the rest
  const kind = returned === null ? 'null' : Array.isArray(returned) ? 'a list' : `a value of type ${typeof returned}`;
  throw new TypeError(
    `${place}: the handler returned ${isRecord(returned) ? 'an object without a status' : kind}, and no reply.`,
  );
};

const asProblem = async <T>(work: () => Awaitable<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Problem || !isRefusal(error)) throw error;
    const { status, message, headers = {} } = error;
    throw new Problem(status, message, { headers, cause: error });
  }
};

const isRefusal = (error: unknown): error is Error & { status: number; headers?: Problem['headers'] } =>
  error instanceof Error &&
  'status' in error &&
  typeof error.status === 'number' &&
  error.status >= 400 &&
  error.status < 500;
