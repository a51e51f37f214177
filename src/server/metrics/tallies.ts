/** Makes the plain numbers that the parts of a server add to, and counts and times its answers. */
import { createHistogram, type Histogram, observe } from '../../basics/histogram.ts';
import {
  createUploadTally,
  createWriteTally,
  secondBounds,
  type UploadTally,
  type WriteTally,
} from '../../basics/work-tally.ts';
import type { PlainReply, PlainRequest } from '../../core/engine/exchange.ts';
import type { EngineEvent } from '../../core/engine/finish.ts';
import { createLogContext, type LogContext } from '../../core/engine/log-context.ts';
import { createReplyCacheTally, type ReplyCacheTally } from '../../core/engine/reply-cache.ts';

type Answer = (request: PlainRequest) => Promise<PlainReply>;

type CountOptions = { readonly tally: RequestTally; readonly onEvent: (event: EngineEvent) => void };

/** The same answer. Its requests have a log context. */
export const countAnswers = (answer: Answer, { tally, onEvent }: CountOptions): Answer => {
  const end = (logContext: LogContext, status: number, began: number): void => {
    tally.inProgress -= 1;
    tally.answered(logContext.operation, status, (performance.now() - began) / 1000);
  };
  return (request) => {
    const { method, path, query, headers, body, address, connection } = request;
    const logContext = createLogContext(headers['traceparent']);
    const began = performance.now();
    tally.inProgress += 1;
    // Named one by one: V8 copies an object by its spread in several times the time.
    return answer({ method, path, query, headers, body, address, connection, logContext }).then(
      (reply) => {
        end(logContext, reply.status, began);
        if (
          reply.status >= 500 &&
          !logContext.isReported &&
          !isWanted(reply) &&
          logContext.operation !== readinessProbe
        ) {
          const { operation } = logContext;
          onEvent({
            kind: 'answered-with-failure',
            operation,
            status: reply.status,
            message: messageOf(reply),
            logContext,
          });
        }
        return reply;
      },
      (error: unknown) => {
        end(logContext, 500, began);
        throw error;
      },
    );
  };
};

/** The message that the client gets. Undefined for an answer that is not a refusal of one sentence. */
const messageOf = ({ body }: PlainReply): string | undefined =>
  typeof body === 'string' ? /^\{"message":"([^"\\]{1,300})"\}$/.exec(body)?.[1] : undefined;

/** It says so itself, again and again. */
const readinessProbe = 'getReady';

/** A fault on demand, or a mock that a client asked for. */
const isWanted = ({ headers }: PlainReply): boolean =>
  headers['Atoll-Fault'] !== undefined || headers['Atoll-Mocked'] !== undefined;

/** The answers of one operation. */
type OperationTally = {
  /** By status. */
  readonly answers: ReadonlyMap<number, number>;
  /** Seconds until an answer was ready. */
  readonly seconds: Histogram;
};

/** Counts the requests of a server by plain numbers. It works for every request, so it does nothing that can be done at a reading. */
export type RequestTally = {
  /** Requests that came and have no answer yet. */
  inProgress: number;
  /** By the id of the operation; an empty one is for what no operation answered. */
  readonly operations: ReadonlyMap<string, OperationTally>;
  /** Undefined for an operation: none answered. */
  answered(operation: string | undefined, status: number, seconds: number): void;
};

export const createRequestTally = (): RequestTally => {
  const operations = new Map<string, { readonly answers: Map<number, number>; readonly seconds: Histogram }>();
  return {
    inProgress: 0,
    operations,
    answered: (operation = '', status, seconds) => {
      let tally = operations.get(operation);
      if (tally === undefined) {
        tally = { answers: new Map(), seconds: createHistogram(secondBounds) };
        operations.set(operation, tally);
      }
      tally.answers.set(status, (tally.answers.get(status) ?? 0) + 1);
      observe(tally.seconds, seconds);
    },
  };
};

export type Tallies = {
  readonly requests: RequestTally;
  readonly replyCache: ReplyCacheTally;
  readonly writes: WriteTally;
  readonly uploads: UploadTally;
};

export const createTallies = (): Tallies => ({
  requests: createRequestTally(),
  replyCache: createReplyCacheTally(),
  writes: createWriteTally(),
  uploads: createUploadTally(),
});
