/** Defines what metrics and logs know of a request, with its trace context: the header `traceparent` (W3C Trace Context §3.2). */

/** Both are lower-case hex: the trace, and the span of the client that sent the request. */
type TraceContext = { readonly traceId: string; readonly spanId: string };

/** `version-traceid-parentid-flags`. A later version than 00 may have more behind another hyphen. */
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** Undefined for a header that is absent or malformed, or that was sent more than once: such a one is passed over (§3.2.2). */
export const readTraceContext = (traceparent: string | undefined): TraceContext | undefined => {
  if (traceparent === undefined) return undefined;
  const [, version, traceId, spanId, more] = form.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return version === '00' && more !== undefined ? undefined : { traceId, spanId };
};

/** A request has these where somebody counts or logs requests. They are a part of it, as `observations` are. */
export type LogContext = {
  /** The id of the operation that answered. Undefined until then, and where no operation answered. */
  operation: string | undefined;
  /** The name of the world. Undefined until it is found. */
  world: string | undefined;
  /** Where the request belongs in a trace of its client. */
  readonly trace: TraceContext | undefined;
  /** An event has said already why the request failed. */
  isReported: boolean;
};

export const createLogContext = (traceparent: string | undefined): LogContext => ({
  operation: undefined,
  world: undefined,
  trace: readTraceContext(traceparent),
  isReported: false,
});
