/** Requests written byte by byte on a socket, for what no client library sends. */
import { connect, type Socket } from 'node:net';

export type RawAnswer = {
  readonly status: number;
  readonly head: string;
  readonly body: string;
  readonly text: string;
};

export type Conversation = {
  /** Everything that has arrived so far, one character a byte. */
  received(): string;
  send(text: string): void;
  /** Resolves when what has arrived matches, or the server has closed the connection. */
  until(pattern: RegExp): Promise<string>;
  /** Resolves when the server has closed the connection. */
  ended(): Promise<string>;
  close(): void;
};

/** Opens a connection; text is sent one byte a character. */
export const converse = async (port: number): Promise<Conversation> => {
  const socket = connect(port, '127.0.0.1');
  let received = '';
  let hasEnded = false;
  const watchers = new Set<() => void>();
  const tell = (): void => {
    for (const watcher of watchers) watcher();
  };
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
    tell();
  });
  // A refused connection may be reset under a client that still writes: what came before counts.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    hasEnded = true;
    tell();
  });
  const when = (isDone: () => boolean): Promise<string> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!isDone()) return;
        watchers.delete(look);
        resolve(received);
      };
      watchers.add(look);
      look();
    });
  await new Promise((resolve) => socket.once('connect', resolve));
  return {
    received: () => received,
    send: (text) => void socket.write(Buffer.from(text, 'latin1')),
    until: (pattern) => when(() => hasEnded || pattern.test(received)),
    ended: () => when(() => hasEnded),
    close: () => void socket.destroy(),
  };
};

/** The first answer in some text. */
export const readAnswer = (text: string): RawAnswer => {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body: rest.join('\r\n\r\n'), text };
};

/** Sends bytes and reads until the connection ends; the bytes ask for that with `Connection: close` or are refused. */
export const exchange = async (port: number, text: string): Promise<RawAnswer> =>
  readAnswer(await exchangeText(port, text));

/** The same, with everything that came back as text. */
export const exchangeText = async (port: number, text: string): Promise<string> => {
  const { socket, all } = openSocket(port);
  socket.write(Buffer.from(text, 'latin1'));
  return all;
};

/** A connection, and everything that came back on it until it was closed, one character a byte. */
export const openSocket = (port: number): { socket: Socket; all: Promise<string> } => {
  const socket = connect(port, '127.0.0.1');
  // A refused connection may be reset under a client that still writes: what came before counts.
  socket.on('error', () => undefined);
  let received = '';
  socket.on('data', (bytes: Buffer) => (received += bytes.toString('latin1')));
  const all = new Promise<string>((resolve) => socket.on('close', () => resolve(received)));
  return { socket, all };
};

/** A request from its lines. `Host` and `Connection: close` come by themselves. */
export const rawRequest = (line: string, headers: readonly string[] = [], body = ''): string =>
  [`${line} HTTP/1.1`, 'Host: localhost:8000', 'Connection: close', ...headers, '', body].join('\r\n');
