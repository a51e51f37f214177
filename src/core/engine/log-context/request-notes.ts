/** Defines what is noted on a request while it is answered, for metrics and logs. */
import { readTraceContext, type TraceContext } from './trace-context.ts';

/** A request has these where somebody counts or logs requests. They are a part of it, as `observations` are. */
export type RequestNotes = {
  /** The id of the operation that answered. Undefined until then, and where no operation answered. */
  operation: string | undefined;
  /** The name of the world. Undefined until it is found. */
  world: string | undefined;
  /** Where the request belongs in a trace of its client. */
  readonly trace: TraceContext | undefined;
  /** An event has said already why the request failed. */
  isReported: boolean;
};

export const createNotes = (traceparent: string | undefined): RequestNotes => ({
  operation: undefined,
  world: undefined,
  trace: readTraceContext(traceparent),
  isReported: false,
});
