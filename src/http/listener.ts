/** Listens for requests on both loopback families, within Node's limits, and stops in an orderly way. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { messageReply } from '../engine/text-reply.ts';
import { Problem } from '../problem.ts';
import { errorReply, sendErrorAndClose } from './error-reply.ts';

export type Respond = (request: IncomingMessage, response: ServerResponse) => void;

export type Listener = {
  readonly port: number;
  /** Starts to answer requests. Earlier requests have waited. */
  serve(respond: Respond): void;
  /** Accepts no new connections. Resolves when the open requests are answered, or after `drainMs`. */
  stop(drainMs: number): Promise<void>;
};

/** The code of the error when the server cannot listen. The program exits with 1. */
export const cannotListenCode = 'ATOLL_CANNOT_LISTEN';

/** The largest head of a request, in bytes. A larger one is refused with 431. */
const maxHeaderSize = 16 * 1024;

const loopbackHosts = ['127.0.0.1', '::1'];
const missingFamily = ['EAFNOSUPPORT', 'EADDRNOTAVAIL'];

/** Listens on a host; on both loopback families for `localhost`. Port 0 means any free one. Rejects with `ATOLL_CANNOT_LISTEN`. */
export const listen = async (host: string, port: number): Promise<Listener> => {
  const gate = createGate();
  const hosts = host === 'localhost' ? loopbackHosts : [host];
  const servers: Server[] = [];
  let chosen = port;
  try {
    for (const [index, address] of hosts.entries()) {
      const server = configured(createServer({ maxHeaderSize }, gate.respond), gate.respond);
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
  return { port: chosen, serve: gate.open, stop: (drainMs) => stopAll(servers, gate, drainMs) };
};

type Gate = {
  readonly respond: Respond;
  readonly open: (respond: Respond) => void;
  readonly close: () => void;
};

/** Queues requests until the server is ready, and refuses them with 503 when it is stopping. */
const createGate = (): Gate => {
  let current: Respond | undefined;
  let isClosing = false;
  const waiting: (() => void)[] = [];
  const respond: Respond = (request, response) => {
    if (isClosing) sendErrorAndClose(request, response, shuttingDown);
    else if (current === undefined) waiting.push(() => respond(request, response));
    else current(request, response);
  };
  return {
    respond,
    open: (next) => {
      current = next;
      for (const answer of waiting.splice(0)) answer();
    },
    close: () => {
      isClosing = true;
      for (const answer of waiting.splice(0)) answer();
    },
  };
};

const shuttingDown = errorReply(new Problem(503, 'The server is shutting down.'));

/** Sets the time limits. A request has no fixed deadline: `arriving-body.ts` limits the pauses of an upload. */
const configured = (server: Server, respond: Respond): Server => {
  server.headersTimeout = 15_000;
  server.requestTimeout = 0;
  server.keepAliveTimeout = 72_000;
  // `arriving-body.ts` sends the 100 when the body is read.
  server.on('checkContinue', respond);
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuseInvalidHttp(error, socket));
  return server;
};

/** Refuses bytes that are not HTTP, with the same JSON as every refusal. */
const refuseInvalidHttp = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request';
  const { headers, body } = messageReply(Number.parseInt(status), status.slice(4));
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`);
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}Connection: close\r\n\r\n${body}`);
};

const bind = (server: Server, host: string, port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port }, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });

const stopAll = async (servers: readonly Server[], gate: Gate, drainMs: number): Promise<void> => {
  gate.close();
  const deadline = setTimeout(() => {
    for (const server of servers) server.closeAllConnections();
  }, drainMs);
  await Promise.all(servers.map(stopOne));
  clearTimeout(deadline);
};

const stopOne = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    // Close each connection when its last answer is sent. Node would keep it for the keep-alive time.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    server.on('close', () => clearInterval(sweep));
  });
