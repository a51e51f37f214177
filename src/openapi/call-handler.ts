/** Calls the handler of an operation, and makes a reply or a refusal of what it returns or throws. */
import { isRecord } from '../basics/json.ts';
import type { MadeReply } from './answers/answer.ts';
import type { Callers } from './callers.ts';
import { type EngineRequest, targetOf } from './exchange.ts';
import type { AnswerInput, Handler, HandlerInput, HandlerRequest, OpeningHandler } from './handler.ts';
import type { Operation } from './document/operation.ts';
import type { ParameterValues } from './request/parameters.ts';
import { Refusal } from './refusal.ts';
import { HandlerMistake, headerLines, replyOf } from './answers/reply-body.ts';
import type { Credentials } from './request/security.ts';

/** The parts of a request, read. */
export type ReadRequest = {
  readonly values: ParameterValues;
  readonly body: unknown;
  readonly credentials: readonly Credentials[];
  readonly identity: unknown;
};

/** One function, or two steps. */
export type AnyHandler<World> = Handler<World> | OpeningHandler<World>;

/** The second step of a handler that opens first. Undefined for one that does not. Throws as `callHandler`. */
export const openHandler = async <World>(
  handler: AnyHandler<World>,
  call: Call<World>,
  read: Omit<ReadRequest, 'body'>,
): Promise<AnswerInput | undefined> => {
  if (typeof handler === 'function') return undefined;
  const answer: unknown = await asRefusal(errorIn(call, read), async () =>
    handler.open(givenRequest(call, { ...read, body: undefined }), call.world),
  );
  if (typeof answer !== 'function') throw new HandlerMistake('opened, and returned no function that answers');
  return answer as AnswerInput; // its author is responsible for its type
};

/**
 * What the handler replies; `opened` is its second step, where it has opened before. Undefined where it leaves the answer to the document. Throws a refusal where the handler throws an error
 * with a `status`, and `HandlerMistake` for a value that is not a reply.
 */
export const callHandler = async <World>(
  handler: AnyHandler<World>,
  call: Call<World>,
  { opened, ...read }: ReadRequest & { readonly opened: AnswerInput | undefined },
): Promise<MadeReply | undefined> => {
  const { operation, request, world } = call;
  const returned: unknown = await asRefusal(errorIn(call, read), async () => {
    const first: unknown =
      opened ?? (typeof handler === 'function' ? await handler(givenRequest(call, read), world) : undefined);
    return typeof first === 'function'
      ? (first as (input: HandlerInput) => unknown)(inputOf(read.body, request))
      : first;
  });
  return returned === undefined ? undefined : replyOf(returned, operation, request.headers['accept']);
};

const errorIn =
  <World>({ callers, operation }: Call<World>, { identity }: Pick<ReadRequest, 'identity'>) =>
  (error: unknown): unknown =>
    callers?.errorOf(error, operation, identity) ?? error;

const givenRequest = <World>(
  { callers, operation, request, world }: Call<World>,
  read: ReadRequest,
): HandlerRequest => {
  const asked = handlerRequest(operation, request, read);
  return callers?.requestOf(asked, request, world) ?? asked;
};

type Call<World> = {
  readonly operation: Operation;
  readonly request: EngineRequest;
  readonly world: World;
  readonly callers: Callers<World> | undefined;
};

const handlerRequest = (
  { id }: Operation,
  request: EngineRequest,
  { values, body, credentials, identity }: ReadRequest,
): HandlerRequest => ({
  ...{
    path: values.path,
    query: values.query,
    cookies: values.cookies,
    headers: { ...request.headers, ...values.headers },
  },
  ...{ body, credentials, identity: identity ?? credentials[0], operation: id },
  ...{ method: request.method, target: targetOf(request) },
});

const inputOf = (body: unknown, { headers }: EngineRequest): HandlerInput => {
  if (body === undefined) return {};
  if (!isStream(body)) return { json: body };
  const length = headers['content-length'];
  return { bytes: { stream: body, length: length === undefined ? undefined : Number(length) } };
};

const isStream = (body: unknown): body is AsyncIterable<Uint8Array> =>
  typeof body === 'object' && body !== null && Symbol.asyncIterator in body;

/** Makes a refusal of an error with a `status`. */
export const asRefusal = async <T>(errorOf: (error: unknown) => unknown, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (thrown) {
    const error = errorOf(thrown);
    if (error instanceof Refusal || !isMeant(error)) throw error;
    const { status, message, headers } = error;
    throw new Refusal('handler', message, { statuses: [status], headers: headerLines(headers), cause: error });
  }
};

type MeantError = { readonly status: number; readonly message: string; readonly headers?: unknown };

/** Errors of another bundle or realm have another class. A 500 is what nobody means: its message may tell secrets. */
const isMeant = (error: unknown): error is MeantError =>
  isRecord(error) &&
  typeof error['message'] === 'string' &&
  Number.isInteger(error['status']) &&
  Number(error['status']) >= 400 &&
  Number(error['status']) < 600 &&
  error['status'] !== 500;
