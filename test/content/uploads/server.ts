/** A whole server on a port with a disk of its own, and clients that behave well or badly. What is tested is not here. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { systemClock, systemIds } from '../../../src/worlds/system-clock.ts';
import { start, type Started } from '../../../src/server/start.ts';
import { noteCoverage, root } from '../../support/atoll.ts';
import { testSigningKey } from '../../support/signing-key.ts';

export type TestServer = {
  readonly url: string;
  readonly port: number;
  readonly data: string;
  readonly started: Started;
  /** Errors of the server that no client was told. */
  readonly errors: unknown[];
  stop(): Promise<void>;
};

/** Starts on the default site after `change` has been at the text of its `site.yml`, or another named file. */
export const startServer = async (
  change: (yaml: string) => string = (yaml) => yaml,
  options: { readonly memory?: boolean; readonly file?: string; readonly fixture?: string } = {},
): Promise<TestServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-uploads-'));
  const site = join(folder, 'site');
  const data = join(folder, 'data');
  await cp(join(root, 'data/site'), site, { recursive: true });
  const changed = join(site, options.file ?? 'site.yml');
  await writeFile(changed, change(await readFile(changed, 'utf8')));
  const errors: unknown[] = [];
  const started = await start({
    ...{
      root,
      site,
      host: '127.0.0.1',
      port: 0,
      fixture: options.fixture ?? 'starter',
      baseUrl: undefined,
      signingKey: testSigningKey,
    },
    ...{
      durability: 'full',
      checkReplies: 'fail',
      cors: 'off',
      demoAccounts: false,
      clock: systemClock,
      ids: systemIds,
    },
    data: options.memory === true ? undefined : data,
    warn: () => undefined,
    onEvent: (event) => {
      noteCoverage(event);
      if (event.kind === 'failed') errors.push(event.error);
    },
    onError: (error) => errors.push(error),
  }).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  const port = Number(new URL(started.url).port);
  return {
    ...{ url: `http://127.0.0.1:${port}`, port, data, started, errors },
    stop: async () => {
      await started.stop(1000);
      await rm(folder, { recursive: true, force: true });
    },
  };
};

export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  json(): Record<string, { value?: unknown; target_id?: number }[]>;
  message(): unknown;
};

export type Sending = {
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Uint8Array | string | AsyncIterable<Uint8Array>;
  /** An account; `null` for nobody. */
  readonly as?: string | null;
};

const passwords: Readonly<Record<string, string>> = { admin: 'islandora' };
export const authorization = (as: string): string =>
  `Basic ${Buffer.from(`${as}:${passwords[as] ?? as}`).toString('base64')}`;

/** A well-behaved request on a connection of its own. */
export const send = (server: TestServer, method: string, path: string, sending: Sending = {}): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { as = 'admin', body, headers = {} } = sending;
    const sent = request(server.url + path, {
      method,
      agent: new Agent(),
      headers: { ...(as === null ? {} : { Authorization: authorization(as) }), ...headers },
    });
    sent.on('response', (response) => void readAnswer(response).then(resolve, reject));
    sent.on('error', reject);
    if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) sent.end(body);
    else void writeAll(sent, body).catch(reject);
  });

const writeAll = async (sent: ReturnType<typeof request>, body: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const piece of body) {
    if (!sent.write(piece)) await new Promise((resolve) => sent.once('drain', resolve));
  }
  sent.end();
};

const readAnswer = async (response: IncomingMessage): Promise<Answer> => {
  const body = await buffer(response);
  const json = (): unknown => JSON.parse(body.toString());
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body,
    json: () => json() as ReturnType<Answer['json']>, // a record of the contract
    message: () => (json() as { message: unknown }).message, // a refusal of the contract
  };
};

/** A new node of the admin's; its id. */
export const newNode = async (server: TestServer): Promise<number> => {
  const body = JSON.stringify({
    type: [{ target_id: 'islandora_object' }],
    title: [{ value: 'For an upload' }],
    field_model: [{ target_id: 24 }],
  });
  const headers = { 'Content-Type': 'application/json' };
  const made = await send(server, 'POST', '/node?_format=json', { headers, body });
  if (made.status !== 201) throw new Error(`POST /node: ${made.status} ${made.body.toString()}`);
  return Number(made.json()['nid']?.[0]?.value);
};

/** `Original File` of the default site. */
export const term = 16;

export const uploadPath = (node: number, type = 'file'): string => `/node/${node}/media/${type}/${term}`;

/** An upload with what it needs; a header that is undefined is left out. */
export const upload = (
  server: TestServer,
  node: number,
  body: NonNullable<Sending['body']>,
  sending: Omit<Sending, 'body'> & { readonly type?: string } = {},
): Promise<Answer> => {
  const given = { 'Content-Type': 'text/plain', 'Content-Location': `public://tests/${node}.txt`, ...sending.headers };
  const headers = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
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

/** The one media of a node with its file. Throws when there is none, or are several. */
export const theMedia = async (server: TestServer, node: number): Promise<StoredMedia> => {
  const paths = await mediaOf(server, node);
  const [path = ''] = paths;
  if (paths.length !== 1) throw new Error(`Node ${node} has ${paths.length} media.`);
  const record = (await send(server, 'GET', `${path}?_format=json`)).json();
  const source = Object.entries(record).find(([name]) => /^field_media_(file|image|audio_file|video_file)$/.test(name));
  const fid = source?.[1][0]?.target_id ?? 0;
  const file = (await send(server, 'GET', `/entity/file/${fid}?_format=json`)).json();
  const { url } = file['uri']?.[0] as { url: string }; // contract: File
  return { path, record, file, fid, contentPath: url };
};

export const contentOf = async (server: TestServer, node: number): Promise<string> => {
  const { contentPath } = await theMedia(server, node);
  return (await send(server, 'GET', contentPath)).body.toString();
};

/** The names of everything that is stored, and of what is half stored. */
export const storedNames = async (server: TestServer): Promise<string[]> => {
  const kept = await Promise.all([...server.started.world.blobs.values()].map((storage) => storage.keys()));
  const schemes = await readdir(join(server.data, 'blobs')).catch(() => []);
  const half = await Promise.all(
    schemes.map((scheme) => readdir(join(server.data, 'blobs', scheme, 'temporary')).catch(() => [])),
  );
  return [...kept.flat(), ...half.flat()].sort();
};

/** Waits until the condition holds; throws after `ms`. */
export const until = async (condition: () => Promise<boolean>, what: string, ms = 5000): Promise<void> => {
  const deadline = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

/** The head of an upload as text, for clients that write on sockets. */
export const uploadHead = (node: number, lines: readonly string[], as = 'admin'): string =>
  [
    `PUT ${uploadPath(node)} HTTP/1.1`,
    'Host: localhost',
    `Authorization: ${authorization(as)}`,
    'Content-Type: text/plain',
    `Content-Location: public://tests/${node}.txt`,
    ...lines,
    '',
    '',
  ].join('\r\n');

/** A connection, and everything that came back on it until it was closed. */
export const openSocket = (server: TestServer): { socket: Socket; all: Promise<string> } => {
  const socket = connect(server.port, '127.0.0.1');
  // What a server does to a client that misbehaves is not the test's fault, and takes nothing back of what it said before.
  socket.on('error', () => undefined);
  let come = '';
  socket.on('data', (piece: Buffer) => (come += piece.toString()));
  const all = new Promise<string>((resolve) => socket.on('close', () => resolve(come)));
  return { socket, all };
};

/** Writes a head and pieces, ends or not, and reads what comes until the server closes. */
export const exchange = async (server: TestServer, written: string): Promise<string> => {
  const { socket, all } = openSocket(server);
  socket.write(Buffer.from(written, 'latin1'));
  return all;
};

const requestStarts = 'http.server.request.start';
type StartMessage = { readonly request: IncomingMessage; readonly socket: Socket };

/** Runs the work and tells how many bytes the server has read on the connection of its last request. */
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
