/**
 * Measures how long others wait, and how much memory the server has, while clients upload pictures of 12 million pixels, one in fifteen
 * requests: reads, and the health of the server. Fails when the 99th percentile of the reads is above 20 ms, health once waits longer
 * than 100 ms, or the memory of the last third is a tenth above that of the second.
 *
 *     npm run bench:suite -- files                            # 60 s of starter-site with derivatives, 30 s of the default site
 *     npm run bench:suite -- files --seconds 180 --program ../old/dist/main.js
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import jpeg from 'jpeg-js';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, program: { type: 'string', default: 'dist/main.js' } },
});
const seconds = Number(values.seconds);
const goals = { readP99: 20, healthMost: 100, growth: 1.1 };

/** What each site calls things: an object of a picture, the use of an original file. */
const sites = {
  'starter-site': { model: 13, use: 3, seconds },
  default: { model: 24, use: 16, seconds: seconds / 2 },
};

/** Noisy, as a phone takes it. Each upload has other bytes behind its end, so that it is another file. */
const picture = () => {
  const [width, height] = [4000, 3000];
  let state = 1;
  const data = Buffer.alloc(width * height * 4);
  for (let at = 0; at < data.length; at += 1) {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    data[at] = at % 4 === 3 ? 255 : ((at >> 4) & 127) + ((state >> 16) & 63);
  }
  return Buffer.from(jpeg.encode({ width, height, data }, 80).data);
};

const authorization = `Basic ${Buffer.from('admin:islandora').toString('base64')}`;

const startServer = async (site) => {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-files-'));
  const named = site === 'default' ? [] : ['--site', site];
  const args = ['serve', '--data', join(folder, 'data'), '--port', '0', '--json', '--fixture', 'empty', ...named];
  const child = spawn(process.execPath, [values.program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.on('exit', () => child.kill());
  const [line] = await once(child.stdout, 'data');
  const { url } = JSON.parse(line);
  const agent = new Agent({ keepAlive: true });
  /** The body of an answer, and the milliseconds until its end. */
  const send = (method, path, { headers = {}, body } = {}) =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      const sent = request(url + path, { method, headers: { authorization, ...headers }, agent }, (response) => {
        const pieces = [];
        response.on('data', (piece) => pieces.push(piece));
        response.on('end', () => {
          const text = Buffer.concat(pieces).toString();
          if (response.statusCode < 300) resolve({ text, took: performance.now() - began });
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 200)}`));
        });
      });
      sent.on('error', reject).end(body);
    });
  const residentMegabytes = async () => {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
  };
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    agent.destroy();
    await rm(folder, { recursive: true, force: true });
  };
  return { send, residentMegabytes, stop };
};

const createNode = async ({ send }, model) => {
  const body = JSON.stringify({
    ...{ type: [{ target_id: 'islandora_object' }], title: [{ value: 'A picture' }] },
    field_model: [{ target_id: model }],
  });
  const { text } = await send('POST', '/node?_format=json', { headers: { 'content-type': 'application/json' }, body });
  return JSON.parse(text).nid[0].value;
};

const share = (sorted, of) => sorted[Math.floor((sorted.length - 1) * of)] ?? Infinity;
const print = (text) => process.stdout.write(`${text}\n`);

const measure = async (site, bytes) => {
  const { model, use, seconds: duration } = sites[site];
  const server = await startServer(site);
  const nodes = [];
  for (let made = 0; made < 50; made += 1) nodes.push(await createNode(server, model));
  const [reads, health, memory] = [[], [], []];
  const until = performance.now() + duration * 1000;
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  let uploads = 0;
  const mixed = async () => {
    for (let at = 0; performance.now() < until; at += 1) {
      if (at % 15 === 14) {
        uploads += 1;
        const node = nodes[uploads % nodes.length];
        await server.send('PUT', `/node/${node}/media/image/${use}`, {
          headers: { 'content-type': 'image/jpeg', 'content-location': `public://picture-${node}.jpg` },
          body: Buffer.concat([bytes, Buffer.from(String(uploads))]),
        });
      } else reads.push((await server.send('GET', `/node/${nodes[at % nodes.length]}?_format=json`)).took);
      // A client that thinks for a moment: 15 requests take a second, about as long as the derivatives of one picture.
      await pause(66);
    }
  };
  const watch = async () => {
    while (performance.now() < until) {
      health.push((await server.send('GET', '/_atoll/health')).took);
      await pause(10);
    }
  };
  const weigh = async () => {
    while (performance.now() < until) {
      memory.push(await server.residentMegabytes());
      await pause(500);
    }
  };
  await Promise.all([mixed(), watch(), weigh()]);
  const reactions = JSON.parse((await server.send('GET', '/_atoll/reactions')).text).reactions;
  const made = reactions.filter(({ name, state }) => name.startsWith('make ') && state === 'done').length;
  await server.stop();
  for (const times of [reads, health]) times.sort((a, b) => a - b);
  const third = Math.floor(memory.length / 3);
  const most = (from, to) => Math.max(...memory.slice(from, to));
  const [second, last] = [most(third, 2 * third), most(2 * third)];
  const found = { readP99: share(reads, 0.99), healthMost: health.at(-1), growth: last / second };
  const cells = [
    `${reads.length} reads, ${uploads} uploads, ${made} derivatives`,
    `reads p99 ${found.readP99.toFixed(1)} ms, longest ${reads.at(-1).toFixed(1)}`,
    `health p99 ${share(health, 0.99).toFixed(1)} ms, longest ${found.healthMost.toFixed(1)}`,
    `${Math.round(most(0))} MB at most, ${Math.round(second)} and ${Math.round(last)} in the last thirds`,
  ];
  print(`${site.padEnd(14)}${cells.join(' · ')}`);
  return Object.entries(goals).filter(([name, goal]) => found[name] > goal);
};

const bytes = picture();
let missed = 0;
for (const site of Object.keys(sites)) {
  for (const [name, goal] of await measure(site, bytes)) {
    missed += 1;
    print(`MISSED on ${site}: ${name} at most ${goal}`);
  }
}
process.exitCode = missed === 0 ? 0 : 1;
