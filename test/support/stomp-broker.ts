/** A small STOMP broker (STOMP 1.2): it takes messages in transactions and shows them. Subscribers are not served. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export type Frame = {
  readonly command: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export type StompBroker = {
  readonly port: number;
  /** The frames of clients, in order. */
  readonly frames: readonly Frame[];
  /** The messages of committed transactions. */
  readonly messages: readonly Frame[];
  /** Ends all connections, and takes no new one. */
  close(): Promise<void>;
};

const readFrame = (text: string): Frame => {
  const end = text.indexOf('\n\n');
  const [command = '', ...lines] = text.slice(0, end).replace(/^\n+/, '').split('\n');
  const headers = lines.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)] as const);
  return { command, headers: Object.fromEntries(headers), body: text.slice(end + 2) };
};

/** `refuses`: the text of the ERROR that answers a connection. */
export const startStompBroker = async (refuses?: string): Promise<StompBroker> => {
  const frames: Frame[] = [];
  const messages: Frame[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    const open = new Map<string, Frame[]>();
    const answer = (command: string, headers: string): void => void socket.write(`${command}\n${headers}\n\n\0`);
    const take = (frame: Frame): void => {
      frames.push(frame);
      const { transaction = '', receipt } = frame.headers;
      if (frame.command === 'CONNECT' || frame.command === 'STOMP') {
        if (refuses === undefined) answer('CONNECTED', 'version:1.2');
        else answer('ERROR', `message:${refuses}`);
      }
      if (frame.command === 'BEGIN') open.set(transaction, []);
      if (frame.command === 'SEND') open.get(transaction)?.push(frame);
      if (frame.command === 'COMMIT') messages.push(...(open.get(transaction) ?? []));
      if (receipt !== undefined) answer('RECEIPT', `receipt-id:${receipt}`);
    };
    let rest = '';
    socket.on('data', (bytes) => {
      const parts = (rest + bytes.toString('utf8')).split('\0');
      rest = parts.pop() ?? '';
      for (const part of parts) take(readFrame(part));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port, // a server on a port has such an address
    frames,
    messages,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};
