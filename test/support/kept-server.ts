/** A server for an application in this process, for all the requests of a test file. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { Agent, createServer, type Server } from 'node:http';
import type { Express } from 'express';

/** `shared-modules/environment.mjs` says here that a test file has ended. */
const fileEnds = 'atoll.test-file-ends';

/** For requests to kept servers: a new connection for each of them would cost as much as its answer. */
export const keptConnections = new Agent({ keepAlive: true });

/** Listens until the test file ends. It keeps no process alive. */
export const keepServer = async (app: Express): Promise<Server> => {
  const server = createServer(app).listen(0, '127.0.0.1').unref();
  // A connection that the server has just given up cannot be mistaken for a free one.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => socket.unref());
  const close = (): void => {
    unsubscribe(fileEnds, close);
    server.close();
    server.closeAllConnections();
  };
  subscribe(fileEnds, close);
  await once(server, 'listening');
  return server;
};
