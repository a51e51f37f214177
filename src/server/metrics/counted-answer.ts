/** Counts and times the answers of a server, and reports each one that says the server failed. */
import type { PlainReply, PlainRequest } from '../../core/engine/exchange.ts';
import type { EngineEvent } from '../../core/engine/finish.ts';
import { createLogContext, type LogContext } from '../../core/engine/log-context.ts';
import type { RequestTally } from './request-tally.ts';

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

/** What the client is told. Undefined for an answer that is no refusal of one sentence. */
const messageOf = ({ body }: PlainReply): string | undefined =>
  typeof body === 'string' ? /^\{"message":"([^"\\]{1,300})"\}$/.exec(body)?.[1] : undefined;

/** It says so itself, again and again. */
const readinessProbe = 'getReady';

/** A fault on demand, or a mock that a client asked for. */
const isWanted = ({ headers }: PlainReply): boolean =>
  headers['Atoll-Fault'] !== undefined || headers['Atoll-Mocked'] !== undefined;
