/** Opens requests to the target on connections that are kept. It adds no header and follows no redirect. */
import { Agent as HttpAgent, request as requestHttp, type ClientRequest } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { tlsOptionsOf, type TlsOptions } from '../../exchange/send.ts';

type TargetConnectionOptions = {
  /** Absolute, without a slash at its end. It may have a path. */
  readonly baseUrl: string;
  readonly tls?: TlsOptions | undefined;
  /** The longest silence of the target, in milliseconds. */
  readonly silenceMs: number;
};

export type RequestHead = {
  readonly method: string;
  /** Path and query as the client sent them, below the target's base URL. */
  readonly path: string;
  /** Names and values in turn. */
  readonly lines: string[];
};

export type TargetConnection = {
  /** Scheme, host and port, as in an `Origin`. */
  readonly origin: string;
  /** The value of `Host`. */
  readonly host: string;
  readonly silenceMs: number;
  open(head: RequestHead): ClientRequest;
  /** Closes the connections that are kept. */
  close(): void;
};

/** The largest head of a request or a reply, in bytes. Debugging headers of a site may be long. */
export const headBytes = 128 * 1024;

/** Shorter than common servers keep a connection: a request on one that has just ended would fail (RFC 9112 §9.3.1). */
const keptMs = 4000;

export const createTargetConnection = ({ baseUrl, tls = {}, silenceMs }: TargetConnectionOptions): TargetConnection => {
  const base = new URL(baseUrl);
  const isTls = base.protocol === 'https:';
  const kept = { keepAlive: true, timeout: keptMs, maxFreeSockets: 64 };
  const agent = isTls ? new HttpsAgent({ ...kept, ...tlsOptionsOf(tls) }) : new HttpAgent(kept);
  const send = isTls ? requestHttps : requestHttp;
  const prefix = base.pathname.replace(/\/+$/, '');
  const place = {
    host: base.hostname.replace(/^\[|\]$/g, ''),
    ...(base.port === '' ? {} : { port: Number(base.port) }),
    ...{ agent, setHost: false, maxHeaderSize: headBytes, timeout: silenceMs },
  };
  return {
    ...{ origin: base.origin, host: base.host, silenceMs },
    open: ({ method, path, lines }) => send({ ...place, method, path: prefix + path, headers: lines }),
    close: () => agent.destroy(),
  };
};
