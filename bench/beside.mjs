/**
 * Measures how long reads and writes wait for each other while a repository fills and is compacted: 32 clients send POST, four
 * others read. Compactions come by themselves, each time the journal has grown as long as the checkpoint.
 */
import autocannon from 'autocannon';
import { startContender } from './contenders.mjs';

const load = async ({ port }, connections, duration, request) => {
  const result = await autocannon({
    url: `http://127.0.0.1:${port}`,
    ...{ connections, duration, timeout: 30, requests: [request] },
  });
  if (result.errors + result.timeouts + result.non2xx > 0)
    throw new Error(`${result.non2xx} refusals, ${result.errors} errors while filling`);
  return { p99Ms: result.latency.p99, longestMs: result.latency.max, perSecond: result.requests.total / duration };
};

/** Starts `args(port)`, fills it for some seconds, and reads beside it. `read` and `write` are requests of autocannon. */
export const fillAndRead = async ({ name, args, path, read, write, seconds }) => {
  const server = await startContender(name, args, path);
  await load(server, 8, 1, write);
  const [writes, reads] = await Promise.all([load(server, 32, seconds, write), load(server, 4, seconds, read)]);
  const rssMb = server.rssMb();
  await server.stop();
  return { writes, reads, rssMb };
};
