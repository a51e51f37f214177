/** Listens for clients that something else than an application answers, as a proxy, and refuses those that ask for a foreign host name. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isLoopbackHost } from '../../basics/formats/loopback.ts';
import type { PlainReply } from '../../openapi/openapi-host.ts';
import { listen } from '../http/listener.ts';
import { writeReply } from '../http/node-exchange.ts';
import { defaultReaderIdleMs } from '../http/unread-answer.ts';
import { hostRefusal } from './express-app.ts';
import { baseUrlOf, checkReach } from './reach.ts';

/** The largest head of a request or a reply that passes, in bytes. Debugging headers of a site may be long. */
export const passedHeadBytes = 128 * 1024;

type Respond = (request: IncomingMessage, response: ServerResponse) => void;

type GuardedListenerOptions = {
  /** Default: `localhost`, any free port. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly baseUrl?: string | undefined;
  readonly allowedHosts?: readonly string[] | undefined;
  readonly controlOrigins?: readonly string[] | undefined;
  readonly warn?: ((message: string) => void) | undefined;
};

type GuardedListener = {
  /** Where clients reach it, without a slash at the end. */
  readonly url: string;
  /** Before this, connections are ended. */
  serve(respond: Respond): void;
  stop(drainMs: number): Promise<void>;
};

/** Rejects with `ConfigurationError`, or when it cannot listen. */
export const openGuardedListener = async (options: GuardedListenerOptions): Promise<GuardedListener> => {
  const { host = 'localhost', port = 0, baseUrl, allowedHosts, controlOrigins, warn = () => undefined } = options;
  const reach = { host, baseUrl, allowedHosts, controlOrigins, warn, cors: 'off', demoAccounts: true } as const;
  checkReach(reach);
  let answer: Respond = (_request, response) => void response.destroy();
  const listener = await listen(host, port, {
    headBytes: passedHeadBytes,
    onExpectation: (request, response) => answer(request, response),
  });
  const url = baseUrlOf(reach, listener.port);
  const areRefused = allowedHosts !== undefined || isLoopbackHost(host);
  const refusalOf = hostRefusal({ baseUrl: url, allowedHosts: allowedHosts ?? [], areRefused: () => areRefused });
  return {
    url,
    serve: (respond) => {
      answer = (request, response) => {
        const refused = refusalOf(request.headers.host);
        if (refused === undefined) respond(request, response);
        else void writeOwnReply({ request, response }, refused);
      };
      listener.serve(answer);
    },
    stop: (drainMs) => listener.stop(drainMs),
  };
};

type Client = { readonly request: IncomingMessage; readonly response: ServerResponse };

/** Writes an answer that is not one of the target. */
export const writeOwnReply = ({ request, response }: Client, reply: PlainReply): Promise<void> =>
  writeReply(request, response, reply, { commonHeaders: {}, readerIdleMs: defaultReaderIdleMs });
