/** Starts a twin: a listener whose requests go to a target and to an Atoll in this process, which compares their answers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { isLoopbackHost } from '../../core/access/loopback.ts';
import { listen, type Listener } from '../../server/http/listener.ts';
import { writeReply } from '../../server/http/node-exchange.ts';
import { defaultReaderIdleMs } from '../../server/http/unread-answer.ts';
import { createRewriting, type Rewritable } from '../proxy/rewrite.ts';
import { createConnection, headBytes } from '../../exchange/connection.ts';
import { openRecorder, type Recorder } from '../../exchange/files/recorder.ts';
import type { RedactionRules } from '../../exchange/redaction/redaction-rules.ts';
import { hostRefusal } from '../../server/start/express-app.ts';
import { baseUrlOf } from '../../server/start/reach.ts';
import { examineTarget } from '../../exchange/examine-target.ts';
import { createRateLimit, createSender, type SenderOptions } from '../../exchange/send.ts';
import type { WireExchange } from '../../exchange/wire-exchange.ts';
import { otherSide, type Side } from '../../contract/compare/difference.ts';
import { createLive } from './live.ts';
import { accountIn } from './credentials/passwords.ts';
import { startLocalServer, type StartedLocalServer, type LocalServerOptions } from './local-server.ts';
import { defaultKeptBytes, type FinishedTwin } from './recorded.ts';
import { acceptancesOf, createTwinSession, type TwinSession } from './session.ts';
import type { TwinReport } from './reports.ts';

export type TwinOptions = LocalServerOptions &
  Pick<SenderOptions, 'tls' | 'silenceMs' | 'perSecond'> & {
    /** The base URL of the server, without a slash at its end. */
    readonly target: string;
    /** Further addresses by which links of the target name it. */
    readonly aliases?: readonly string[] | undefined;
    /** Whose answer the client gets. Default: `target`. */
    readonly answerWith?: Side | undefined;
    /** Default: `localhost`, any free port. */
    readonly host?: string | undefined;
    readonly port?: number | undefined;
    /** The parts of answers in which addresses of the target become those of the twin. Default: none. */
    readonly rewrite?: readonly Rewritable[] | undefined;
    /** A file of accepted differences. */
    readonly accept?: string | undefined;
    /** How many bytes of each body are compared. A longer one is compared by its hash. Default: 4 MiB. */
    readonly keptBytes?: number | undefined;
    /** Where the exchanges of both are recorded, without secrets: in `target` and `atoll` below this directory. */
    readonly record?: { readonly directory: string; readonly rules?: RedactionRules | undefined } | undefined;
    /** Receives a line for each request that a server did not answer. */
    readonly onFailure?: ((message: string) => void) | undefined;
  };

export type Twin = {
  /** Where clients reach it, without a slash at the end. */
  readonly url: string;
  /** The Atoll in this process, with its console at `/_atoll/`. */
  readonly atollUrl: string;
  /** The findings so far. Waits until all requests are compared. */
  report(): Promise<TwinReport>;
  /** Ends everything, and returns the findings. */
  stop(drainMs?: number): Promise<FinishedTwin>;
};

/**
 * Asks the target first whether it is such a server. Rejects with `ConfigurationError`, or with a `TargetError` when the target
 * is none, or when it cannot listen.
 */
export const startTwin = async (options: TwinOptions): Promise<Twin> => {
  const { host = 'localhost', target, tls, silenceMs, perSecond, keptBytes = defaultKeptBytes } = options;
  const acceptances = await acceptancesOf(options.accept);
  await examineTarget({ baseUrl: target, tls, silenceMs });
  const listener = await listen(host, options.port ?? 0, {
    headBytes,
    onExpectation: (request, response) => answer(request, response),
  });
  let answer = (_request: IncomingMessage, response: ServerResponse): void => void response.destroy();
  /** What is open by now, to be closed in turn when a later step fails. */
  const opened: (() => unknown)[] = [() => listener.stop(0)];
  try {
    const url = baseUrlOf(
      { host, baseUrl: undefined, cors: 'off', demoAccounts: true, warn: options.warn },
      listener.port,
    );
    const own = await startLocalServer(options, { keptBytes });
    opened.push(() => own.stop());
    const first = options.answerWith ?? 'target';
    const second =
      first === 'atoll' ? createSender({ baseUrl: target, tls, silenceMs, perSecond, keptBytes }) : own.sender;
    opened.push(() => second.close());
    const recorders = await openRecorders(options, own.started.url);
    opened.push(() => recorders.close());
    const session = createTwinSession({
      ...{ own, first, second, acceptances, shownTarget: target, onSecond: recorders.add[otherSide(first)] },
      targetUrls: [target, url, ...(options.aliases ?? [])],
    });
    const parts = createParts(options, { first, own, session, url, keptBytes, recorders });
    ({ answer } = parts);
    listener.serve(answer);
    return {
      url,
      atollUrl: own.started.url,
      ...endings({ listener, own, session, ...parts, close: () => second.close() }),
    };
  } catch (error) {
    for (const close of opened.reverse()) await close();
    throw error;
  }
};

type Parts = {
  readonly first: Side;
  readonly own: StartedLocalServer;
  readonly session: TwinSession;
  readonly url: string;
  readonly keptBytes: number;
  readonly recorders: Recorders;
};

const createParts = (options: TwinOptions, { first, own, session, url, keptBytes, recorders }: Parts) => {
  const { target, tls, silenceMs = 30_000, perSecond, rewrite = [], onFailure = () => undefined } = options;
  const firstUrl = first === 'target' ? target : own.started.url;
  const connection = createConnection({ baseUrl: firstUrl, tls, silenceMs });
  const live = createLive({
    ...{ session, first, connection, keptBytes, onFailure },
    rewriting: rewrite.length === 0 ? undefined : createRewriting({ what: rewrite, targetUrl: firstUrl, ownUrl: url }),
    onExchange: recorders.add[first],
    // Where the target answers second, its sender has the limit.
    rate: createRateLimit(first === 'target' ? perSecond : undefined),
  });
  const refusalOf = hostRefusal({
    ...{ baseUrl: url, allowedHosts: [] },
    areRefused: () => isLoopbackHost(options.host ?? 'localhost'),
  });
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const refused = refusalOf(request.headers.host);
    if (refused === undefined) void live.answer(request, response);
    else void writeReply(request, response, refused, { commonHeaders: {}, readerIdleMs: defaultReaderIdleMs });
  };
  return { answer, live, recorders, disconnect: () => connection.close() };
};

type Recorders = {
  readonly add: Readonly<Record<Side, (exchange: WireExchange) => void>>;
  close(): Promise<void>;
};

const openRecorders = async ({ record, target, warn }: TwinOptions, atoll: string): Promise<Recorders> => {
  if (record === undefined)
    return { add: { target: () => undefined, atoll: () => undefined }, close: async () => undefined };
  const open = (side: Side, url: string): Promise<Recorder> =>
    openRecorder(join(record.directory, side), { target: url, rules: record.rules });
  const theirs = await open('target', target);
  const ours = await open('atoll', atoll).catch(async (error: unknown) => {
    await theirs.close();
    throw error;
  });
  const adding = (recorder: Recorder) => (exchange: WireExchange) => {
    recorder.add({ ...exchange, account: exchange.account ?? accountIn(exchange.request) }).catch((error: unknown) => {
      warn(`An exchange is not recorded: ${String(error)}`);
    });
  };
  return {
    add: { target: adding(theirs), atoll: adding(ours) },
    close: async () => {
      await Promise.all([theirs.close(), ours.close()]);
    },
  };
};

type Ending = {
  readonly listener: Listener;
  readonly own: StartedLocalServer;
  readonly session: TwinSession;
  readonly live: { caughtUp(): Promise<void> };
  readonly recorders: Recorders;
  readonly close: () => void;
  readonly disconnect: () => void;
};

const endings = ({
  listener,
  own,
  session,
  live,
  recorders,
  close,
  disconnect,
}: Ending): Pick<Twin, 'report' | 'stop'> => {
  let ended: Promise<FinishedTwin> | undefined;
  const stop = async (drainMs: number): Promise<FinishedTwin> => {
    await listener.stop(drainMs);
    await live.caughtUp();
    disconnect();
    close();
    await recorders.close();
    await own.stop();
    return { report: session.report(), draft: session.draft() };
  };
  return {
    report: async () => {
      await live.caughtUp();
      return session.report();
    },
    stop: (drainMs = 1000) => (ended ??= stop(drainMs)),
  };
};
