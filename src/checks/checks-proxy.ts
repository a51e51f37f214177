/** The door of the proxy, which checks a client and its server, and of the twin, which compares a server with an Atoll. */

/**
 * Starts a listener that passes requests on to a server and checks what passes. Sends nothing before a client does. Rejects with
 * `ConfigurationError`, or when it cannot listen.
 */
export { startProxy } from './proxy/proxy.ts';
/** A started proxy: its address, its counts, and its end. */
export type { Proxy } from './proxy/proxy.ts';
/** What went wrong so far: replies that broke the document, and requests that got no answer (502). Others are not counted. */
export type { ProxyCounts } from './proxy/proxy.ts';
/** A reply of the server that breaks the document, with the rules that it breaks. */
export type { BrokenReply } from './proxy/watch.ts';

/**
 * Starts a listener that sends each request to a server and to an Atoll in this process, and compares both answers. Rejects with
 * `ConfigurationError`, with `TargetError` when the server is not a repository, or when it cannot listen.
 */
export { startTwin } from './twin/twin.ts';
/** A started twin: its addresses, the report so far, and its end. */
export type { Twin } from './twin/twin.ts';
/** Compares an Atoll with the answers of a recording, and returns what the `stop` of a twin returns. */
export { compareRecorded } from './twin/recorded.ts';
/** Writes the report of a twin in one of the formats. */
export { twinReport } from './twin/reports.ts';
/** The formats that `twinReport` writes. */
export { twinReportFormats } from './twin/reports.ts';
/** One of these formats. */
export type { TwinReportFormat } from './twin/reports.ts';
/** The differences that a twin has found, by their causes, and the counts. */
export type { TwinReport } from './twin/reports.ts';
