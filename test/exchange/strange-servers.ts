/** Servers that answer in strange ways, each on a free port of this machine. */
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createPlainServer, type AddressInfo, type Socket } from 'node:net';
import { testCertificate, testKey } from './certificate.ts';

export type Strange = { readonly url: string; stop(): void };

const listening = async (server: Server | ReturnType<typeof createPlainServer>, scheme: string): Promise<Strange> => {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `${scheme}://127.0.0.1:${port}`,
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

export const strangeServer = (listener: RequestListener): Promise<Strange> => listening(createServer(listener), 'http');

export const selfSignedServer = (listener: RequestListener): Promise<Strange> =>
  listening(createTlsServer({ key: testKey, cert: testCertificate }, listener), 'https');

/** Says these words to everybody who connects, and closes. */
export const plainServer = (words: string): Promise<Strange> =>
  listening(
    createPlainServer((socket) => socket.end(words)),
    'http',
  );

/** Sends bytes for as long as somebody reads them. */
export const endless: RequestListener = (_request, response) => {
  const piece = Buffer.alloc(64 * 1024, 'x');
  response.setHeader('Content-Type', 'application/json');
  const more = (): void => {
    while (response.write(piece));
  };
  response.on('drain', more);
  more();
};
