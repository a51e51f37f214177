/**
 * Measures the memory that uploads to forks take, and how much of it is given back when the forks are dropped.
 *
 *     npm run bench:suite -- world-bytes                                        # four forks, --data and --memory
 *     npm run bench:suite -- world-bytes --forks 8 --megabytes 100
 *     npm run bench:suite -- world-bytes --program ../old/dist/main.js          # another program
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startContender } from './contenders.mjs';

const { values } = parseArgs({
  options: {
    forks: { type: 'string', default: '4' },
    megabytes: { type: 'string' },
    program: { type: 'string', default: 'dist/main.js' },
  },
});
const megabyte = 1024 * 1024;
const authorization = `Basic ${Buffer.from('admin:islandora').toString('base64')}`;

/** Sends a request and resolves with its status. `chunks` says how often a megabyte of this character is sent. */
const send = ({ port }, method, path, headers, { chunks = 0, character = 'x', body }) =>
  new Promise((resolve, reject) => {
    const sending = request({ host: '127.0.0.1', port, method, path, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode));
    });
    sending.on('error', reject);
    const chunk = Buffer.alloc(megabyte, character);
    const write = (left) => {
      for (let rest = left; rest > 0; rest -= 1) {
        if (!sending.write(chunk)) return sending.once('drain', () => write(rest - 1));
      }
      return sending.end(body);
    };
    write(chunks);
  });

const upload = (server, name, chunks, character) => {
  const headers = {
    ...{ authorization, 'content-type': 'text/plain', 'content-length': chunks * megabyte },
    'content-location': `public://${name}.txt`,
  };
  return send(server, 'PUT', `/~${name}/node/2/media/file/16`, headers, { chunks, character });
};

const measure = async (title, place, megabytes) => {
  const args = (port) => [values.program, 'serve', ...place, '--port', String(port)];
  const server = await startContender(title, args, '/_atoll/health');
  // The bound of the heap is set by then.
  await wait(3000);
  const before = server.rssMb();
  const names = Array.from({ length: Number(values.forks) }, (_, at) => `fork-${at}`);
  const statuses = [];
  for (const [at, name] of names.entries()) {
    await send(
      server,
      'POST',
      '/_atoll/worlds',
      { 'content-type': 'application/json' },
      { body: JSON.stringify({ name }) },
    );
    statuses.push(await upload(server, name, megabytes, String.fromCharCode(97 + (at % 26))));
  }
  const filled = server.rssMb();
  for (const name of names) await send(server, 'DELETE', `/_atoll/worlds/${name}`, {}, {});
  await wait(2000);
  const [first, second, third] = [before, filled, server.rssMb()].map((each) => `${Math.round(each)} MB`);
  console.log(
    `${title}, ${names.length} × ${megabytes} MB (${statuses.join(' ')}): ${first}, filled ${second}, dropped ${third}`,
  );
  await server.stop();
};

const directory = await mkdtemp(join(tmpdir(), 'atoll-bench-'));
try {
  await measure('--data', ['--data', join(directory, 'data')], Number(values.megabytes ?? 200));
  await measure('--memory', ['--memory'], Number(values.megabytes ?? 60));
} finally {
  await rm(directory, { recursive: true, force: true });
}
