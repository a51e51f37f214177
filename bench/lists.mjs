/**
 * Measures how long another client waits while many clients read the lists of a large collection, a record with very many
 * references, and its linkset. Fails when the 99th percentile of the other client's GET is 50 ms or more.
 *
 *     npm run bench:suite -- lists    # 10,000 members, 20 clients, 10 s for each list
 *     npm run bench:suite -- lists --members 2000 --seconds 3 --program coverage/main.js
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';

const { values } = parseArgs({
  options: {
    members: { type: 'string', default: '10000' },
    clients: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '10' },
    program: { type: 'string', default: 'dist/main.js' },
  },
});
const members = Number(values.members);
const clients = Number(values.clients);
const milliseconds = Number(values.seconds) * 1000;
const goalMs = 50;

const server = spawn(process.execPath, [values.program, 'serve', '--memory', '--port', '0', '--json'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
process.on('exit', () => server.kill());
const [line] = await once(server.stdout, 'data');
const { url } = JSON.parse(line);
const agent = new Agent({ keepAlive: true, maxSockets: 256 });
const authorization = `Basic ${Buffer.from('admin:islandora').toString('base64')}`;

/** The body of an answer, and the milliseconds until its end. */
const send = (method, path, { headers = {}, body, through = agent } = {}) =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const sent = request(url + path, { method, headers, agent: through }, (response) => {
      const pieces = [];
      response.on('data', (piece) => pieces.push(piece));
      response.on('end', () => {
        const text = Buffer.concat(pieces).toString();
        if (response.statusCode >= 300)
          reject(new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 200)}`));
        else resolve({ text, took: performance.now() - began });
      });
    });
    sent.on('error', reject).end(body);
  });

const create = async (fields) => {
  const body = JSON.stringify({
    type: [{ target_id: 'islandora_object' }],
    field_model: [{ target_id: 24 }],
    ...fields,
  });
  const headers = { authorization, 'content-type': 'application/json' };
  const { text } = await send('POST', '/node?_format=json', { headers, body });
  return JSON.parse(text).nid[0].value;
};
const titled = (title) => ({ title: [{ value: title }], status: [{ value: true }] });

const print = (text) => process.stdout.write(`${text}\n`);
const collection = await create(titled('A collection'));
const ids = [];
for (let made = 0; made < members;) {
  const batch = Array.from({ length: Math.min(50, members - made) }, (_, at) => made + at);
  const created = batch.map((number) =>
    create({ ...titled(`Member ${number}`), field_member_of: [{ target_id: collection }] }),
  );
  ids.push(...(await Promise.all(created)));
  made += batch.length;
}
/** As many items as a record may have, nearly all of them references. */
const termsOf = async (vocabulary) => {
  const body = JSON.stringify({ vid: [{ target_id: vocabulary }], name: [{ value: `Of ${vocabulary}` }] });
  const headers = { authorization, 'content-type': 'application/json' };
  const { text } = await send('POST', '/taxonomy/term?_format=json', { headers, body });
  return Array.from({ length: 980 }, () => ({ target_id: JSON.parse(text).tid[0].value }));
};
const full = await create({
  ...titled('Full of references'),
  field_member_of: ids.slice(0, 980).map((id) => ({ target_id: id })),
  field_subject: await termsOf('subject'),
  field_linked_agent: (await termsOf('person')).map((agent) => ({ ...agent, rel_type: 'relators:aut' })),
  field_access_terms: await termsOf('islandora_access'),
  field_display_hints: await termsOf('islandora_display'),
});
print(`${members} members, ${clients} clients; the other client reads a node`);

/** Clients in a thread of their own, so that reading their answers does not delay the other client. Returns their number of answers. */
const load = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { Agent, get } = require('node:http');
  const { target, clients, milliseconds } = workerData;
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const until = performance.now() + milliseconds;
  let answers = 0;
  let running = clients;
  const ask = () => {
    if (performance.now() >= until) {
      running -= 1;
      if (running === 0) parentPort.postMessage(answers);
      return;
    }
    get(target, { agent }, (response) => {
      if (response.statusCode !== 200) throw new Error(target + ': ' + response.statusCode);
      response.resume().on('end', () => { answers += 1; ask(); });
    });
  };
  for (let at = 0; at < clients; at += 1) ask();
`;

/** The 99th percentile of one client's waiting times while the others ask for \`path\` without a pause; without one nobody does. */
const measure = async (path) => {
  const until = performance.now() + milliseconds;
  const workerData = { target: url + path, clients, milliseconds };
  const others = path === undefined ? undefined : once(new Worker(load, { eval: true, workerData }), 'message');
  const own = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = [];
  for (let at = 0; performance.now() < until; at += 1) {
    // Another node each time: the answers are made and not kept ones.
    times.push((await send('GET', `/node/${ids[at % ids.length]}?_format=json`, { through: own })).took);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  const [answers = 0] = (await others) ?? [];
  own.destroy();
  times.sort((a, b) => a - b);
  const [median, p99] = [0.5, 0.99].map((share) => times[Math.floor((times.length - 1) * share)] ?? Infinity);
  const cells = [
    `${answers} answers`,
    `median ${median.toFixed(1)} ms`,
    `p99 ${p99.toFixed(1)} ms`,
    `${await residentMegabytes()} MB`,
  ];
  print(`${(path ?? 'nobody else').padEnd(60)}${cells.map((cell) => cell.padStart(18)).join('')}`);
  return p99;
};

const residentMegabytes = async () => {
  const { readFile } = await import('node:fs/promises');
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
};

const paths = [
  `/node/${collection}/members?_format=json`,
  `/node/${collection}/members?_format=jsonld`,
  `/node/${collection}/members?_format=json&items_per_page=100&page=3`,
  `/node/${full}?_format=json`,
  `/node/${full}?_format=jsonld`,
  `/node/${full}/linkset`,
];
try {
  await measure(undefined);
  let worst = 0;
  for (const path of paths) worst = Math.max(worst, await measure(path));
  print(`${worst < goalMs ? 'met' : 'MISSED'}: p99 below ${goalMs} ms; ${worst.toFixed(1)} ms found`);
  process.exitCode = worst < goalMs ? 0 : 1;
} finally {
  agent.destroy();
  server.kill('SIGTERM');
}
