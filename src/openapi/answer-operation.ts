/** Answers a request for one operation: checks it, runs its handler or makes its mock, and checks the reply. */
import { type MadeReply, type MakeAnswer, requireAcceptable } from './answers/answer.ts';
import { type BodyLimits, type ReadBody, readBody, type ReaderOptions } from './request/body.ts';
import { announcesBody, type ChosenMedia, mediaOfBody } from './request/body-media.ts';
import { preparedCallbacks } from './answers/callbacks.ts';
import { type AnyHandler, asRefusal, callHandler, openHandler, type ReadRequest } from './call-handler.ts';
import type { CollectionHost, OpenedRequest } from './collections/collection-request.ts';
import type { Collections } from './collections/collections.ts';
import type { Callers } from './callers.ts';
import { type EngineReply, type EngineRequest, targetOf, headerLine } from './exchange.ts';
import { countFile, type KeepFile } from './request/form-file.ts';
import type { Operation, SecurityScheme } from './document/operation.ts';
import type { ParameterValues, ReadParameters } from './request/parameters.ts';
import { type Preference, readPreference } from './request/prefer.ts';
import type { readOnlyFinder } from './request/read-only.ts';
import { reasonHeader, Refusal, refusalOf } from './refusal.ts';
import { createRequestFiles, discard } from './request/request-files.ts';
import { HandlerMistake, withoutBodyOfHead, writeReply } from './answers/reply-body.ts';
import type { ReplyCheck } from './answers/reply-violations.ts';
import type { Schemas } from './schemas/schemas.ts';
import { requireCredentials } from './request/security.ts';
import { fullMessage, type Violation } from './schemas/violations.ts';
import type { Noticed } from './noticed.ts';

/** Whether replies are checked, and whether a wrong one becomes a 500. */
export type ReplyChecks = 'off' | 'log' | 'fail';

/** An operation that is ready to be asked. */
export type Served<World> = {
  readonly operation: Operation;
  readonly readParameters: ReadParameters;
  readonly handler: AnyHandler<World> | undefined;
  /** Answers of the mock by what the client prefers and accepts. */
  readonly mocks: Map<string, Mock>;
};

type Mock = { readonly made: MadeReply; readonly reply: EngineReply; readonly violations: readonly Violation[] };

/** The most answers of a mock that are kept for an operation. */
const mostMocks = 50;

/** What all operations of a document share. */
export type Context<World> = {
  readonly callers?: Callers<World> | undefined;
  readonly baseUrlOf?: ((world: World) => string) | undefined;
  readonly keepFile: KeepFile;
  readonly checkReplies: ReplyChecks;
  readonly schemas: Schemas;
  readonly answers: MakeAnswer;
  readonly replyCheck: ReplyCheck;
  readonly schemes: ReadonlyMap<string, SecurityScheme>;
  readonly bodyLimits: BodyLimits;
  readonly limitsOf?: ((world: World) => Partial<BodyLimits>) | undefined;
  readonly loadForms: ReaderOptions['loadForms'];
  /** Whether every client gets what the operation answers, whatever its `Accept` says. */
  readonly ignoresAccept?: boolean | undefined;
  readonly readOnlyMembers: ReturnType<typeof readOnlyFinder>;
  /** Undefined where no answer depends on an earlier request. */
  readonly collections?: Collections | undefined;
  readonly collectionsOf?: ((world: World) => CollectionHost | undefined) | undefined;
};

type Underway<World> = {
  readonly context: Context<World>;
  readonly served: Served<World>;
  readonly pieces: Readonly<Record<string, string>>;
  readonly noticed: Noticed;
};

/** In the order of refusals: 401, 415, 406, 400, those of a handler that opens first, 413, of a collection 404 and 412, 422. */
export const answerOperation = async <World>(
  request: EngineRequest,
  world: World,
  underway: Underway<World>,
): Promise<EngineReply> => {
  const { context, served, pieces, noticed } = underway;
  const { operation, handler } = served;
  const { headers } = request;
  const caller = await context.callers?.identify(request, world);
  noticed.identity = caller?.identity;
  const credentials = requireCredentials(operation, context.schemes, request, {
    ...{ known: context.callers?.schemes, met: caller?.met, realm: context.callers?.realm },
  });
  const media = mediaOfBody(operation, headers);
  const preference = readPreference(headers['prefer']);
  noticed.isPreferred = preference !== undefined;
  const host = preference === undefined ? hostOf(served, world, context) : undefined;
  const mock =
    (handler === undefined && host === undefined) || preference !== undefined
      ? mockOf(served, { preference, accept: headers['accept'] }, context)
      : undefined;
  if (mock === undefined && context.ignoresAccept !== true) requireAcceptable(operation, headers['accept']);
  const { values, violations } = served.readParameters({ path: pieces, query: request.query, headers });
  if (violations.length > 0) throw refusalOf('parameter', violations);
  const files = createRequestFiles(mock === undefined ? context.keepFile : countFile);
  const answering = { request, world, underway };
  const identity = caller?.identity;
  try {
    const asked = { values, credentials, identity };
    const work =
      mock === undefined && handler !== undefined ? await openHandler(handler, callOf(answering), asked) : undefined;
    const body = await bodyOf(answering, media, { keep: files.keep, keepsSent: host !== undefined });
    // A record that is not there is refused before what is wrong with a body.
    const opened = handler === undefined ? await open(answering, values, host) : undefined;
    if (body !== undefined && body.violations.length > 0) throw refusalOf('body', body.violations);
    if (body?.isWhole === true) noticed.readOnlyMembers = context.readOnlyMembers(body.value, media?.media.schema);
    const read = { values, body: body?.value, sent: body?.sent, media };
    if (mock !== undefined || handler === undefined) {
      if (body?.isWhole === false) await discard(body.value as AsyncIterable<Uint8Array>, context.bodyLimits);
      return await files.disposedAfter(await byDocument(answering, read, { mock, opened }));
    }
    const reply = await handled(handler, answering, { ...read, ...asked, host, opened: work });
    return await files.disposedAfter(reply);
  } catch (error) {
    await files.dispose();
    throw error;
  }
};

const callOf = <World>({ request, world, underway: { context, served } }: Answering<World>) => ({
  ...{ operation: served.operation, request, world, callers: context.callers },
});

const bodyOf = async <World>(
  { request, world, underway: { context, served } }: Answering<World>,
  media: ChosenMedia | undefined,
  { keep, keepsSent }: { readonly keep: KeepFile; readonly keepsSent: boolean },
): Promise<ReadBody | undefined> => {
  const { operation } = served;
  const { schemas, loadForms } = context;
  const limits = { ...context.bodyLimits, ...context.limitsOf?.(world) };
  const isPatch = operation.method === 'PATCH';
  const reading = { schemas, limits, keep, loadForms, keepsSent: keepsSent && isPatch };
  // The host throws refusals of its own, such as 408 for a body that stops arriving.
  if (media !== undefined) return asRefusal(asItIs, () => readBody(media, request, reading));
  if (operation.body?.isRequired === true && !announcesBody(request.headers))
    throw new Refusal('syntax', 'The request has no body.', {
      violations: [{ pointer: '/requestBody', message: 'is required' }],
    });
  return undefined;
};

const asItIs = (error: unknown): unknown => error;

/** Undefined for an operation that belongs to no collection, and where a world has none. */
const hostOf = <World>(
  { operation }: Served<World>,
  world: World,
  { collections, collectionsOf }: Context<World>,
): CollectionHost | undefined => (collections?.servedBy(operation) === undefined ? undefined : collectionsOf?.(world));

const open = async <World>(
  { request, underway: { context, served } }: Answering<World>,
  { path, query }: ParameterValues,
  host: CollectionHost | undefined,
): Promise<OpenedRequest | undefined> => {
  const { operation } = served;
  const found = host && context.collections?.servedBy(operation);
  return host && found && context.collections?.open({ ...found, operation, request, path, query, host });
};

type Sent = { readonly media: ChosenMedia | undefined; readonly sent: unknown };

/** What the document answers: by a collection, else by a mock. */
const byDocument = async <World>(
  answering: Answering<World>,
  read: ReadValues & Sent,
  { mock, opened }: { readonly mock?: Mock | undefined; readonly opened?: OpenedRequest | undefined },
): Promise<EngineReply> => {
  const { request, underway } = answering;
  const { context, noticed } = underway;
  if (opened === undefined || context.collections === undefined) return mocked(answering, read, mock);
  const { body, media, sent = body } = read;
  const answer = await context.collections.answer(
    opened,
    media === undefined ? undefined : { value: sent, schema: media.media.schema, mediaType: media.contentType },
  );
  if ('reason' in answer) {
    const reply = mocked(answering, read);
    return { ...reply, headers: { ...reply.headers, [reasonHeader]: headerLine(answer.reason.slice(0, 1000)) } };
  }
  const { made, reply, violations } = writtenAnswer(answer, underway);
  noticed.replyViolations = violations;
  noteCallbacks(answering, read, made);
  return withoutBodyOfHead(request, reply);
};

type StoredAnswer = Exclude<Awaited<ReturnType<Collections['answer']>>, { readonly reason: string }>;

/** The same answer is written once. */
const writtenAnswers = new WeakMap<MadeReply, Mock>();
/** Longer texts are written again. */
const mostKeptText = 64 * 1024;

/** What does not fit the document by now is served as it is, and no fault of an answer. */
const writtenAnswer = <World>(
  { made, isFit }: StoredAnswer,
  { context, served: { operation } }: Underway<World>,
): Mock => {
  const { checkReplies, replyCheck, answers } = context;
  const known = writtenAnswers.get(made);
  if (known !== undefined) return known;
  const found = checkReplies === 'off' ? [] : replyCheck.violationsOf({ ...made, isJson: true }, operation);
  const violations = found.length > 0 && isFit() ? found : [];
  const written = { made, reply: writeReply(made, answers), violations };
  const { body } = written.reply;
  if (typeof body === 'string' && body.length <= mostKeptText) writtenAnswers.set(made, written);
  return written;
};

type Answering<World> = { readonly request: EngineRequest; readonly world: World; readonly underway: Underway<World> };
type ReadValues = Pick<ReadRequest, 'values' | 'body'>;

const mocked = <World>(answering: Answering<World>, read: ReadValues, mock?: Mock): EngineReply => {
  const { request, underway } = answering;
  const { context, served, noticed } = underway;
  const { made, reply, violations } =
    mock ?? mockOf(served, { preference: undefined, accept: request.headers['accept'] }, context);
  noticed.replyViolations = violations;
  noteCallbacks(answering, read, made);
  return withoutBodyOfHead(request, reply);
};

const noteCallbacks = <World>(
  { request, world, underway }: Answering<World>,
  read: ReadValues,
  reply: MadeReply,
): void => {
  const { context, served, noticed } = underway;
  if (served.operation.callbacks.length === 0) return;
  const url = `${context.baseUrlOf?.(world) ?? ''}${targetOf(request)}`;
  noticed.callbacks = preparedCallbacks(served.operation, { request, url, ...read, reply }, context.answers);
};

type Wish = { readonly preference: Preference | undefined; readonly accept: string | undefined };

/** The same wish has the same answer. */
const mockOf = <World>(
  { operation, mocks }: Served<World>,
  wish: Wish,
  { answers, replyCheck, checkReplies }: Context<World>,
): Mock => {
  const key = `${wish.accept ?? ''}\n${wish.preference === undefined ? '' : JSON.stringify(wish.preference)}`;
  const known = mocks.get(key);
  if (known !== undefined) return known;
  const made = answers.success(operation, wish);
  const reply = writeReply({ ...made, headers: { ...made.headers, 'Atoll-Mocked': 'true' } }, answers);
  const mock = { made, reply, violations: checkReplies === 'off' ? [] : replyCheck.violationsOf(made, operation) };
  if (mocks.size >= mostMocks) mocks.clear();
  // A stream can be read once.
  if (typeof reply.body !== 'object') mocks.set(key, mock);
  return mock;
};

/** The mock that the headers ask for. Throws refusals of the kinds `not-acceptable` and `preference`. */
export const preferredMock = <World>(
  served: Served<World>,
  headers: EngineRequest['headers'],
  context: Context<World>,
): EngineReply =>
  mockOf(served, { preference: readPreference(headers['prefer']), accept: headers['accept'] }, context).reply;

const handled = async <World>(
  handler: AnyHandler<World>,
  answering: Answering<World>,
  { host, ...read }: Parameters<typeof callHandler>[2] & Sent & { readonly host: CollectionHost | undefined },
): Promise<EngineReply> => {
  const { request, underway } = answering;
  const { context, served, noticed } = underway;
  const { operation } = served;
  const reply = await callHandler(handler, callOf(answering), read);
  if (reply === undefined) return byDocument(answering, read, { opened: await open(answering, read.values, host) });
  noticed.replyViolations = context.checkReplies === 'off' ? [] : context.replyCheck.violationsOf(reply, operation);
  const [first] = noticed.replyViolations;
  if (context.checkReplies === 'fail' && first !== undefined)
    throw new HandlerMistake(
      `returned a ${reply.status} that breaks the contract: ${first.pointer} ${fullMessage(first)}`,
    );
  noteCallbacks(answering, read, reply);
  return withoutBodyOfHead(request, writeReply(reply, context.answers));
};
