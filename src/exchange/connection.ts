/** Opens requests to one server on connections that are kept. It adds no header and follows no redirect. */
import { Agent as HttpAgent, type AgentOptions, type ClientRequest, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { TargetError } from './target-errors.ts';

/** TLS: `ca` is the PEM of an authority to trust besides the known ones; `insecure` trusts everybody. */
export type TlsOptions = { readonly ca?: string | undefined; readonly insecure?: boolean | undefined };

type ConnectionOptions = {
  /** Absolute, without a slash at its end. It may have a path. */
  readonly baseUrl: string;
  readonly tls?: TlsOptions | undefined;
  /** The longest silence of the server, in milliseconds. */
  readonly silenceMs: number;
  /** The largest head of an answer, in bytes. */
  readonly headBytes: number;
  /** At most so many requests in a second, evenly spread. Default: as many as come. */
  readonly perSecond?: number | undefined;
  /** How connections are kept. Default: for a proxy. */
  readonly kept?: AgentOptions | undefined;
};

/** The time is shorter than common servers keep a connection: a request on one that has just ended would fail (RFC 9112 §9.3.1). */
const keptForProxy: AgentOptions = { timeout: 4000, maxFreeSockets: 64 };

type RequestHead = {
  readonly method: string;
  /** Path and query below the base URL. They are sent as they are. */
  readonly path: string;
  /** Names and values in turn. Node takes such a list as it is, and adds nothing of its own. */
  readonly lines: string[];
};

export type Connection = {
  /** Scheme, host and port, as in an `Origin`. */
  readonly origin: string;
  /** The value of `Host`. */
  readonly host: string;
  readonly silenceMs: number;
  /** Resolves when the next request may be sent. */
  turn(): Promise<void>;
  open(head: RequestHead): ClientRequest;
  /** Closes the connections that are kept. */
  close(): void;
};

/** Opens nothing before the first request. */
export const createConnection = (options: ConnectionOptions): Connection => {
  const { baseUrl, tls = {}, silenceMs, kept = keptForProxy } = options;
  const base = new URL(baseUrl);
  const isTls = base.protocol === 'https:';
  const agent = isTls
    ? new HttpsAgent({ keepAlive: true, ...kept, ...tlsOptionsOf(tls) })
    : new HttpAgent({ keepAlive: true, ...kept });
  const send = isTls ? requestHttps : requestHttp;
  const prefix = base.pathname.replace(/\/+$/, '');
  const place = {
    host: base.hostname.replace(/^\[|\]$/g, ''),
    ...(base.port === '' ? {} : { port: Number(base.port) }),
    ...{ agent, setHost: false, maxHeaderSize: options.headBytes, timeout: silenceMs },
  };
  return {
    ...{ origin: base.origin, host: base.host, silenceMs, turn: createTurns(options.perSecond) },
    open: ({ method, path, lines }) => {
      const request = send({ ...place, method, path: prefix + path, headers: lines });
      return request.once('upgrade', (_reply, socket) => {
        socket.destroy();
        // Node has given the connection away, so nothing else would end the request.
        request.emit(
          'error',
          new TargetError(`${base.origin}: it changed to another protocol, which nobody asked for.`),
        );
      });
    },
    close: () => agent.destroy(),
  };
};

const createTurns = (perSecond: number | undefined): (() => Promise<void>) => {
  if (perSecond === undefined) return () => Promise.resolve();
  const gapMs = 1000 / perSecond;
  let next = 0;
  return () => {
    const now = performance.now();
    const at = Math.max(now, next);
    next = at + gapMs;
    return at <= now ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, at - now));
  };
};

/** The options of Node's `tls` for ours. */
const tlsOptionsOf = ({ ca, insecure }: TlsOptions): { ca?: string; rejectUnauthorized?: boolean } => ({
  ...(ca === undefined ? {} : { ca }),
  ...(insecure === true ? { rejectUnauthorized: false } : {}),
});
