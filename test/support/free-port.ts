/** A port of this machine that nobody listens on at the moment. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** For programs that are told their port; whatever can take port 0 itself is safer with that. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // it listens on a port
  server.close();
  await once(server, 'close');
  return port;
};
