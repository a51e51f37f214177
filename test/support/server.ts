/** A whole server on a free port, as `atoll serve` starts it, and requests to it over a real socket. */
import { repositoryWorld, type World } from '../../src/repository/repository.ts';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request, type IncomingHttpHeaders, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { start } from '../../src/application/application-disk.ts';
import { listen, type StartOptions, type Started } from '../../src/server/server-start.ts';
import { systemClock, systemIds } from '../../src/server/server.ts';
import { noteCoverage, preparedFile, root, type TestAtoll } from './atoll.ts';
import { basic } from './requests.ts';
import { testSigningKey } from './signing-key.ts';

export type TestServer = Omit<Started, 'stop' | 'world'> & {
  readonly world: World;
  readonly port: number;
  /** The data directory, if the server keeps its data on disk. */
  readonly data: string;
  /** Operation and status of every answer. Tests may empty it. */
  readonly answers: string[];
  /** What failed in the server. */
  readonly errors: unknown[];
  /** As the program does. Requests are answered until `notice` resolves. */
  stop(notice?: Promise<unknown>): Promise<void>;
};

export type ServerOptions = Partial<Omit<StartOptions, 'data'>> & {
  /** Keeps the data in a new directory instead of in memory. */
  readonly onDisk?: boolean;
  /** Changes the text of a file of the default site, in a copy of that site. */
  readonly changeSite?: (yaml: string) => string;
  /** The file that `changeSite` changes; `site.yml` when left out. */
  readonly siteFile?: string;
};

/** Every answer is checked against the document: one that breaks it becomes a 500 that names the violation. */
export const startServer = async (options: ServerOptions = {}): Promise<TestServer> => {
  const { onDisk = false, changeSite, siteFile = 'site.yml', ...startOptions } = options;
  const folder = await mkdtemp(join(tmpdir(), 'atoll-server-'));
  const data = join(folder, 'data');
  const answers: string[] = [];
  const errors: unknown[] = [];
  const begin = async (): Promise<Started> =>
    start({
      root,
      prepared: await preparedFile(),
      host: 'localhost',
      port: 0,
      data: onDisk ? data : undefined,
      fixture: 'starter',
      site: changeSite === undefined ? undefined : await changedSite(join(folder, 'site'), siteFile, changeSite),
      baseUrl: undefined,
      durability: 'full',
      checkReplies: 'fail',
      cors: 'loopback',
      demoAccounts: false,
      signingKey: testSigningKey,
      clock: systemClock,
      ids: systemIds,
      warn: () => undefined,
      onEvent: (event) => {
        noteCoverage(event);
        if (event.kind === 'failed') errors.push(event.error);
        if (event.kind === 'answered') answers.push(`${event.operation} ${event.status}`);
      },
      onError: (error) => errors.push(error),
      ...startOptions,
    });
  const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const started = await begin().catch(async (error: unknown) => {
    await removeFolder();
    throw error;
  });
  return {
    ...started,
    world: repositoryWorld(started.world),
    ...{ port: Number(new URL(started.url).port), data, answers, errors },
    stop: async (notice) => {
      await started.stop(1000, notice);
      await removeFolder();
    },
  };
};

const changedSite = async (folder: string, name: string, change: (yaml: string) => string): Promise<string> => {
  await cp(join(root, 'data/site'), folder, { recursive: true });
  const file = join(folder, name);
  await writeFile(file, change(await readFile(file, 'utf8')));
  return folder;
};

/** Serves the application of a test on a free port of 127.0.0.1, with the listener of the program. */
export const serveOnPort = async ({ app }: Pick<TestAtoll, 'app'>): Promise<Served> => {
  const listener = await listen('127.0.0.1', 0);
  listener.serve(app);
  const { port } = listener;
  return { url: `http://127.0.0.1:${port}`, port, stop: () => listener.stop(0) };
};

export type Served = { readonly url: string; readonly port: number; stop(): Promise<unknown> };

export type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** The body as a record of the contract. */
  json(): Record<string, { value?: unknown; target_id?: number }[]>;
  /** The message of a refusal. */
  message(): unknown;
};

export type Sending = {
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Uint8Array | string | AsyncIterable<Uint8Array>;
  /** Sent as JSON, in place of `body`. */
  readonly json?: unknown;
  /** The name of a demo account, the admin when left out; `null` for nobody. */
  readonly as?: string | null;
};

/** A request on a connection of its own. */
export const send = (
  server: { readonly url: string },
  method: string,
  path: string,
  sending: Sending = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { as = 'admin', json, body = json === undefined ? undefined : JSON.stringify(json), headers } = sending;
    const sent = request(server.url + path, {
      method,
      agent: new Agent(),
      headers: {
        ...(as === null ? {} : basic(as).headers),
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
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
