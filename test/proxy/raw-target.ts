/** A target that answers with the very bytes that a test names, and remembers the very bytes that it got. */
import { createServer, type AddressInfo, type Socket } from 'node:net';

export type RawTarget = {
  readonly url: string;
  readonly port: number;
  /** What arrived on each connection, one character a byte. */
  readonly received: string[];
  stop(): Promise<void>;
};

/** Called whenever bytes have arrived on a connection, with all of them so far. */
export type OnBytes = (received: string, socket: Socket) => void;

export const startRawTarget = async (onBytes: OnBytes): Promise<RawTarget> => {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const at = received.push('') - 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.on('data', (bytes) => {
      received[at] = (received[at] ?? '') + bytes.toString('latin1');
      onBytes(received[at] ?? '', socket);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    ...{ url: `http://127.0.0.1:${port}`, port, received },
    stop: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((done) => server.close(() => done()));
    },
  };
};

/** Answers each request, once its head and what its length or its chunks announce have come, with bytes for its path. */
export const answering =
  (replyFor: (path: string) => string): OnBytes =>
  (received, socket) => {
    const requests = received.split(/(?=^[A-Z]+ \S+ HTTP\/1\.[01]\r\n)/m);
    const last = requests.at(-1) ?? '';
    const [head = '', ...rest] = last.split('\r\n\r\n');
    const body = rest.join('\r\n\r\n');
    const isWhole = /^transfer-encoding: chunked/im.test(head)
      ? /(?:^|\r\n)0\r\n(?:.+\r\n)*\r\n/.test(body)
      : body.length >= Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    if (!last.includes('\r\n\r\n') || !isWhole) return;
    const reply = replyFor(head.split(' ')[1] ?? '');
    socket.write(Buffer.from(reply, 'latin1'));
    if (!/^(?:content-length|transfer-encoding):/im.test(reply) && !/^HTTP\/1\.1 (?:204|304)/.test(reply)) socket.end();
  };
