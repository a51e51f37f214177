/** Sends requests through a socket, header by header: clients for tests would add headers of their own. */
import { request as httpRequest, createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer } from './compare.ts';

export type Sent = {
  readonly method: string;
  readonly path: string;
  /** A header with several values is sent on several lines. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: Buffer | undefined;
};

export type Listening = {
  send(sent: Sent): Promise<Answer>;
  close(): Promise<void>;
};

/** Lets the application listen on a free port of this machine. */
export const listen = async (app: RequestListener): Promise<Listening> => {
  const server = createServer(app).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    send: (sent) => sendTo(server, sent),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const sendTo = (server: Server, { method, path, headers, body }: Sent): Promise<Answer> => {
  const { port } = server.address() as AddressInfo; // it listens on TCP
  const length = body === undefined ? {} : { 'Content-Length': String(body.length) };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ port, host: '127.0.0.1', method, path, headers: { ...headers, ...length } });
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('error', reject);
      incoming.on('end', () => {
        const bytes = Buffer.concat(chunks);
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headersDistinct,
          bytes,
          text: bytes.toString('utf8'),
        });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
};
