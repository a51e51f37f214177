/** Uploads files: builds the requests and reads the outcome. `upload-body.ts` sends the bytes. */
import { asBytes, authenticationFor, sendAuthenticated, type Connection, type Sending } from './authentication.ts';
import type { components } from './generated/contract.ts';
import { isAtollError } from './refusal.ts';
import { replyOf, type Reply } from './reply.ts';
import { sendBytes, sourceOf, type StreamSource, type UploadOptions, type UploadRequest } from './upload-body.ts';

/** A file for a media. With a node and a use, the server creates the media if there is none. */
export type Upload = UploadOptions & {
  readonly to:
    | { readonly node: number; readonly mediaType: string; readonly use: number }
    | { readonly media: number }
    /** The target of an `edit-media` link. */
    | { readonly target: string };
  /** `<scheme>://<path>` of the file. Required when a media is created, ignored when a file is replaced. */
  readonly location?: string;
  /** The media type of the bytes. Defaults to that of the body, or `application/octet-stream`. */
  readonly type?: string;
};

/** The outcome of an upload. */
export type Uploaded = {
  /** False when the file of an existing media was replaced. */
  readonly created: boolean;
  /** The address of the media. Undefined after a replacement if the server does not list the media of a node. */
  readonly media: string | undefined;
  readonly response: Response;
};

/** A file without a media (`POST /file/upload/…`). */
export type FileUpload = UploadOptions & {
  readonly to: { readonly entityType: string; readonly bundle: string; readonly field: string };
  /** Defaults to the name of the body. Quotation marks become `_`, because the server accepts none. */
  readonly name?: string;
};

/** Anything with a connection, such as a client. */
export type Connected = { readonly connection: Connection };

/** Sends `PUT /node/…/media/…` or `PUT /media/…/source`. Throws an `AtollError` when it is refused. */
export const upload = async ({ connection }: Connected, upload: Upload): Promise<Uploaded> => {
  const { to, location, type, ...options } = upload;
  const { source, isRepeatable } = sourceOf(options.body);
  const headers = {
    'content-type': type ?? typeOf(source),
    ...(location === undefined ? {} : { 'content-location': asBytes(location) }),
  };
  const response = await send(
    connection,
    { ...options, method: 'PUT', url: addressOf(connection, to), headers, source },
    isRepeatable,
  );
  if (response.status === 201) return { created: true, media: response.headers.get('Location') ?? undefined, response };
  return { created: false, media: await replacedMedia(connection, to), response };
};

/** Sends `POST /file/upload/…`, which returns the record of the file. Throws an `AtollError` when it is refused. */
export const uploadFile = async (
  { connection }: Connected,
  upload: FileUpload,
): Promise<Reply<components['schemas']['FileRecord']>> => {
  const { to, name, ...options } = upload;
  const { source, isRepeatable } = sourceOf(options.body);
  const path = [to.entityType, to.bundle, to.field].map(encodeURIComponent).join('/');
  const file = (name ?? source.name ?? '').replaceAll('"', '_');
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': `file; filename="${asBytes(file)}"`,
  };
  const url = `${connection.exchange.baseUrl}/file/upload/${path}?_format=json`;
  const response = await send(connection, { ...options, method: 'POST', url, headers, source }, isRepeatable);
  return replyOf(response) as Promise<Reply<components['schemas']['FileRecord']>>; // the document says so: uploadFile, 201
};

const send = async (
  { authentication, exchange, canReport }: Connection,
  request: Omit<UploadRequest, 'cookies'>,
  isRepeatable: boolean,
): Promise<Response> => {
  const used = authenticationFor(authentication, exchange, request.url);
  const attempt = ({ credentials, cookies, signal }: Sending): Promise<Response> => {
    const headers = { ...request.headers, ...credentials };
    return sendBytes(exchange, { ...request, cookies, headers, signal: eitherOf(request.signal, signal) }, canReport);
  };
  return sendAuthenticated(used, exchange, { method: request.method, isRepeatable, attempt });
};

/** A signal that gives up with either. */
const eitherOf = (one: AbortSignal | undefined, other: AbortSignal | undefined): AbortSignal | undefined =>
  one === undefined || other === undefined ? (one ?? other) : AbortSignal.any([one, other]);

const typeOf = ({ type }: StreamSource): string =>
  type === undefined || type === '' ? 'application/octet-stream' : type;

const addressOf = ({ exchange: { baseUrl } }: Connection, to: Upload['to']): string => {
  if ('target' in to) return to.target;
  if ('media' in to) return `${baseUrl}/media/${to.media}/source`;
  return `${baseUrl}/node/${to.node}/media/${encodeURIComponent(to.mediaType)}/${to.use}`;
};

/** The reply to a replacement names no media, so this looks for it. If there are several, the server replaced the one with the lowest id. */
const replacedMedia = async (connection: Connection, to: Upload['to']): Promise<string | undefined> => {
  const { authentication, exchange } = connection;
  if (!('node' in to)) return addressOf(connection, to).replace(/\/source(?:\?.*)?$/, '');
  const url = `${exchange.baseUrl}/node/${to.node}/media?_format=json`;
  const attempt = ({ credentials: headers, cookies, signal }: Sending): Promise<Response> =>
    exchange.fetch(new Request(url, { headers, credentials: cookies, signal: signal ?? null }));
  try {
    const listed = await sendAuthenticated(authentication, exchange, { method: 'GET', isRepeatable: true, attempt });
    const media = (await listed.json()) as components['schemas']['MediaRecord'][]; // the document says so: listNodeMedia
    const ids = media.flatMap(({ mid, field_media_use }) =>
      field_media_use.some(({ target_id }) => target_id === to.use) ? [mid[0].value] : [],
    );
    return ids.length === 0 ? undefined : `${exchange.baseUrl}/media/${Math.min(...ids)}`;
  } catch (error) {
    if (isAtollError(error)) return undefined;
    throw error;
  }
};
