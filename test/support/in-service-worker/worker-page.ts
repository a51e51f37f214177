/** A page in headless Chromium whose service worker has the engine, and messages to it. One for each repository of a test file. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { chromium, type Browser, type CDPSession } from 'playwright-core';
import { messageText, valueOfMessage } from './message-text.ts';
import type { Asked, CommandName, Commands, Told } from './protocol.ts';

/** Sends a command and resolves with its result. What the worker throws is thrown. */
export type Ask = <Name extends CommandName>(
  command: Name,
  ...parameters: Parameters<Commands[Name]>
) => Promise<Awaited<ReturnType<Commands[Name]>>>;

export type PageOptions = {
  /** The module of the prepared site. */
  readonly siteModule: string;
  readonly now: () => number;
  /** Gets each answer before the command resolves. */
  readonly heard: (told: Told) => void;
};

/** `shared-modules/environment.mjs` says here that a test file has ended. */
const fileEnds = 'atoll.test-file-ends';
type FileEnd = { readonly waitFor: (end: Promise<unknown>) => void };

/** Opens the page and waits until its worker listens. The page closes when the test file ends. */
export const openWorkerPage = async (options: PageOptions): Promise<Ask> => {
  const [server, browser] = await Promise.all([serveFiles(options.siteModule), browserOfFile()]);
  const context = await browser.newContext();
  const page = await context.newPage();
  const close = (): void => {
    unsubscribe(fileEnds, close);
    void context.close().catch(() => undefined);
    server.close();
    server.closeAllConnections();
  };
  subscribe(fileEnds, close);
  const { port } = server.address() as AddressInfo; // it listens on a port
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.evaluate<undefined>('opened');
  const session = await context.newCDPSession(page);
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- `Ask` says what goes with each name
  const ask = async (command: CommandName, ...parameters: unknown[]): Promise<any> => {
    const asked: Asked = { now: options.now(), command, parameters };
    const text = messageText(asked);
    const told = valueOfMessage(await evaluated(session, `ask(${JSON.stringify(text)})`)) as Told; // the worker wrote it
    options.heard(told);
    if ('error' in told) throw told.error;
    return told.result;
  };
  return ask;
};

/** A page's own `evaluate` takes twice as long. */
const evaluated = async (session: CDPSession, expression: string): Promise<string> => {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    ...{ expression, awaitPromise: true, returnByValue: true },
  });
  if (exceptionDetails !== undefined) throw new Error(`${exceptionDetails.text} ${result.description ?? ''}`);
  return result.value as string; // `ask` resolves with a text
};

let launched: Promise<Browser> | undefined;

/** One browser for each test file. */
const browserOfFile = (): Promise<Browser> => {
  if (launched !== undefined) return launched;
  const browser = chromium.launch({ executablePath: process.env['ATOLL_TEST_BROWSER'] ?? '', args: ['--no-sandbox'] });
  launched = browser;
  const close = (end: unknown): void => {
    unsubscribe(fileEnds, close);
    launched = undefined;
    (end as FileEnd).waitFor(browser.then((one) => one.close()));
  };
  subscribe(fileEnds, close);
  return browser;
};

const script = `
  let last = 0;
  const waiting = new Map();
  let port;
  globalThis.opened = (async () => {
    const { installing, waiting: installed, active } = await navigator.serviceWorker.register('/worker.js', { type: 'module' });
    const worker = installing ?? installed ?? active;
    await new Promise((resolve, reject) => {
      const look = () => {
        if (worker.state === 'activated') resolve();
        if (worker.state === 'redundant') reject(new Error('The service worker did not start.'));
      };
      worker.addEventListener('statechange', look);
      look();
    });
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data: [id, text] }) => {
      waiting.get(id)(text);
      waiting.delete(id);
    };
    worker.postMessage('here is a port', [channel.port2]);
  })();
  globalThis.ask = (text) => new Promise((resolve) => {
    last += 1;
    waiting.set(last, resolve);
    port.postMessage([last, text]);
  });
`;
const worker = `import { site } from '/site.js'; import { serveTests } from '/engine.js'; serveTests(site);`;

/** The folder into which `setup.mjs` bundles the engine. */
const folder = join(import.meta.dirname, '../../../coverage/in-service-worker');

const serveFiles = async (siteModule: string): Promise<Server> => {
  const files: Readonly<Record<string, readonly [string, string]>> = {
    '/': ['text/html', `<!doctype html><title>Tests</title><script>${script}</script>`],
    '/worker.js': ['text/javascript', worker],
    '/site.js': ['text/javascript', siteModule],
    '/engine.js': ['text/javascript', await readFile(join(folder, 'engine.js'), 'utf8')],
  };
  const server = createServer(({ url = '' }, response) => {
    const [type, text] = files[url] ?? [];
    if (type === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': type }).end(text);
  });
  server.listen(0, '127.0.0.1').unref();
  server.on('connection', (socket) => socket.unref());
  await once(server, 'listening');
  return server;
};
