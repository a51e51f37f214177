/** Defines what engines report for logs. */
import type { Violation as ContractViolation } from '../schemas/violations.ts';
import type { RequestObservations } from './observations.ts';

/** What happens to a reply that violates the document. `fail` turns it into a 500 that names the violations. */
export type ReplyChecks = 'off' | 'log' | 'fail';

/** Which request an event concerns: its world, and its place in the trace of its client. */
export type LogContext = Readonly<Pick<RequestObservations, 'world' | 'trace'>>;

export const logContextOf = (observations: RequestObservations | undefined): LogContext | undefined =>
  observations && { world: observations.world, trace: observations.trace };

/** An event of the engine, for logs. */
export type EngineEvent = { readonly logContext?: LogContext | undefined } & EventOfKind;

type EventOfKind =
  | { readonly kind: 'answered'; readonly operation: string; readonly status: number }
  | {
      readonly kind: 'reply-breaks-contract';
      readonly operation: string;
      readonly status: number;
      readonly faults: readonly ContractViolation[];
    }
  | {
      /** The document does not allow the body, and yet it was accepted, as the real site accepts it. */
      readonly kind: 'lenient-body';
      readonly operation: string;
      readonly faults: readonly ContractViolation[];
    }
  | {
      /** 422: what the body says cannot be stored. */
      readonly kind: 'refused-body';
      readonly operation: string | undefined;
      readonly message: string;
    }
  | {
      /** Any other answer from 500 on that no fault on demand and no mock has made. */
      readonly kind: 'answered-with-failure';
      readonly operation: string | undefined;
      readonly status: number;
      /** What the answer says to the client. */
      readonly message: string | undefined;
    }
  | {
      /** The server could not keep a write: 503 or 507. `cause` says why, if the answer does not. */
      readonly kind: 'write-refused';
      readonly operation: string | undefined;
      readonly status: number;
      readonly message: string;
      readonly cause: unknown;
    }
  | {
      /** A command of the control interface that changes something, done or refused. */
      readonly kind: 'commanded';
      readonly operation: string;
      readonly status: number;
      /** The name of the control token, `--control-token` for the server's own, `loopback` without one, or `anonymous`. */
      readonly who: string;
      /** The world on which it acted. */
      readonly world: string;
      /** The real time, as ISO 8601. */
      readonly at: string;
      /** From the request's `traceparent`. */
      readonly traceId?: string;
    }
  | { readonly kind: 'failed'; readonly operation: string | undefined; readonly error: unknown };
