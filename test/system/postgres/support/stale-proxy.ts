/** A control of the checker: a cache in front of a server that answers each GET of a node as it did the first time. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ask, type Answer } from './ask.ts';

export type StaleProxy = { readonly url: string; close(): Promise<void> };

/** Starts the cache on a free port. */
export const startStaleProxy = async (target: string): Promise<StaleProxy> => {
  const kept = new Map<string, Answer>();
  const server = createServer((incoming, outgoing) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      const { method = 'GET', url: path = '/' } = incoming;
      const type = incoming.headers['content-type'];
      const known = method === 'GET' ? kept.get(path) : undefined;
      const asked =
        known !== undefined
          ? Promise.resolve(known)
          : ask(target, method, path, {
              body: Buffer.concat(pieces),
              headers: type === undefined ? {} : { 'content-type': type },
            });
      void asked.then((answer) => {
        if (method === 'GET') kept.set(path, answer);
        const { location } = answer.headers;
        outgoing.statusCode = answer.status === 0 ? 502 : answer.status;
        if (location !== undefined) outgoing.setHeader('location', location);
        outgoing.end(answer.bytes);
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
