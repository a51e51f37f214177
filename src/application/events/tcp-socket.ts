/** A TCP connection with the members of a WebSocket that the STOMP library uses. */
import { connect, type Socket } from 'node:net';

/** The states of a WebSocket. */
const [connecting, open, closing, closed] = [0, 1, 2, 3];

type Listener = ((event?: unknown) => void) | null | undefined;

export class TcpSocket {
  readonly url: string;
  readonly binaryType = 'arraybuffer';
  readyState = connecting;
  onopen: Listener;
  onclose: Listener;
  onerror: Listener;
  onmessage: Listener;
  private readonly connection: Socket;

  constructor(host: string, port: number) {
    this.url = `tcp://${host}:${port}`;
    this.connection = connect({ host, port, noDelay: true });
    this.connection.on('connect', () => {
      this.readyState = open;
      this.onopen?.();
    });
    this.connection.on('data', (bytes) => this.onmessage?.({ data: new Uint8Array(bytes).buffer }));
    // The end of the connection follows.
    this.connection.on('error', (error) => this.onerror?.(error));
    this.connection.on('close', () => {
      this.readyState = closed;
      this.onclose?.({ code: 1006, reason: 'The connection ended.' });
    });
  }

  send(data: string | ArrayBufferLike | Blob | ArrayBufferView): void {
    // The library sends binary data only with a setting that nobody sets here.
    if (typeof data === 'string') this.connection.write(data);
  }

  close(): void {
    this.readyState = closing;
    this.connection.end();
  }

  terminate(): void {
    this.connection.destroy();
  }
}
