/** Starts and stops the measured servers: processes on the loopback interface, each on its own port. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Agent, get, request as send } from 'node:http';
import { createServer } from 'node:net';

const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** The status, headers (alternating names and values) and body at a path. Status 0 means that no server listens. */
export const fetchOnce = (port, path, headers = {}) =>
  new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (piece) => (body += piece));
      response.on('end', () => resolve({ status: response.statusCode, raw: response.rawHeaders, body }));
    });
    request.on('error', () => resolve({ status: 0, raw: [], body: '' }));
  });

/** Starts `node …args(port)` and waits until `path` is answered with `expected`. */
export const startContender = async (name, args, path, expected = 200) => {
  const patienceMs = 120_000;
  const port = await freePort();
  const started = performance.now();
  const child = spawn(process.execPath, args(port), { stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  let log = '';
  child.stderr.on('data', (piece) => (log = (log + piece).slice(-2000)));
  const ended = new Promise((resolve) => child.on('exit', resolve));
  void ended.then(() => running.delete(child));
  for (;;) {
    const { status } = await fetchOnce(port, path);
    if (status === expected) break;
    const isLate = performance.now() - started > patienceMs;
    if (child.exitCode !== null || isLate || status >= 400)
      throw new Error(`${name} did not answer (${status}): ${log}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  return {
    ...{ name, port },
    rssMb: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024,
    /** Processor time so far in milliseconds, which other load of the machine does not distort. */
    cpuMs: () => {
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ');
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    /** Ends the server without a chance to write anything, or with `SIGTERM` in good order. */
    stop: (signal = 'SIGKILL') => {
      child.kill(signal);
      return ended;
    },
  };
};

/**
 * Measures HEAD over 20 kept connections, because autocannon waits for the body that a HEAD reply announces. This client costs
 * more than autocannon, so the replies per second are a lower bound. The server's processor time is not affected.
 */
export const headLoad = async (port, path, seconds) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const end = performance.now() + seconds * 1000;
  let answered = 0;
  let right = 0;
  const one = () =>
    new Promise((resolve, reject) => {
      send({ host: '127.0.0.1', port, path, method: 'HEAD', agent }, (response) => {
        answered += 1;
        if (response.statusCode === 200 && Number(response.headers['content-length']) > 0) right += 1;
        response.resume().on('end', resolve);
      })
        .on('error', reject)
        .end();
    });
  const client = async () => {
    while (performance.now() < end) await one();
  };
  await Promise.all(Array.from({ length: 20 }, client));
  agent.destroy();
  return { answered, right };
};
