/** Compares Atoll with a recording: sends each recorded request to an Atoll of its own, in order and at its time. */
import { createReadStream } from 'node:fs';
import { readRecording, type ReadExchange } from '../../exchange/exchange-files.ts';
import { readable } from '../compare/compare.ts';
import type { Judged } from '../compare/difference.ts';
import type { WireExchange } from '../../exchange/exchange.ts';
import { learnAliases } from '../compare/learn.ts';
import type { BodySource } from './follower.ts';
import { startLocalServer, type LocalServerOptions } from '../reference/local-server.ts';
import { acceptancesOf, createTwinSession, type TwinSession, type TwinSessionOptions } from './session.ts';
import type { TwinReport } from './reports.ts';
import type { Clock } from '../../openapi/openapi-records.ts';

type RecordedOptions = LocalServerOptions & {
  /** The directory of a recording. */
  readonly recorded: string;
  /** A file of accepted differences. */
  readonly accept?: string | undefined;
  /** How many bytes of each body are compared. Default: 4 MiB. */
  readonly keptBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
};

export type FinishedTwin = { readonly report: TwinReport; readonly draft: string };

export const defaultKeptBytes = 4 * 1024 * 1024;

/** Throws `ConfigurationError` for a directory that is not a recording, and for a damaged one. */
export const compareRecorded = async (options: RecordedOptions): Promise<FinishedTwin> => {
  const { recorded, keptBytes = defaultKeptBytes } = options;
  const { exchanges, target } = await readRecording(recorded, { keptBytes });
  const clock = createSteppedClock(exchanges[0]?.at ?? Date.now());
  const own = await startLocalServer(options, { keptBytes, clock });
  try {
    const twin = createRecordedTwin(exchanges, {
      ...{ own, targetUrls: [target], shownTarget: recorded, stepTo: clock.stepTo },
      acceptances: await acceptancesOf(options.accept),
    });
    for (const exchange of exchanges) {
      if (options.signal?.aborted === true) break;
      await twin.compare(exchange);
    }
    return { report: twin.session.report(), draft: twin.session.draft() };
  } finally {
    await own.stop();
  }
};

/** A recorded or made-up exchange; a long body may lie in a file. */
export type RecordedExchange = WireExchange & Partial<Pick<ReadExchange, 'bodyFiles'>>;

export type RecordedTwin = {
  readonly session: TwinSession;
  /** Sends the request at its time. Undefined when it is not compared. */
  compare(exchange: RecordedExchange): Promise<readonly Judged[] | undefined>;
};

type RecordedTwinOptions = Omit<TwinSessionOptions, 'first' | 'second'> & {
  /** Moves the clock of Atoll to this time, in milliseconds since 1970, or a moment on when that is past. */
  readonly stepTo: (at: number) => void;
};

/** Compares an Atoll with exchanges that are to be sent in order. */
export const createRecordedTwin = (
  exchanges: readonly RecordedExchange[],
  options: RecordedTwinOptions,
): RecordedTwin => {
  const session = createTwinSession({ ...options, first: 'target', second: options.own.sender });
  // A refusal may be about a wrong password: the right ones are those that the target takes anywhere.
  session.credentialMap.passwords.noteAll(exchanges);
  // An address may name a record by its alias before the record shows it. The first one to show it counts.
  for (const { request, reply } of [...exchanges].reverse()) learnAliases(request, readable(reply), session.comparison);
  return {
    session,
    compare: async (exchange) => {
      options.stepTo(exchange.at);
      const body = sourceOf(exchange);
      if (body !== 'missing') return session.judge(await session.follower.follow(exchange, body));
      session.tally.skip('the recording has not all bytes that were sent');
      return undefined;
    },
  };
};

const sourceOf = ({ request: { body }, bodyFiles }: RecordedExchange): BodySource | 'missing' => {
  if (body.bytes === 0) return undefined;
  if (body.isWhole) return { content: body.kept, bytes: body.bytes };
  const file = bodyFiles?.request;
  return file === undefined ? 'missing' : { content: createReadStream(file), bytes: body.bytes };
};

/** Forward only; a moment later where the recording has a pause. */
const createSteppedClock = (start: number): Clock & { readonly stepTo: (at: number) => void } => {
  let time = start;
  return {
    now: (): number => time,
    stepTo: (at) => {
      time = Math.max(time + 1, at);
    },
  };
};
