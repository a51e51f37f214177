/** Stands between Atoll and PostgreSQL and hurts the connections: cuts them at a commit, or lets nothing pass for a while. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { createConversation } from './protocol.ts';

/**
 * Where a connection is cut. `before`: the commit never arrives, so PostgreSQL rolls back. `after`: PostgreSQL has committed, and
 * its answer never arrives.
 */
export type Cut = 'before' | 'after';

export type DatabaseProxy = {
  /** The connection text, with the proxy in the place of the server. */
  readonly url: string;
  /** Cuts the next connection that commits changes of records, or a later one. Resolves when it has done so. */
  cutCommit(cut: Cut, skipped?: number): Promise<void>;
  /** Forgets a planned cut. */
  spare(): void;
  /** Lets no byte pass in any direction and answers no new connection. Nothing is lost and nothing is refused. */
  hold(): void;
  /** Lets pass what waited. */
  release(): void;
  /** Ends all connections. */
  cutAll(): void;
  close(): Promise<void>;
};

type Pair = { readonly client: Socket; readonly server: Socket };

const destroy = ({ client, server }: Pair): void => {
  client.destroy();
  server.destroy();
};

/** Starts the proxy of the server in `url` on a free port. */
export const startDatabaseProxy = async (url: string): Promise<DatabaseProxy> => {
  const target = new URL(url);
  const pairs = new Set<Pair>();
  let isHeld = false;
  let planned: { readonly cut: Cut; skipped: number; readonly done: () => void } | undefined;

  const join = (client: Socket): void => {
    const server = connect({ host: target.hostname, port: Number(target.port) });
    const pair = { client, server };
    pairs.add(pair);
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', () => destroy(pair));
      socket.on('close', () => {
        destroy(pair);
        pairs.delete(pair);
      });
    }
    const conversation = createConversation();
    /** The request after whose answer the connection is cut. */
    let last: { readonly request: number; readonly done: () => void } | undefined;
    client.on('data', (piece: Buffer) => {
      const request = conversation.fromClient(piece);
      if (planned !== undefined && request !== undefined && planned.skipped > 0) planned.skipped -= 1;
      else if (planned !== undefined && request !== undefined) {
        const { cut, done } = planned;
        planned = undefined;
        if (cut === 'before') {
          destroy(pair);
          done();
          return;
        }
        last = { request, done };
      }
      server.write(piece);
    });
    server.on('data', (piece: Buffer) => {
      const answered = conversation.fromServer(piece);
      if (last === undefined) client.write(piece);
      else if (answered >= last.request) {
        destroy(pair);
        last.done();
      }
    });
    if (isHeld) for (const socket of [client, server]) socket.pause();
  };

  const listener = createServer(join).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo; // it listens on a port
  const own = new URL(url);
  own.host = `127.0.0.1:${port}`;
  const forAll = (act: (socket: Socket) => void): void =>
    [...pairs].flatMap(({ client, server }) => [client, server]).forEach(act);
  return {
    url: own.href,
    cutCommit: (cut, skipped = 0) =>
      new Promise((resolve) => {
        planned = { cut, skipped, done: resolve };
      }),
    spare: () => {
      planned = undefined;
    },
    hold: () => {
      isHeld = true;
      forAll((socket) => socket.pause());
    },
    release: () => {
      isHeld = false;
      forAll((socket) => socket.resume());
    },
    cutAll: () => [...pairs].forEach(destroy),
    close: async () => {
      [...pairs].forEach(destroy);
      listener.close();
      await once(listener, 'close');
    },
  };
};
