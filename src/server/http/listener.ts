/** Listens for requests on both loopback families, within Node's limits, and stops in an orderly way. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { messageReply } from '../../openapi/openapi-host.ts';
import { plainErrorReply, sendErrorAndClose } from './error-reply.ts';
import { Problem, retryLater } from '../../openapi/openapi-terms.ts';

export type Respond = (request: IncomingMessage, response: ServerResponse) => void;

export type Listener = {
  readonly port: number;
  /** Starts to answer requests. Earlier requests have waited. */
  serve(respond: Respond): void;
  /** Accepts no new connections, and refuses new requests with 503. Resolves when the open ones are answered, or after `drainMs`. */
  stop(drainMs: number, refusal?: string): Promise<void>;
};

/** The code of the error when the server cannot listen. The program exits with 1. */
export const cannotListenCode = 'ATOLL_CANNOT_LISTEN';

type ListenOptions = {
  /** The longest time for the head of a request, in milliseconds. */
  readonly headMs?: number | undefined;
  /** The most connections at a time, over all addresses. Further ones are closed at once. */
  readonly maxConnections?: number | undefined;
  /** Called when a connection is closed because there are too many, at most once a minute. */
  readonly onFull?: ((maxConnections: number) => void) | undefined;
  /** The largest head of a request, in bytes. A larger one is refused with 431. Default: 16 KiB. */
  readonly headBytes?: number | undefined;
  /** Answers a request with an unknown expectation. Default: 417. */
  readonly onExpectation?: Respond | undefined;
  /** Says what answers a request that comes before `serve`. Undefined: the request waits. */
  readonly early?: ((request: IncomingMessage) => Respond | undefined) | undefined;
};

const defaultHeadMs = 15_000;

const defaultHeadBytes = 16 * 1024;

const serverOptions = {
  /** How often Node looks for heads that are late. By default it is every 30 s. */
  connectionsCheckingInterval: 1000,
  // `node-exchange.ts` refuses a missing host with a message.
  requireHostHeader: false,
};

const loopbackHosts = ['127.0.0.1', '::1'];
const missingFamily = ['EAFNOSUPPORT', 'EADDRNOTAVAIL'];

/** Listens on a host; on both loopback families for `localhost`. Port 0 means any free one. Rejects with `ATOLL_CANNOT_LISTEN`. */
export const listen = async (host: string, port: number, options: ListenOptions = {}): Promise<Listener> => {
  const gate = createGate(options.early);
  const hosts = host === 'localhost' ? loopbackHosts : [host];
  const servers: Server[] = [];
  let chosen = port;
  try {
    for (const [index, address] of hosts.entries()) {
      const headLimit = { maxHeaderSize: options.headBytes ?? defaultHeadBytes };
      const server = configured(createServer({ ...serverOptions, ...headLimit }), options);
      gate.guard(server);
      const bound = await bind(server, address, chosen).catch((error: unknown) => {
        // A machine without IPv6 has only one loopback family.
        if (index > 0 && missingFamily.includes((error as NodeJS.ErrnoException).code ?? '')) return undefined; // an error of listen()
        throw error;
      });
      if (bound !== undefined) {
        chosen = bound;
        servers.push(server);
      }
    }
  } catch (cause) {
    for (const server of servers) server.close();
    const reason = (cause as NodeJS.ErrnoException).code ?? String(cause); // an error of listen()
    const message = `Cannot listen on ${host}:${chosen} (${reason}). Choose another --port, or 0 for any free one.`;
    throw Object.assign(new Error(message, { cause }), { code: cannotListenCode });
  }
  limitConnections(servers, options);
  const stop: Listener['stop'] = async (drainMs, refusal = 'The server is shutting down.') => {
    gate.open(refuseAll(plainErrorReply(retryLater(refusal))));
    await stopAll(servers, drainMs);
  };
  return { port: chosen, serve: gate.open, stop };
};

/** Queues the requests of its servers until it is opened. From then on Node calls what answers them without it. */
const createGate = (early: ListenOptions['early']) => {
  const waiting: Parameters<Respond>[] = [];
  const servers: Server[] = [];
  let current: Respond = (...exchange) => {
    const respond = early?.(exchange[0]);
    if (respond === undefined) waiting.push(exchange);
    else respond(...exchange);
  };
  return {
    guard: (server: Server): void => {
      servers.push(server);
      for (const event of requestEvents) server.on(event, current);
    },
    open: (respond: Respond): void => {
      for (const server of servers) {
        for (const event of requestEvents) server.off(event, current).on(event, respond);
      }
      current = respond;
      for (const exchange of waiting.splice(0)) respond(...exchange);
    },
  };
};

/** With `Expect: 100-continue` Node reports the second one. `arriving-body.ts` sends the 100 when the body is read. */
const requestEvents = ['request', 'checkContinue'] as const;

const refuseAll =
  (reply: ReturnType<typeof plainErrorReply>): Respond =>
  (request, response) =>
    sendErrorAndClose(request, response, reply);

/** Sets the time limits. A request has no fixed deadline: `arriving-body.ts` limits the pauses of an upload. */
const configured = (server: Server, options: ListenOptions): Server => {
  const { headMs = defaultHeadMs, onExpectation = refuseExpectation } = options;
  server.headersTimeout = headMs;
  server.requestTimeout = 0;
  server.keepAliveTimeout = 72_000;
  server.on('checkExpectation', onExpectation);
  server.on('clientError', refuseInvalidHttp);
  return server;
};

const refuseExpectation: Respond = (request, response) => {
  const problem = new Problem(417, `The expectation "${(request.headers.expect ?? '').slice(0, 100)}" is not known.`);
  sendErrorAndClose(request, response, plainErrorReply(problem));
};

const fullReportMs = 60_000;

/** Lets each server take what the others leave. Node counts the connections of each server alone. */
const limitConnections = (servers: readonly Server[], { maxConnections, onFull }: ListenOptions): void => {
  if (maxConnections === undefined) return;
  let open = 0;
  let reported = -Infinity;
  const own = new Map(servers.map((server) => [server, 0]));
  const count = (server: Server, change: number): void => {
    open += change;
    own.set(server, (own.get(server) ?? 0) + change);
    for (const [each, connections] of own) each.maxConnections = maxConnections - open + connections;
  };
  for (const server of servers) {
    server.maxConnections = maxConnections;
    server.on('connection', (socket: Socket) => {
      count(server, 1);
      socket.once('close', () => count(server, -1));
    });
    server.on('drop', () => {
      if (performance.now() - reported < fullReportMs) return;
      reported = performance.now();
      onFull?.(maxConnections);
    });
  }
};

const invalidHttpStatuses: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Refuses bytes that are not HTTP, with the same JSON as every refusal. */
const refuseInvalidHttp = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = invalidHttpStatuses[error.code ?? ''] ?? '400 Bad Request';
  const { headers, body } = messageReply(Number.parseInt(status), status.slice(4));
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}Connection: close\r\n\r\n${body}`);
};

const bind = async (server: Server, host: string, port: number): Promise<number> => {
  await once(server.listen({ host, port }), 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
};

const stopAll = async (servers: readonly Server[], drainMs: number): Promise<void> => {
  const deadline = setTimeout(() => {
    for (const server of servers) server.closeAllConnections();
  }, drainMs);
  await Promise.all(servers.map(stopOne));
  clearTimeout(deadline);
};

const stopOne = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    // Close each connection when its last answer is sent. Node would keep it for the keep-alive time.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    server.on('close', () => clearInterval(sweep));
  });
