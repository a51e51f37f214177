/** Starts a twin: a listener whose requests go to a target and to an Atoll in this process, which compares their answers. */
import { join } from 'node:path';
import { passedHeadBytes, openGuardedListener } from '../../server/server-start.ts';
import { openRecording, type RecordOptions } from '../proxy/recording.ts';
import { createRewriting, type Rewritable } from '../proxy/rewrite.ts';
import { createConnection, examineTarget, createSender, type SenderOptions } from '../../exchange/exchange-target.ts';
import type { WireExchange } from '../../exchange/exchange.ts';
import { otherSide, type Side } from '../compare/difference.ts';
import type { Acceptance } from './acceptances.ts';
import { createLive } from './live.ts';
import { accountIn } from './credentials/passwords.ts';
import { startLocalServer, type LocalServerOptions } from '../reference/local-server.ts';
import { defaultKeptBytes, type FinishedTwin } from './recorded.ts';
import { acceptancesOf, createTwinSession } from './session.ts';
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
    readonly record?: RecordOptions | undefined;
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
  const acceptances = await acceptancesOf(options.accept);
  await examineTarget({ baseUrl: options.target, tls: options.tls, silenceMs: options.silenceMs });
  const listener = await openGuardedListener(options);
  /** What closes each part that is open by now, the last one first. */
  const closings: (() => unknown)[] = [];
  const closeAll = async (): Promise<void> => {
    for (const close of closings) await close();
  };
  try {
    const { live, session, atollUrl } = await openParts(options, { url: listener.url, acceptances, closings });
    listener.serve((request, response) => void live.answer(request, response));
    let ended: Promise<FinishedTwin> | undefined;
    const end = async (drainMs: number): Promise<FinishedTwin> => {
      await listener.stop(drainMs);
      await live.caughtUp();
      await closeAll();
      return { report: session.report(), draft: session.draft() };
    };
    return {
      ...{ url: listener.url, atollUrl, stop: (drainMs = 1000) => (ended ??= end(drainMs)) },
      report: async () => {
        await live.caughtUp();
        return session.report();
      },
    };
  } catch (error) {
    await closeAll();
    await listener.stop(0);
    throw error;
  }
};

type Parts = {
  readonly url: string;
  readonly acceptances: readonly Acceptance[];
  readonly closings: (() => unknown)[];
};

const openParts = async (options: TwinOptions, { url, acceptances, closings }: Parts) => {
  const { target, tls, silenceMs = 30_000, perSecond, keptBytes = defaultKeptBytes } = options;
  const first = options.answerWith ?? 'target';
  const own = await startLocalServer(options, { keptBytes });
  closings.unshift(() => own.stop());
  const second =
    first === 'atoll' ? createSender({ baseUrl: target, tls, silenceMs, perSecond, keptBytes }) : own.sender;
  closings.unshift(() => second.close());
  const adding = async (side: Side, url: string) => {
    if (options.record === undefined) return undefined;
    const place = { ...options.record, directory: join(options.record.directory, side) };
    const recording = await openRecording(place, url, options.warn);
    closings.unshift(() => recording.close());
    return (exchange: WireExchange): void =>
      recording.add({ ...exchange, account: exchange.account ?? accountIn(exchange.request) });
  };
  const add = { target: await adding('target', target), atoll: await adding('atoll', own.started.url) };
  const firstUrl = first === 'target' ? target : own.started.url;
  const connection = createConnection({
    ...{ baseUrl: firstUrl, tls, silenceMs, headBytes: passedHeadBytes },
    // Where the target answers second, its sender has the limit.
    perSecond: first === 'target' ? perSecond : undefined,
  });
  closings.unshift(() => connection.close());
  const session = createTwinSession({
    ...{ own, first, second, acceptances, shownTarget: target, onSecond: add[otherSide(first)] },
    targetUrls: [target, url, ...(options.aliases ?? [])],
  });
  const live = createLive({
    ...{ session, first, connection, keptBytes, onExchange: add[first] },
    rewriting: createRewriting({ what: options.rewrite, targetUrl: firstUrl, ownUrl: url }),
    onFailure: options.onFailure,
  });
  return { live, session, atollUrl: own.started.url };
};
