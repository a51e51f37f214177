/** Reads where a request belongs in a trace of its client: the header `traceparent` (W3C Trace Context §3.2). */

/** Both are lower-case hex: the trace, and the span of the client that sent the request. */
export type TraceContext = { readonly traceId: string; readonly spanId: string };

/** `version-traceid-parentid-flags`. A later version than 00 may have more behind another hyphen. */
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** Undefined for a header that is absent or malformed, or that was sent more than once: such a one is passed over (§3.2.2). */
export const readTraceContext = (traceparent: string | undefined): TraceContext | undefined => {
  if (traceparent === undefined) return undefined;
  const [, version, traceId, spanId, more] = form.exec(traceparent) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return version === '00' && more !== undefined ? undefined : { traceId, spanId };
};
