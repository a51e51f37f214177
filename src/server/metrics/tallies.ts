/** Makes the plain numbers that the parts of a server add to, and counts and times its answers. */
import { createHistogram, type Histogram, observe } from '../../basics/histogram.ts';
import {
  createUploadTally,
  createWriteTally,
  secondBounds,
  type UploadTally,
  type WriteTally,
  createReplyCacheTally,
  type ReplyCacheTally,
} from '../../basics/work-tally.ts';
import { type PlainReply, type PlainRequest, type EngineEvent, logContextOf } from '../../openapi/openapi-host.ts';

type Answer = (request: PlainRequest) => Promise<PlainReply>;

type CountOptions = { readonly tally: RequestTally; readonly onEvent: (event: EngineEvent) => void };

/** The same answer, counted under the operation that the request's record names at its end. */
export const countAnswers = (answer: Answer, { tally, onEvent }: CountOptions): Answer => {
  const end = ({ observations }: PlainRequest, status: number, began: number): void => {
    tally.inProgress -= 1;
    tally.answered(observations?.operation?.id, status, (performance.now() - began) / 1000);
  };
  return (request) => {
    const began = performance.now();
    tally.inProgress += 1;
    return answer(request).then(
      (reply) => {
        end(request, reply.status, began);
        if (reply.status >= 500) reportFailure(request, reply, onEvent);
        return reply;
      },
      (error: unknown) => {
        end(request, 500, began);
        throw error;
      },
    );
  };
};

/** Reports an answer that no event has reported yet. */
const reportFailure = ({ observations }: PlainRequest, reply: PlainReply, onEvent: CountOptions['onEvent']): void => {
  const operation = observations?.operation?.id;
  if (observations?.isReported === true || isWanted(reply) || operation === readinessProbe) return;
  const failure = {
    operation,
    status: reply.status,
    message: messageOf(reply),
    logContext: logContextOf(observations),
  };
  onEvent({ kind: 'answered-with-failure', ...failure });
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
