/** What tests of uploads send to a whole server, and what they read of its media, files and stored bytes. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { basic, nodeBody } from './requests.ts';
import { type Answer, send, type Sending, type TestServer } from './server.ts';

/** Makes a node as the admin and returns its id. */
export const newNode = async (server: TestServer): Promise<number> => {
  const made = await send(server, 'POST', '/node?_format=json', { json: nodeBody('For an upload') });
  if (made.status !== 201) throw new Error(`POST /node: ${made.status} ${made.body.toString()}`);
  return Number(made.json()['nid']?.[0]?.value);
};

/** `Original File` of the default site. */
export const term = 16;

export const uploadPath = (node: number, type = 'file'): string => `/node/${node}/media/${type}/${term}`;

/** An upload with the headers that it needs. A header that is undefined is left out. */
export const upload = (
  server: TestServer,
  node: number,
  body: NonNullable<Sending['body']>,
  sending: Omit<Sending, 'body'> & { readonly type?: string } = {},
): Promise<Answer> => {
  const all = { 'Content-Type': 'text/plain', 'Content-Location': `public://tests/${node}.txt`, ...sending.headers };
  const headers = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
  return send(server, 'PUT', uploadPath(node, sending.type), { ...sending, headers, body });
};

/** The media of a node and the test's term: what the links of the node say. */
export const mediaOf = async (server: TestServer, node: number): Promise<string[]> => {
  const { headers } = await send(server, 'GET', `/node/${node}?_format=json`);
  const links = [headers['link'] ?? []].flat().join(', ');
  return [...links.matchAll(/<[^>]*(\/media\/\d+)>; rel="related"/g)].map(([, path = '']) => path);
};

export type StoredMedia = {
  readonly path: string;
  readonly record: ReturnType<Answer['json']>;
  readonly file: ReturnType<Answer['json']>;
  readonly fid: number;
  /** Where the bytes are served. */
  readonly contentPath: string;
};

/** The only media of a node, with its file. Throws when there is none or more than one. */
export const theMedia = async (server: TestServer, node: number): Promise<StoredMedia> => {
  const paths = await mediaOf(server, node);
  const [path = ''] = paths;
  if (paths.length !== 1) throw new Error(`Node ${node} has ${paths.length} media.`);
  const record = (await send(server, 'GET', `${path}?_format=json`)).json();
  const source = Object.entries(record).find(([name]) => /^field_media_(file|image|audio_file|video_file)$/.test(name));
  const fid = source?.[1][0]?.target_id ?? 0;
  const file = (await send(server, 'GET', `/entity/file/${fid}?_format=json`)).json();
  const { url } = file['uri']?.[0] as { url: string }; // a file record
  return { path, record, file, fid, contentPath: url };
};

export const contentOf = async (server: TestServer, node: number): Promise<string> => {
  const { contentPath } = await theMedia(server, node);
  return (await send(server, 'GET', contentPath)).body.toString();
};

/** The names of all stored bytes, and of the files of uploads that are not finished. */
export const storedNames = async (server: TestServer): Promise<string[]> => {
  const stored = await Promise.all([...server.world.blobs.values()].map((storage) => storage.keys()));
  const schemes = await readdir(join(server.data, 'blobs')).catch(() => []);
  const unfinished = await Promise.all(
    schemes.map((scheme) => readdir(join(server.data, 'blobs', scheme, 'temporary')).catch(() => [])),
  );
  return [...stored.flat(), ...unfinished.flat()].sort();
};

/** The head of an upload as text, for clients that write on sockets. */
export const uploadHead = (node: number, lines: readonly string[], as = 'admin'): string =>
  [
    `PUT ${uploadPath(node)} HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${basic(as).headers['Authorization'] ?? ''}`,
    'Content-Type: text/plain',
    `Content-Location: public://tests/${node}.txt`,
    ...lines,
    '',
    '',
  ].join('\r\n');

const requestStarts = 'http.server.request.start';
type StartMessage = { readonly request: IncomingMessage; readonly socket: Socket };

/** Runs the work and returns how many bytes the server has read on the connection of its last request. */
export const bytesRead = async (work: () => Promise<unknown>): Promise<number> => {
  let socket: Socket | undefined;
  const listen = (message: unknown): void => {
    ({ socket } = message as StartMessage); // Node's own message
  };
  subscribe(requestStarts, listen);
  try {
    await work();
  } finally {
    unsubscribe(requestStarts, listen);
  }
  return socket?.bytesRead ?? 0;
};
