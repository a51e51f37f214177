/** A round-robin balancer over HTTP: each request goes to the next process, whatever connection it came by. */
import { once } from 'node:events';
import { Agent, createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Balancer = {
  readonly url: string;
  setTargets(urls: readonly string[]): void;
  /** How many requests each target has answered, by its address. */
  answered(): ReadonlyMap<string, number>;
  close(): Promise<void>;
};

type Exchange = { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse; readonly body: Buffer };

const readBody = async (incoming: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer); // no encoding is set
  return Buffer.concat(pieces);
};

/**
 * Starts a balancer on a free port. A process that refuses the connection is passed over. Where the connection breaks later, the
 * answer is 502 with the header `x-broken`: the process may have done what was asked.
 */
export const startBalancer = async (first: readonly string[]): Promise<Balancer> => {
  let targets = first;
  let turn = 0;
  const counts = new Map<string, number>();
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });

  const forward = ({ incoming, outgoing, body }: Exchange, triesLeft: number): void => {
    const target = targets[(turn += 1) % targets.length] ?? '';
    const fail = (isSafe: boolean): void => {
      if (isSafe && triesLeft > 0) forward({ incoming, outgoing, body }, triesLeft - 1);
      else if (outgoing.headersSent) outgoing.destroy();
      else outgoing.writeHead(502, { 'x-broken': 'yes' }).end();
    };
    const options = { method: incoming.method, agent, headers: incoming.headers };
    const sent = request(new URL(incoming.url ?? '/', target), options, (answer) => {
      counts.set(target, (counts.get(target) ?? 0) + 1);
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => outgoing.destroy());
      answer.pipe(outgoing);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => fail(error.code === 'ECONNREFUSED'));
    sent.end(body);
  };

  const server = createServer((incoming, outgoing) => {
    readBody(incoming).then(
      (body) => forward({ incoming, outgoing, body }, targets.length),
      () => outgoing.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    setTargets: (urls) => {
      targets = urls;
    },
    answered: () => counts,
    close: async () => {
      agent.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
