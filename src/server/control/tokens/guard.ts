/** Guards the control interface: finds out who asks, counts and refuses, and reports each command that changes something. */
import { randomBytes } from 'node:crypto';
import type { Awaitable } from '../../../basics/awaitable.ts';
import {
  isRead,
  type PlainReply,
  type PlainRequest,
  type EngineEvent,
  logContextOf,
  readTraceContext,
  errorReply,
  messageReply,
  type HostedOperation,
  type HostedWorld,
} from '../../../openapi/openapi-host.ts';
import type { HandlerInput, OpeningHandler } from '../../../openapi/openapi-parts.ts';
import type { ControlAccess } from '../control-access.ts';
import type { AnyControlHandler } from '../control-handlers.ts';
import {
  type ControlCaller,
  identify,
  missingRight,
  missingWorld,
  type Need,
  readCopies,
  readNeeds,
  refusedPage,
} from './identify.ts';
import type { NamedTokens } from './named-tokens.ts';
import { createRateLimit } from './rate-limit.ts';
import { forbidden, Problem, type DocumentObject } from '../../../openapi/openapi-terms.ts';

/** What a command copies. Only what makes a world may name a world; the others name snapshots. */
export type Copied = { readonly name: string; readonly isSnapshot: boolean };

type GuardOptions = {
  readonly access: ControlAccess;
  readonly tokens: NamedTokens;
  /** The control document. Each operation says in `x-right` what it needs. */
  readonly document: DocumentObject;
  /** The world that a copied name is of: itself, or the one that has the snapshot. Undefined for a fixture. */
  readonly holderOf: (copied: Copied, world: HostedWorld) => Awaitable<string | undefined>;
  /** The most requests of each token in a minute. Undefined: any number. */
  readonly perMinute: number | undefined;
  readonly onEvent: (event: EngineEvent) => void;
  /** The real time, in milliseconds since 1970. */
  readonly now: () => number;
};

/** A request that was let in. */
type Command = {
  readonly caller: ControlCaller;
  /** The world on which it acts. */
  acted: string;
};

/** The world of a request that was let in, and the request's command. */
export type GuardedWorld = { readonly world: HostedWorld; readonly command: Command };

type Guard = {
  /** The handlers, each of which first refuses a world that the caller may not act on. */
  withRights(handlers: Readonly<Record<string, AnyControlHandler>>): ReadonlyMap<string, OpeningHandler<GuardedWorld>>;
  /** Answers a request by `next`, or refuses it. `isPage`: a file of a page. */
  answer(asked: Asked, next: AnswerGuarded): Promise<PlainReply>;
};

type AnswerGuarded = (request: PlainRequest, guarded: GuardedWorld) => Promise<PlainReply>;

type Asked = {
  readonly request: PlainRequest;
  readonly world: HostedWorld;
  readonly operation: HostedOperation | undefined;
  readonly isPage: boolean;
};

export const createGuard = (options: GuardOptions): Guard => {
  const needOf = readNeeds(options.document);
  const copiedBy = readCopies(options.document);
  const count = options.perMinute === undefined ? undefined : createRateLimit(options.perMinute, options.now);

  const whoAsks = ({ request, operation, isPage }: Asked): ReturnType<typeof identify> => {
    const isOpen = operation !== undefined && needOf(operation.id) === 'none';
    return isPage ? pageCaller(request, options) : identify(request, isOpen, options);
  };

  const answered = async (asked: Asked, next: AnswerGuarded): Promise<Answered> => {
    const { request, operation } = asked;
    const identified = await whoAsks(asked).catch((error: unknown) => failed(error, operation?.id, options));
    if ('reply' in identified) return identified;
    const refuse = (message: string): Answered => ({ reply: messageReply(403, message), isRefused: true });
    if (identified.caller === undefined) return refuse(identified.refusal);
    const { caller, isToken } = identified;
    const counted = isToken ? count?.(caller.name) : undefined;
    if (counted?.refusal !== undefined)
      return { reply: withHeaders(counted.refusal, counted.headers), caller, isRefused: true };
    const missing = operation && missingFor(caller, needOf(operation.id), asked.world.name);
    if (missing !== undefined) return { ...refuse(missing), caller };
    const command: Command = { caller, acted: asked.world.name };
    const reply = withHeaders(await next(request, { world: asked.world, command }), counted?.headers);
    return { reply, caller, world: command.acted };
  };

  return {
    withRights: (handlers) =>
      new Map(
        Object.entries(handlers).map(([id, handler]) => [
          id,
          { open: onAllowedWorlds(handler, { need: needOf(id), copied: copiedBy(id), holderOf: options.holderOf }) },
        ]),
      ),
    answer: async (asked, next) => {
      const answer = await answered(asked, next);
      report(asked, answer, options);
      return answer.reply;
    },
  };
};

type Answered = {
  readonly reply: PlainReply;
  readonly caller?: ControlCaller;
  /** The world on which the command acted, where it came so far. */
  readonly world?: string;
  /** Whether the engine has not seen it. */
  readonly isRefused?: boolean;
};

/** The tokens cannot be read, such as without a connection to their database. */
const failed = (error: unknown, operation: string | undefined, { onEvent }: GuardOptions): Answered => {
  if (!(error instanceof Problem)) onEvent({ kind: 'failed', operation, error });
  return { isRefused: true, reply: errorReply(error) };
};

/** Before the engine looks at the body: a request that may not be made is 403, whatever else is wrong with it. */
const missingFor = (caller: ControlCaller, need: Need, world: string): string | undefined =>
  missingRight(caller, need) ?? (need === 'this-world' ? missingWorld(caller, world) : undefined);

const pageCaller = async (request: PlainRequest, options: GuardOptions): ReturnType<typeof identify> => {
  const refusal = await refusedPage(request, options);
  return refusal === undefined
    ? { caller: { name: 'anonymous', right: 'read', prefix: null }, isToken: false }
    : { refusal };
};

const withHeaders = (reply: PlainReply, headers: PlainReply['headers'] | undefined): PlainReply =>
  headers === undefined ? reply : { ...reply, headers: { ...reply.headers, ...headers } };

/** Reports what the engine could not, and each command that changes something, also one that was refused. */
const report = (
  { request, world, operation }: Asked,
  { reply: { status }, caller, isRefused = false, ...answer }: Answered,
  { onEvent, now }: GuardOptions,
): void => {
  if (operation === undefined) return;
  const { id } = operation;
  const { observations } = request;
  if (isRefused && observations !== undefined) observations.operation = operation;
  if (isRefused) onEvent({ kind: 'answered', operation: id, status, logContext: logContextOf(observations) });
  if (isRead(request) || request.method === 'OPTIONS') return;
  onEvent({
    kind: 'commanded',
    ...{ operation: id, status, who: caller?.name ?? 'anonymous', world: answer.world ?? world.name },
    at: new Date(now()).toISOString(),
    ...traceOf(request),
  });
};

/** The id of the trace that a request belongs to. */
const traceOf = ({ headers }: PlainRequest): { readonly traceId?: string } => {
  const { traceId } = readTraceContext(headers['traceparent']) ?? {};
  return traceId === undefined ? {} : { traceId };
};

/** On which worlds an operation acts, and what it copies. */
type Acting = Pick<GuardOptions, 'holderOf'> & { readonly need: Need; readonly copied: string | undefined };

const onAllowedWorlds =
  (handler: AnyControlHandler, { need, copied, holderOf }: Acting): OpeningHandler<GuardedWorld>['open'] =>
  async ({ path, query, headers }, { world, command }) => {
    const { caller } = command;
    const mayAct = (name: string): void => {
      const missing = missingWorld(caller, name);
      if (missing !== undefined) throw forbidden(missing);
    };
    const actOn = (name: string): void => {
      command.acted = name.slice(0, 80);
      mayAct(name);
    };
    // Who may copy a world reads all of it in the copy.
    const mayCopy = async ({ json }: HandlerInput): Promise<void> => {
      if (copied === undefined) return;
      const name = path[copied] ?? (Object(json) as Readonly<Record<string, unknown>>)[copied];
      if (typeof name !== 'string') return;
      const holder = await holderOf({ name, isSnapshot: need !== 'new-world' }, world);
      if (holder !== undefined) mayAct(holder);
    };
    if (need === 'this-world') actOn(world.name);
    if (need === 'named-world') actOn(String(path['world_name']));
    // No header of the document is anything but a text.
    const request = { path, query, headers: headers as Readonly<Record<string, string | undefined>>, caller };
    const work = await handler(request, world);
    if (need !== 'new-world' && copied === undefined) return work;
    return async (input) => {
      await mayCopy(input);
      if (need !== 'new-world') return work(input);
      const named = withName(input, caller.prefix);
      if (named.name !== undefined) actOn(named.name);
      const reply = await work(named.input);
      const { name: made } = Object(reply.body) as { readonly name?: unknown };
      if (typeof made === 'string') command.acted = made;
      return reply;
    };
  };

/** The name of the world that is to be made. A name that was left out would not begin with the prefix of the token. */
const withName = (
  input: HandlerInput,
  prefix: string | null,
): { readonly input: HandlerInput; readonly name: string | undefined } => {
  const json = Object(input.json) as { readonly name?: string }; // the engine has checked the body
  if (json.name !== undefined || prefix === null) return { input, name: json.name };
  const name = prefix + randomBytes(4).toString('hex');
  return { input: { ...input, json: { ...json, name } }, name };
};
