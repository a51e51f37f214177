/** A client that tells what really came over its socket, broken connections included. What should have come is not known here. */
import { request as httpRequest } from 'node:http';

/** What a client has met. `status` is absent when not even the head came, `error` when nothing broke. */
export type ReceivedReply = {
  readonly status: number | undefined;
  /** Names in lower case; of a name that came more than once all values, between commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Of the body. */
  readonly bytes: number;
  /** The code of what broke the connection, such as `ECONNRESET`. */
  readonly error: string | undefined;
  /** From the first byte sent to the end, in milliseconds. */
  readonly ms: number;
};

export type SentRequest = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
};

/** Sends one request on a connection of its own. Never rejects: what goes wrong is what it is there to see. */
export const sendRaw = (
  method: string,
  url: string,
  { headers = {}, body }: SentRequest = {},
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
