/** A server between the audit and Atoll that tells lies: it alters answers on their way. */
import { createServer, request as forward, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';

/** What an answer is about and its header lines, name and value by turns. */
export type Lie = (asked: IncomingMessage, lines: readonly string[]) => readonly string[];

export type AlteringProxy = {
  /** Where the proxy listens: what Atoll must believe to be its base URL. */
  readonly url: string;
  /** Serves the application; from then on the proxy answers. */
  serve(app: Express): Promise<void>;
  /** Alters answers from now on. */
  tell(lie: Lie): void;
  close(): void;
};

export const truth: Lie = (_asked, lines) => lines;

export const openProxy = async (): Promise<AlteringProxy> => {
  let lie = truth;
  let origin: Server | undefined;
  const proxy = createServer((asked, answer) => {
    const port = origin === undefined ? 0 : portOf(origin);
    const options = { host: '127.0.0.1', port, method: asked.method, path: asked.url, headers: asked.headers };
    const passed = forward(options, (response) => {
      answer.writeHead(response.statusCode ?? 502, [...lie(asked, response.rawHeaders)]);
      response.pipe(answer);
    });
    asked.pipe(passed);
  });
  await listen(proxy);
  return {
    url: `http://127.0.0.1:${portOf(proxy)}`,
    serve: async (app) => {
      origin = createServer(app);
      await listen(origin);
    },
    tell: (next) => {
      lie = next;
    },
    close: () => {
      for (const server of [proxy, origin]) {
        server?.close();
        server?.closeAllConnections();
      }
    },
  };
};

const listen = (server: Server): Promise<void> => new Promise((done) => server.listen(0, '127.0.0.1', done));
const portOf = (server: Server): number => (server.address() as AddressInfo).port; // it listens on a port

/** The lines with each `Link` value changed; undefined leaves it out. */
export const alterLinks = (lines: readonly string[], change: (value: string) => string | undefined): string[] =>
  lines.flatMap((value, at) => {
    const name = lines[at - 1];
    if (at % 2 === 0) return [];
    if (name?.toLowerCase() !== 'link') return [name ?? '', value];
    const changed = change(value);
    return changed === undefined ? [] : [name, changed];
  });
