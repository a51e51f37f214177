/** Starts a proxy: a listener that passes requests on to a target, and an Atoll in this process that shows what has passed. */
import { repositoryWorld } from '../../repository/repository.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createConnection, type TlsOptions } from '../../exchange/exchange-target.ts';
import type { NamedDocument } from '../../server/server-application.ts';
import { start } from '../../application/application-disk.ts';
import { passedHeadBytes, type Started, openGuardedListener } from '../../server/server-start.ts';
import { readDifferences, type DeliberateDifference } from '../differences/read-differences.ts';
import { mainName, type ExportedConfiguration } from '../../openapi/openapi-host.ts';
import { systemClock, systemIds } from '../../server/server.ts';
import { createClientAnswering } from './answer-client.ts';
import { openRecording, type Recording, type RecordOptions } from './recording.ts';
import { createRewriting, type Rewritable } from './rewrite.ts';
import { createWatch, type BrokenReply } from './watch.ts';

export type ProxyOptions = {
  /** The package's folder, and the file that the build prepared. */
  readonly root: string;
  readonly prepared?: string | undefined;
  /** The base URL of the server behind the proxy, without a slash at its end. */
  readonly target: string;
  readonly tls?: TlsOptions | undefined;
  /** The longest silence of the target, in milliseconds. Default: 30,000. */
  readonly silenceMs?: number | undefined;
  /** Whose document the exchanges are checked against. Default: the built-in site, or none where documents are named. */
  readonly site?: string | undefined;
  readonly drupalConfig?: ExportedConfiguration | undefined;
  /** Documents of one's own: in place of a site, or next to the one that is named. */
  readonly documents?: readonly NamedDocument[] | undefined;
  /** Default: `localhost`, any free port. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** How clients reach the proxy, when it differs from where it listens. */
  readonly baseUrl?: string | undefined;
  readonly allowedHosts?: readonly string[] | undefined;
  readonly controlToken?: string | undefined;
  readonly controlOrigins?: readonly string[] | undefined;
  /** Whether a reply that breaks the document becomes a 502. Default: false. */
  readonly fails?: boolean | undefined;
  /** What leads clients back to the proxy. Default: nothing, bytes pass as they are. */
  readonly rewrite?: readonly Rewritable[] | undefined;
  /** Whether the target learns of the client: `X-Forwarded-For`, `-Host`, `-Proto`. Default: false. */
  readonly forwarded?: boolean | undefined;
  /** At most so many requests in a second reach the target; others wait. Default: as many as come. */
  readonly perSecond?: number | undefined;
  /** How many bytes of a body are kept, and so checked. Default: 1 MiB. */
  readonly keptBytes?: number | undefined;
  /** Exchanges that are remembered. Default: 1,000. With 0 nothing is shown, and nothing is checked but with `fails`. */
  readonly traffic?: number | undefined;
  /** Where exchanges are recorded, without secrets. */
  readonly record?: RecordOptions | undefined;
  readonly onBroken?: ((broken: BrokenReply) => void) | undefined;
  /** Receives a line for each request that the target did not answer. */
  readonly onFailure?: ((message: string) => void) | undefined;
  readonly warn?: ((message: string) => void) | undefined;
};

export type ProxyCounts = {
  /** Replies of the target that broke the document. */
  readonly broken: number;
  /** Requests that the target did not answer. */
  readonly failed: number;
};

export type Proxy = {
  /** Where clients reach it, without a slash at the end. The console is at `/_atoll/`. */
  readonly url: string;
  readonly counts: () => ProxyCounts;
  /** Waits up to `drainMs` milliseconds for open exchanges, then closes everything. */
  stop(drainMs?: number): Promise<void>;
};

const defaults = { silenceMs: 30_000, keptBytes: 1024 * 1024, drainMs: 1000 };

/** Sends nothing to the target before a client does. Rejects with `ConfigurationError`, or when it cannot listen. */
export const startProxy = async (options: ProxyOptions): Promise<Proxy> => {
  const { warn = () => undefined } = options;
  const listener = await openGuardedListener(options);
  try {
    const { url } = listener;
    const { record, target } = options;
    const recording = record === undefined ? undefined : await openRecording(record, target, warn);
    const started = await startInside(options, url, warn).catch(async (error: unknown) => {
      await recording?.close();
      throw error;
    });
    const differences = await readDifferences(options.root);
    const { answer, counts, close } = createAnswer(options, { started, url, recording, differences });
    listener.serve(answer);
    let stopped: Promise<void> | undefined;
    const stop = async (drainMs: number): Promise<void> => {
      // Event streams never end by themselves.
      started.inside.observer.end();
      await listener.stop(drainMs);
      close();
      await recording?.close();
      await started.stop(0);
    };
    return { url, counts, stop: (drainMs = defaults.drainMs) => (stopped ??= stop(drainMs)) };
  } catch (error) {
    await listener.stop(0);
    throw error;
  }
};

/** The Atoll whose control interface and console show what has passed. It listens nowhere and is empty. */
const startInside = (options: ProxyOptions, baseUrl: string, warn: (message: string) => void): Promise<Started> =>
  start({
    ...{ root: options.root, prepared: options.prepared, site: options.site, drupalConfig: options.drupalConfig },
    documents: options.documents,
    ...{ host: 'localhost', port: undefined, baseUrl, allowedHosts: options.allowedHosts },
    ...{ data: undefined, fixture: 'empty', durability: 'os', signingKey: undefined },
    ...{ checkReplies: 'log', pages: false, cors: 'off', demoAccounts: true, traffic: options.traffic },
    ...{ controlToken: options.controlToken, controlOrigins: options.controlOrigins },
    ...{ clock: systemClock, ids: systemIds, warn, onEvent: () => undefined, areAnswersHeard: false },
    onError: (error) => warn(`The control interface could not answer: ${String(error)}`),
  });

type Parts = {
  readonly started: Started;
  readonly url: string;
  readonly recording: Recording | undefined;
  readonly differences: readonly DeliberateDifference[];
};

const createAnswer = (options: ProxyOptions, { started, url, recording, differences }: Parts) => {
  const { keptBytes = defaults.keptBytes } = options;
  const count = { broken: 0, failed: 0 };
  const target = createConnection({
    ...{ baseUrl: options.target, tls: options.tls, silenceMs: options.silenceMs ?? defaults.silenceMs },
    ...{ headBytes: passedHeadBytes, perSecond: options.perSecond },
  });
  const onBroken = (broken: BrokenReply): void => {
    count.broken += 1;
    options.onBroken?.(broken);
  };
  const passOn = createClientAnswering({
    target,
    watch: createWatch({ inside: started.inside, baseUrl: options.target, keptBytes, onBroken, differences }),
    faults: () => started.inside.faults.of(mainName),
    world: () => repositoryWorld(started.world),
    rewriting: createRewriting({ what: options.rewrite, targetUrl: options.target, ownUrl: url }),
    forwardedFor: options.forwarded === true ? url : undefined,
    fails: options.fails === true,
    isWatched: options.traffic !== 0,
    keptBytes,
    onExchange: recording?.add,
    onFailure: (message) => {
      count.failed += 1;
      options.onFailure?.(message);
    },
  });
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (ownPath.test(request.url ?? '')) started.respond(request, response);
    else if (recording?.isBehind() === true) void recording.caughtUp().then(() => passOn(request, response));
    else void passOn(request, response);
  };
  return { answer, counts: () => ({ ...count }), close: () => target.close() };
};

/** The control interface and the console, of the main world or of another one. */
const ownPath = /^\/(?:~[^/?]*\/)?_atoll(?:[/?]|$)/;
