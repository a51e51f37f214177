/** Bodies of uploads and how they are sent, with progress, where there is `fetch` alone and where there is XMLHttpRequest. */
import type { Credentials, Exchange } from './authentication.ts';

/** Bytes that can be read again and again; a `Blob` or a `File` is one. For a path in Node: `atoll-server/client/file`. */
export type StreamSource = {
  readonly stream: () => ReadableStream<Uint8Array>;
  /** In bytes. Without it the server cannot refuse what is too large before it has come. */
  readonly size?: number;
  /** The media type. */
  readonly type?: string;
  readonly name?: string;
};

/** A stream can be read once: a request with it is not repeated when credentials have to be renewed. */
export type UploadBody = StreamSource | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;

/** Bytes handed to the network so far; `total` where it is known. Begins anew when the upload is sent again. */
export type Progress = { readonly sent: number; readonly total: number | undefined };

/** A request that carries bytes. */
export type Outgoing = {
  readonly method: string;
  readonly url: string;
  readonly headers: Credentials;
  readonly cookies: 'include' | 'omit';
  readonly source: StreamSource;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** Any body as a source, and whether it can be read twice. */
export const sourceOf = (body: UploadBody): { readonly source: StreamSource; readonly isRepeatable: boolean } => {
  if (body instanceof Uint8Array) return { source: new Blob([body]), isRepeatable: true };
  if (body instanceof ReadableStream) return { source: { stream: () => body }, isRepeatable: false };
  return { source: body, isRepeatable: true };
};

/**
 * Sends. Only XMLHttpRequest tells of progress in browsers, and no browser streams a body over HTTP/1.1: there it
 * sends what is no Blob as one, and `canReport` is false where `fetch` has to be used nevertheless.
 */
export const sendBytes = async (exchange: Exchange, outgoing: Outgoing, canReport: boolean): Promise<Response> => {
  const { method, url, headers, cookies, source, onProgress, signal } = outgoing;
  const { XMLHttpRequest } = globalThis as { readonly XMLHttpRequest?: new () => Xhr }; // browsers have one
  const isPlain = source instanceof Blob && onProgress === undefined;
  if (!isPlain && canReport && XMLHttpRequest !== undefined) {
    const blob = source instanceof Blob ? source : await new Response(source.stream()).blob();
    return sendXhr(new XMLHttpRequest(), outgoing, blob);
  }
  const body = isPlain ? source : counted(source, onProgress);
  const length = isPlain || source.size === undefined ? {} : { 'content-length': String(source.size) };
  const init: RequestInit = { method, headers: { ...headers, ...length }, body, credentials: cookies };
  // The types of Node know no `duplex` in a RequestInit, without which it takes no stream.
  return exchange.fetch(new Request(url, { ...init, ...(isPlain ? {} : { duplex: 'half' }), signal: signal ?? null }));
};

/** The bytes in pieces small enough to tell of, each told of when the network takes it. */
const counted = (source: StreamSource, onProgress: Outgoing['onProgress']): ReadableStream<Uint8Array> => {
  if (onProgress === undefined) return source.stream();
  const reader = source.stream().getReader();
  let sent = 0;
  let rest: Uint8Array = new Uint8Array();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      if (rest.length === 0) {
        const { done, value } = await reader.read();
        if (done) {
          controller.close();
          return;
        }
        rest = value;
      }
      const piece = rest.subarray(0, longestPiece);
      rest = rest.subarray(longestPiece);
      sent += piece.length;
      onProgress({ sent, total: source.size });
      controller.enqueue(piece);
    },
    cancel: (reason) => reader.cancel(reason),
  });
};

/** A Blob in memory would else be one piece. */
const longestPiece = 64 * 1024;

/** What is used of XMLHttpRequest: its types belong to browsers, and this file to Node too. */
type Xhr = {
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob): void;
  abort(): void;
  withCredentials: boolean;
  responseType: string;
  readonly status: number;
  readonly response: ArrayBuffer;
  readonly upload: { onprogress: ((event: { readonly loaded: number }) => void) | null };
  onload: (() => void) | null;
  onerror: (() => void) | null;
  onabort: (() => void) | null;
};

const sendXhr = (
  xhr: Xhr,
  { method, url, headers, cookies, onProgress, signal }: Outgoing,
  body: Blob,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.withCredentials = cookies === 'include';
    xhr.responseType = 'arraybuffer';
    if (onProgress !== undefined)
      xhr.upload.onprogress = ({ loaded }) => onProgress({ sent: loaded, total: body.size });
    const abort = (): void => xhr.abort();
    signal?.addEventListener('abort', abort);
    const settle = (work: () => void) => () => {
      signal?.removeEventListener('abort', abort);
      work();
    };
    xhr.onload = settle(() => resolve(responseOf(xhr)));
    xhr.onerror = settle(() => reject(new TypeError('Failed to send the upload')));
    xhr.onabort = settle(() => reject(signal?.reason as Error)); // nobody else aborts
    xhr.send(body);
  });

/** As `fetch` would have given it, but for its `url`. */
const responseOf = (xhr: Xhr): Response => {
  const lines = xhr
    .getAllResponseHeaders()
    .split('\r\n')
    .filter((line) => line !== '');
  const headers = lines.map((line): [string, string] => [
    line.slice(0, line.indexOf(':')),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  return new Response(xhr.status === 204 ? null : xhr.response, { status: xhr.status, headers });
};
