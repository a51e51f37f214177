/** Sends the bodies of uploads, with progress: by XMLHttpRequest in browsers, by `fetch` elsewhere. */
import { type Authentication, type Credentials, type Exchange, headersFor } from './authentication.ts';

/** Firefox and Safari would send the text "[object ReadableStream]", with the type of a text. Others read `duplex`. */
export const canSendStreams = (): boolean => {
  const seen = { duplex: false };
  const init = {
    method: 'POST',
    body: new ReadableStream(),
    get duplex(): 'half' {
      seen.duplex = true;
      return 'half';
    },
  };
  return !new Request('http://localhost/', init).headers.has('content-type') && seen.duplex;
};

/** Bytes that can be read repeatedly, such as a `Blob` or a `File`. `atoll-server/client/file` makes one from a path in Node. */
export type StreamSource = {
  readonly stream: () => ReadableStream<Uint8Array>;
  /** In bytes. Without it, the server cannot refuse a body that is too large before it arrives. */
  readonly size?: number;
  /** The media type. */
  readonly type?: string;
  readonly name?: string;
};

/** A stream can be read only once, so its request is not repeated when credentials have to be renewed. */
export type UploadBody = StreamSource | ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;

/** Bytes passed to the network so far. `total` is undefined when unknown. Restarts from 0 when the upload is sent again. */
export type Progress = { readonly sent: number; readonly total: number | undefined };

export type UploadOptions = {
  readonly body: UploadBody;
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal | undefined;
};

/** A request with bytes as its body. */
export type UploadRequest = Omit<UploadOptions, 'body'> & {
  readonly method: string;
  readonly url: string;
  readonly headers: Credentials;
  readonly cookies: Authentication['cookies'];
  readonly source: StreamSource;
};

/** Wraps any body as a source, and says whether it can be read twice. */
export const sourceOf = (body: UploadBody): { readonly source: StreamSource; readonly isRepeatable: boolean } => {
  // A test in jsdom may get its bytes from another realm than its classes.
  if (ArrayBuffer.isView(body)) return { source: blobSource(new Blob([body])), isRepeatable: true };
  if ('getReader' in body) return { source: { stream: () => body }, isRepeatable: false };
  return { source: 'slice' in body ? blobSource(body as File) : body, isRepeatable: true };
};

type BlobSource = StreamSource & { readonly blob: Blob };

/** The blobs of jsdom have no `stream`, and those of its older versions no `arrayBuffer`. */
const blobSource = (blob: Blob & { readonly name?: string }): BlobSource => ({
  ...{ blob, size: blob.size, type: blob.type, name: blob.name ?? '' },
  stream: () => (hasStream(blob) ? blob.stream() : streamOfBlob(blob)),
});

const hasStream = (blob: Blob): boolean => 'stream' in blob;

const streamOfBlob = (blob: Blob): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: async (controller) => {
      controller.enqueue(await bytesOf(blob));
      controller.close();
    },
  });

const bytesOf = async (blob: Blob): Promise<Uint8Array<ArrayBuffer>> => {
  if ('arrayBuffer' in blob) return new Uint8Array(await blob.arrayBuffer());
  const { FileReader } = globalThis as unknown as { readonly FileReader: new () => BlobReader }; // whatever made the blob has one
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(new Uint8Array(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsArrayBuffer(blob);
  });
};

/** The part of `FileReader` that is used. */
type BlobReader = {
  onload: () => void;
  onerror: () => void;
  readonly result: ArrayBuffer;
  readonly error: Error;
  readAsArrayBuffer(blob: Blob): void;
};

/**
 * Sends an upload. In browsers only XMLHttpRequest reports progress, and no browser streams a body over HTTP/1.1, so there the
 * body is sent as a Blob. With `canReport` false it uses `fetch` in browsers too.
 */
export const sendBytes = async (exchange: Exchange, request: UploadRequest, canReport: boolean): Promise<Response> => {
  const { method, url, headers, cookies, source, onProgress, signal } = request;
  const { XMLHttpRequest } = globalThis as { readonly XMLHttpRequest?: new () => Xhr }; // only browsers have one
  const given = 'blob' in source ? (source as BlobSource).blob : undefined;
  const isPlain = given !== undefined && onProgress === undefined;
  if (!isPlain && canReport && XMLHttpRequest !== undefined) {
    const blob = given ?? (await wholeOf(source));
    const sent = await sendable(blob);
    if (isOfNobody(request)) return exchange.fetch(new Request(url, requestOf(request, sent)));
    return sendXhr(new XMLHttpRequest(), { ...request, headers: { ...headers, ...headersFor(exchange, url) } }, sent);
  }
  const blob = isPlain ? given : canSendStreams() ? undefined : (given ?? (await wholeOf(source)));
  const body = blob === undefined ? withProgress(source, onProgress) : await sendable(blob);
  const length = blob !== undefined || source.size === undefined ? {} : { 'content-length': String(source.size) };
  const init: RequestInit = { method, headers: { ...headers, ...length }, body, credentials: cookies };
  // Node needs `duplex` to send a stream, but its type of RequestInit lacks it.
  const duplex = blob === undefined ? { duplex: 'half' as const } : {};
  const response = await exchange.fetch(new Request(url, { ...init, ...duplex, signal: signal ?? null }));
  if (blob !== undefined && response.ok) onProgress?.({ sent: blob.size, total: blob.size });
  return response;
};

const wholeOf = async (source: StreamSource): Promise<Blob> => {
  const blob = await new Response(source.stream()).blob();
  // In jsdom `Response` is that of Node, and XMLHttpRequest takes only a blob of its own.
  return blob instanceof Blob ? blob : new Blob([await bytesOf(blob)]);
};

/** What `fetch` takes: a blob of the same platform, or else its bytes. */
const sendable = async (blob: Blob): Promise<Blob | Uint8Array<ArrayBuffer>> =>
  blob instanceof Blob && hasStream(blob) ? blob : bytesOf(blob);

/**
 * Whether XMLHttpRequest would send cookies that must not be sent: to the page's own origin it always does. A refusal of such a
 * request opens the browser's dialog, unless it has other credentials. `fetch` reports no progress.
 */
const isOfNobody = ({ url, headers, cookies }: UploadRequest): boolean => {
  const { location } = globalThis as { readonly location?: { readonly origin: string } }; // browsers have one
  return cookies === 'omit' && headers['authorization'] === undefined && location?.origin === new URL(url).origin;
};

const requestOf = (
  { method, headers, cookies, signal }: UploadRequest,
  body: Blob | Uint8Array<ArrayBuffer>,
): RequestInit => ({
  ...{ method, headers, body, credentials: cookies, signal: signal ?? null },
});

/** The bytes in small pieces. Reports each piece when the network takes it. */
const withProgress = (source: StreamSource, onProgress: UploadRequest['onProgress']): ReadableStream<Uint8Array> => {
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
      const piece = rest.subarray(0, maxPieceBytes);
      rest = rest.subarray(maxPieceBytes);
      sent += piece.length;
      onProgress({ sent, total: source.size });
      controller.enqueue(piece);
    },
    cancel: (reason) => reader.cancel(reason),
  });
};

/** Without a limit, a Blob in memory would be a single piece. */
const maxPieceBytes = 64 * 1024;

/** The part of XMLHttpRequest used here. The project compiles without the types of browsers. */
type Xhr = {
  open(method: string, url: string): void;
  setRequestHeader(name: string, value: string): void;
  getAllResponseHeaders(): string;
  send(body: Blob | Uint8Array<ArrayBuffer>): void;
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
  { method, url, headers, cookies, onProgress, signal }: UploadRequest,
  body: Blob | Uint8Array<ArrayBuffer>,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const total = 'size' in body ? body.size : body.length;
    signal?.throwIfAborted();
    xhr.open(method, url);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.withCredentials = cookies === 'include';
    xhr.responseType = 'arraybuffer';
    const tell = (sent: number): void => onProgress?.({ sent, total });
    if (onProgress !== undefined) xhr.upload.onprogress = ({ loaded }) => tell(loaded);
    const abort = (): void => xhr.abort();
    signal?.addEventListener('abort', abort);
    const settle = (work: () => void) => () => {
      signal?.removeEventListener('abort', abort);
      work();
    };
    xhr.onload = settle(() => {
      // Browsers report nothing of a request that a service worker answers.
      if (xhr.status < 300) tell(total);
      resolve(responseOf(xhr));
    });
    xhr.onerror = settle(() => reject(new TypeError('Failed to send the upload')));
    xhr.onabort = settle(() => reject(signal?.reason as Error)); // only the signal aborts
    xhr.send(body);
  });

/** The response as `fetch` would return it, without its `url`. */
const responseOf = (xhr: Xhr): Response => {
  const lines = xhr.getAllResponseHeaders().matchAll(/^([^:\r\n]+):(.*)$/gm);
  const headers = Array.from(lines, ([, name = '', value = '']): [string, string] => [name, value.trim()]);
  return new Response(xhr.status === 204 ? null : xhr.response, { status: xhr.status, headers });
};
