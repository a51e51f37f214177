/** Sends requests with a client that returns exactly what arrived over its socket, including broken connections. */
import { request as httpRequest } from 'node:http';

/** What a client received. `status` is undefined when not even the head arrived, `error` when nothing broke. */
export type ReceivedReply = {
  readonly status: number | undefined;
  /** Names in lower case. Repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The length of the body. */
  readonly bytes: number;
  /** The code of the error that broke the connection, such as `ECONNRESET`. */
  readonly error: string | undefined;
  /** From the first byte sent to the end, in milliseconds. */
  readonly ms: number;
};

export type RequestOptions = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
};

/** Sends one request on a connection of its own. Never rejects: the result says what went wrong. */
export const sendRaw = (
  method: string,
  url: string,
  { headers = {}, body }: RequestOptions = {},
): Promise<ReceivedReply> =>
  new Promise((resolve) => {
    const started = performance.now();
    const pieces: Buffer[] = [];
    let head: Pick<ReceivedReply, 'status' | 'headers'> = { status: undefined, headers: {} };
    const end = (error?: NodeJS.ErrnoException): void => {
      const bytes = Buffer.concat(pieces);
      const ms = performance.now() - started;
      const code = error === undefined ? undefined : (error.code ?? error.message);
      resolve({ ...head, body: bytes.toString(), bytes: bytes.length, error: code, ms });
    };
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    httpRequest(url, { method, headers: { ...length, ...headers }, agent: false }, (response) => {
      const lines = Object.entries(response.headersDistinct);
      head = {
        status: response.statusCode,
        headers: Object.fromEntries(lines.map(([name, values = []]) => [name, values.join(', ')])),
      };
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => end());
      response.on('error', end);
    })
      .on('error', end)
      .end(body);
  });
