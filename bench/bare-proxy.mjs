/** The baseline of `bench/proxy.mjs`: a proxy of `node:http` that pipes, and does nothing else. */
import { Agent, createServer, request } from 'node:http';

const [target] = process.argv.slice(2);
const { hostname, port } = new URL(target);
const agent = new Agent({ keepAlive: true });
const server = createServer((incoming, outgoing) => {
  const { method, url, headers } = incoming;
  const upstream = request({ agent, hostname, port, method, path: url, headers }, (reply) => {
    outgoing.writeHead(reply.statusCode, reply.headers);
    reply.pipe(outgoing);
  });
  upstream.on('error', () => outgoing.destroy());
  incoming.pipe(upstream);
});
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })));
