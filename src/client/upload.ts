/** The uploads of the interface: where bytes go and what came of it. How bytes are sent is in `upload-body`. */
import { asBytes, requesterFor, sendAs, type Connection, type Credentials } from './authentication.ts';
import type { components } from '../generated/contract.ts';
import { isAtollError } from './refusal.ts';
import { replyOf, type Reply } from './reply.ts';
import {
  sendBytes,
  sourceOf,
  type Outgoing,
  type Progress,
  type StreamSource,
  type UploadBody,
} from './upload-body.ts';

type Sent = {
  readonly body: UploadBody;
  readonly onProgress?: (progress: Progress) => void;
  readonly signal?: AbortSignal;
};

/** A file for a media: of a node and a use, which makes the media when there is none, or of a media that is known. */
export type Upload = Sent & {
  readonly to:
    | { readonly node: number; readonly mediaType: string; readonly use: number }
    | { readonly media: number }
    /** The target of an `edit-media` link. */
    | { readonly target: string };
  /** `<scheme>://<path>`: where the file belongs. Needed where a media is made, ignored where one is replaced. */
  readonly location?: string;
  /** The media type of the bytes; that of the body, or `application/octet-stream`, when left out. */
  readonly type?: string;
};

/** What became of an upload. */
export type Uploaded = {
  /** False when the file of a media that existed was replaced. */
  readonly created: boolean;
  /** The address of the media. Undefined where it was replaced and the server does not list the media of a node. */
  readonly media: string | undefined;
  readonly response: Response;
};

/** A file without a media (`POST /file/upload/…`). */
export type FileUpload = Sent & {
  readonly to: { readonly entityType: string; readonly bundle: string; readonly field: string };
  /** That of the body when left out. The server takes no quotation mark in it: one becomes `_`. */
  readonly name?: string;
};

/** A client, which is all that an upload needs. */
export type Connected = { readonly connection: Connection };

/** `PUT /node/…/media/…` or `PUT /media/…/source`. Throws an `AtollError` when it is refused. */
export const upload = async ({ connection }: Connected, upload: Upload): Promise<Uploaded> => {
  const { to, location, type, ...sent } = upload;
  const { source, isRepeatable } = sourceOf(sent.body);
  const headers = {
    'content-type': type ?? typeOf(source),
    ...(location === undefined ? {} : { 'content-location': asBytes(location) }),
  };
  const response = await send(
    connection,
    { ...sent, method: 'PUT', url: addressOf(connection, to), headers, source },
    isRepeatable,
  );
  if (response.status === 201) return { created: true, media: response.headers.get('Location') ?? undefined, response };
  return { created: false, media: await replacedMedia(connection, to), response };
};

/** `POST /file/upload/…`; its answer is the record of the file. Throws an `AtollError` when it is refused. */
export const uploadFile = async (
  { connection }: Connected,
  upload: FileUpload,
): Promise<Reply<components['schemas']['File']>> => {
  const { to, name, ...sent } = upload;
  const { source, isRepeatable } = sourceOf(sent.body);
  const path = [to.entityType, to.bundle, to.field].map(encodeURIComponent).join('/');
  const file = (name ?? nameOf(source) ?? '').replaceAll('"', '_');
  const headers = {
    'content-type': 'application/octet-stream',
    'content-disposition': `file; filename="${asBytes(file)}"`,
  };
  const url = `${connection.exchange.baseUrl}/file/upload/${path}?_format=json`;
  const response = await send(connection, { ...sent, method: 'POST', url, headers, source }, isRepeatable);
  return replyOf(response) as Promise<Reply<components['schemas']['File']>>; // the document: uploadFile, 201
};

const send = async (
  { authentication, exchange, canReport }: Connection,
  outgoing: Omit<Outgoing, 'cookies'>,
  isRepeatable: boolean,
): Promise<Response> => {
  const requester = requesterFor(authentication, exchange, outgoing.url);
  const { cookies } = requester;
  const attempt = (credentials: Credentials): Promise<Response> =>
    sendBytes(exchange, { ...outgoing, cookies, headers: { ...outgoing.headers, ...credentials } }, canReport);
  return sendAs(requester, exchange, { method: outgoing.method, isRepeatable, attempt });
};

const typeOf = ({ type }: StreamSource): string =>
  type === undefined || type === '' ? 'application/octet-stream' : type;
const nameOf = (source: StreamSource): string | undefined => source.name; // a File has one

const addressOf = ({ exchange: { baseUrl } }: Connection, to: Upload['to']): string => {
  if ('target' in to) return to.target;
  if ('media' in to) return `${baseUrl}/media/${to.media}/source`;
  return `${baseUrl}/node/${to.node}/media/${encodeURIComponent(to.mediaType)}/${to.use}`;
};

/** A replacement's answer names no media. That of a node is looked for: of several it was the one with the lowest id. */
const replacedMedia = async (connection: Connection, to: Upload['to']): Promise<string | undefined> => {
  const { authentication, exchange } = connection;
  if (!('node' in to)) return addressOf(connection, to).replace(/\/source(?:\?.*)?$/, '');
  const url = `${exchange.baseUrl}/node/${to.node}/media?_format=json`;
  const attempt = (headers: Credentials): Promise<Response> =>
    exchange.fetch(new Request(url, { headers, credentials: authentication.cookies }));
  try {
    const listed = await sendAs(authentication, exchange, { method: 'GET', isRepeatable: true, attempt });
    const media = (await listed.json()) as components['schemas']['Media'][]; // the document: listNodeMedia
    const ids = media.flatMap(({ mid, field_media_use }) =>
      field_media_use.some(({ target_id }) => target_id === to.use) ? [mid[0].value] : [],
    );
    return ids.length === 0 ? undefined : `${exchange.baseUrl}/media/${Math.min(...ids)}`;
  } catch (error) {
    if (isAtollError(error)) return undefined;
    throw error;
  }
};
