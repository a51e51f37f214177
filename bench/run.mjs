/**
 * Measures Atoll beside alternatives (`npm run bench`; `-- --short` takes at most 3 minutes): medians of interleaved rounds,
 * with every reply checked, as ratios against the goals. Marks missed goals. Ends with 1 when a reply is wrong.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { fetchOnce, headLoad, startContender } from './contenders.mjs';
import { firstCopy, makeFixture, titleOf } from './fixture.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const isShort = process.argv.includes('--short');
const rounds = isShort ? 3 : 7;
const seconds = isShort ? 1 : 3;
const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const run = (command, ...args) => {
  const { status } = spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
};
const log = (text) => process.stderr.write(`${text}\n`);

log('building, installing contenders, making fixtures');
run('npm', 'run', '--silent', 'build');
run('npm', 'ci', '--prefix', 'bench', '--no-audit', '--no-fund', '--silent');
const [one, thousand, many] = await Promise.all([1, 1000, 100_000].map((count) => makeFixture(root, folder, count)));

const path = `/node/${firstCopy}?_format=json`;
const atoll = (...args) => {
  return (port) => ['dist/main.js', 'serve', '--log-level', 'silent', '--port', String(port), ...args];
};
const base = 'http://localhost:8000';
const inMemory = (fixture, ...more) => atoll('--memory', '--base-url', base, '--fixture', fixture, ...more);
/** The goals for reading assume that the access log is off. */
const unwatched = ['--traffic', '0'];

log('starting');
const small = await startContender('Atoll, unwatched', inMemory(one, ...unwatched), path);
const recorded = join(folder, 'answer.json');
const document = join(folder, 'openapi.json');
const answer = await fetchOnce(small.port, path);
const headers = {};
for (let at = 0; at < answer.raw.length; at += 2) {
  const [name, value] = answer.raw.slice(at, at + 2);
  if (!/^(date|connection|keep-alive)$/i.test(name))
    headers[name] = name in headers ? [headers[name], value].flat() : value;
}
writeFileSync(recorded, JSON.stringify({ headers, body: answer.body }));
writeFileSync(document, JSON.stringify(JSON.parse(readFileSync('dist/prepared.json', 'utf8')).document));
writeFileSync(join(folder, 'db.json'), JSON.stringify({ node: [{ id: firstCopy, ...JSON.parse(answer.body) }] }));

const bare = (kind) => (port) => ['bench/bare-server.mjs', kind, String(port), recorded, document];
const prism = (port) => ['bench/node_modules/@stoplight/prism-cli/dist/index.js', 'mock', '-p', String(port), document];
const jsonServer = (port) => [
  'bench/node_modules/json-server/lib/cli/bin.js',
  '-q',
  '-p',
  String(port),
  join(folder, 'db.json'),
];
const data = join(folder, 'data');
const durable = atoll('--data', data, '--base-url', base, '--fixture', thousand);

const others = [
  await startContender('bare node:http', bare('http'), path),
  await startContender('bare express', bare('express'), path),
  await startContender('openapi-backend + express', bare('openapi-backend'), path),
  await startContender('Prism mock', prism, path),
  await startContender('json-server', jsonServer, `/node/${firstCopy}`),
];
const watched = await startContender('Atoll', inMemory(one), path);
const stored = await startContender('Atoll, 1,000 nodes on disk', durable, path);
const large = await startContender('Atoll, 100,000 nodes', inMemory(many, ...unwatched), path);
await new Promise((resolve) => setTimeout(resolve, 1000));
const weighed = [watched, small, others[1]];
const idle = new Map(weighed.map((server) => [server.name, server.rssMb()]));

const basic = { authorization: `Basic ${Buffer.from('admin:islandora').toString('base64')}` };
const bearerOf = async ({ port }) => {
  const { body } = await fetchOnce(port, '/jwt/token', basic);
  return { authorization: `Bearer ${JSON.parse(body).token}` };
};
const json = { ...basic, 'content-type': 'application/json' };
const nodeBody = (title) => JSON.stringify({ type: [{ target_id: 'islandora_object' }], title: [{ value: title }] });
const newNode = JSON.stringify({
  ...JSON.parse(nodeBody('New')),
  field_model: [{ target_id: 23 }],
});
const randomId = (count) => firstCopy + Math.floor(Math.random() * count);
const get = (count) => ({
  setupRequest: (request) => ({ ...request, method: 'GET', path: `/node/${randomId(count)}?_format=json` }),
});
const patch = (count) => ({
  setupRequest: (request) => {
    const id = randomId(count);
    return {
      ...request,
      method: 'PATCH',
      path: `/node/${id}?_format=json`,
      headers: json,
      body: nodeBody(titleOf(id)),
    };
  },
});
const fixed = (server, wanted, sent = {}) => ({ server, path: wanted, headers: sent, exact: true, status: 200 });
const isNode = (body) => body.startsWith('{"nid":[{"value":') && body.includes('"value":"Copy ');
let upload = 0;

/** The measured requests. Every reply must have `status`. `isRight` checks its body, `exact` compares it. */
const questions = {
  'GET node': fixed(small, path),
  ...Object.fromEntries(
    others.map((server) => [
      `GET node: ${server.name}`,
      fixed(server, server.name === 'json-server' ? `/node/${firstCopy}` : path),
    ]),
  ),
  'GET node, watched': fixed(watched, path),
  'GET node, Basic': fixed(small, path, basic),
  'GET node, Bearer': fixed(small, path, await bearerOf(small)),
  'GET media, Basic': fixed(small, '/media/1?_format=json', basic),
  'GET node as jsonld': fixed(small, `/node/${firstCopy}?_format=jsonld`),
  'HEAD node': { server: small, path, method: 'HEAD', status: 200 },
  'GET 404': {
    server: small,
    path: '/node/999999?_format=json',
    status: 404,
    isRight: (body) => body.includes('message'),
  },
  'GET node of 1,000, random': { server: stored, requests: [get(1000)], status: 200, isRight: isNode },
  'GET node of 100,000, same': fixed(large, path),
  'GET node of 100,000, random': { server: large, requests: [get(100_000)], status: 200, isRight: isNode },
  '90 % GET, 10 % PATCH of 1,000': {
    ...{ server: stored, status: 200, isRight: isNode },
    requests: [...Array.from({ length: 9 }, () => get(1000)), patch(1000)],
  },
  'PATCH node (durable)': { server: stored, requests: [patch(1000)], status: 200, isRight: isNode },
  'POST node (durable)': {
    ...{
      server: stored,
      path: '/node?_format=json',
      method: 'POST',
      headers: json,
      body: newNode,
      status: 201,
    },
    isRight: (body) => body.includes('"value":"New"'),
  },
  'PUT 64 KiB (durable)': {
    ...{ server: stored, status: 201, isRight: (body) => body === '' || body.startsWith('{"mid"') },
    requests: [
      {
        setupRequest: (request) => ({
          ...{
            ...request,
            method: 'PUT',
            path: `/node/${firstCopy + ((upload += 1) % 1000)}/media/file/16`,
            body: 'x'.repeat(65_536),
          },
          headers: { ...basic, 'content-type': 'text/plain', 'content-location': `public://bench/${upload}.txt` },
        }),
      },
    ],
    statuses: [201, 204],
  },
};

const expected = new Map();
for (const [name, { server, path: wanted, headers: sent, exact }] of Object.entries(questions)) {
  if (exact) expected.set(name, (await fetchOnce(server.port, wanted, sent)).body);
}

const ask = async (name, duration) => {
  const { server, status, statuses = [status], isRight, path: wanted = '/', ...sent } = questions[name];
  const before = server.cpuMs();
  const right = expected.get(name);
  if (sent.method === 'HEAD') {
    const { answered, right: good } = await headLoad(server.port, wanted, duration);
    if (good !== answered || answered === 0) throw new Error(`${name}: ${answered - good} of ${answered} answers`);
    return { perSecond: answered / duration, cpuUs: ((server.cpuMs() - before) * 1000) / answered, p99: 0 };
  }
  const result = await autocannon({
    ...{ url: `http://127.0.0.1:${server.port}${wanted}`, connections: 20, duration, timeout: 30 },
    ...{ method: sent.method ?? 'GET', headers: sent.headers, body: sent.body, requests: sent.requests },
    verifyBody: right === undefined ? isRight : (body) => body === right,
  });
  const answered = result.requests.total;
  const good = statuses.reduce((sum, code) => sum + (result.statusCodeStats[code]?.count ?? 0), 0);
  if (good !== answered || result.errors + result.mismatches + result.timeouts > 0 || answered === 0) {
    const seen = JSON.stringify(result.statusCodeStats);
    throw new Error(
      `${name}: ${answered - good} of ${answered} answers ${seen}, ${result.mismatches} bodies, ${result.errors} errors`,
    );
  }
  return {
    perSecond: answered / result.duration,
    cpuUs: ((server.cpuMs() - before) * 1000) / answered,
    p99: result.latency.p99,
  };
};

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const results = new Map(Object.keys(questions).map((name) => [name, []]));
for (const name of results.keys()) await ask(name, 1);
for (let round = 1; round <= rounds; round += 1) {
  log(`round ${round} of ${rounds}`);
  // Each round starts with another server, because the one after the writes pays for them.
  const names = [...results.keys()];
  const first = Math.floor((names.length * (round - 1)) / rounds);
  for (const name of [...names.slice(first), ...names.slice(0, first)])
    results.get(name).push(await ask(name, seconds));
}
const loaded = new Map(weighed.map((server) => [server.name, server.rssMb()]));
for (const server of [small, watched, stored, large, ...others]) await server.stop();

log('starts');
const starter = '/node/1?_format=json';
const existing = atoll('--data', join(folder, 'existing'), '--base-url', base);
await (await startContender('Atoll', existing, starter)).stop();
const starts = {
  'bare express': [bare('express'), path],
  'Atoll, starter fixture in memory': [atoll('--memory'), starter],
  'Atoll, existing data directory': [existing, starter],
  'Prism mock': [prism, path],
};
const startTimes = new Map(Object.keys(starts).map((name) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  for (const [name, [args, wanted]] of Object.entries(starts)) {
    const server = await startContender(name, args, wanted);
    startTimes.get(name).push(server.startMs);
    await server.stop();
  }
}

const figure = (name, of = 'perSecond') => median(results.get(name).map((result) => result[of]));
const table = (rows) => rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
const whole = (value) => Math.round(value).toLocaleString('en');
const floor = 'GET node: bare express';
const lines = [...results.keys()].map((name) => [
  ...[name, whole(figure(name)), figure(name, 'cpuUs').toFixed(0), figure(name, 'p99').toFixed(0)],
  ...[floor, 'GET node: bare node:http'].map((other) => (figure(name) / figure(other)).toFixed(2)),
  (figure(floor, 'cpuUs') / figure(name, 'cpuUs')).toFixed(2),
]);
const starting = (name) => median(startTimes.get(name));
const inverse = (value, other) => value / other;
/** Compares `name` with `other` by replies a second and by processor time. A slow load generator distorts only the first. */
const ratio = (title, name, other, goal) => [
  ...[title, figure(name) / figure(other), '≥', goal],
  figure(other, 'cpuUs') / figure(name, 'cpuUs'),
];
const random = 'GET node of 100,000, random';
const goals = [
  ratio('GET node × bare express', 'GET node', floor, 0.8),
  ratio('GET node, watched × bare express', 'GET node, watched', floor, 0.8),
  ratio('GET node × openapi-backend + express', 'GET node', 'GET node: openapi-backend + express', 3.5),
  ratio('GET node × Prism', 'GET node', 'GET node: Prism mock', 6),
  ratio('Basic × anonymous', 'GET node, Basic', 'GET node', 0.8),
  ratio('Bearer × anonymous', 'GET node, Bearer', 'GET node', 0.8),
  ratio('100,000 nodes, same id × 1 node', 'GET node of 100,000, same', 'GET node', 0.9),
  ratio('100,000 nodes, random ids × 1 node', random, 'GET node', 0.5),
  ratio('100,000 nodes, random ids × bare express', random, floor),
  ratio('90/10 × pure reads', '90 % GET, 10 % PATCH of 1,000', 'GET node of 1,000, random', 0.5),
  ['start, ms', starting('Atoll, starter fixture in memory'), '≤', 300],
  ['start × bare express', inverse(starting('Atoll, starter fixture in memory'), starting('bare express')), '≤', 2.5],
  ['start × Prism', inverse(starting('Atoll, starter fixture in memory'), starting('Prism mock')), '≤', 0.5],
  ['start on existing data, ms', starting('Atoll, existing data directory'), '≤', 300],
  ['RSS idle × bare express', idle.get('Atoll') / idle.get('bare express'), '≤', 2],
  ['RSS loaded × bare express', loaded.get('Atoll') / loaded.get('bare express'), '≤', 1.6],
].map(([name, value, sign, goal, byCpu]) => {
  const shown = [name, value >= 10 ? whole(value) : value.toFixed(2), byCpu === undefined ? '' : byCpu.toFixed(2)];
  if (goal === undefined) return [...shown, '', ''];
  const isMet = sign === '≥' ? value >= goal : value <= goal;
  return [...shown, `${sign} ${goal}`, isMet ? 'yes' : 'MISSED'];
});

process.stdout.write(
  [
    `${rounds} interleaved rounds of ${seconds} s, 20 connections, ${cpus().length} × ${cpus()[0].model.trim()}, Node ${process.version}, load ${loadavg()[0].toFixed(1)}`,
    `The node has ${answer.body.length} bytes and ${[headers['Link']].flat().length} Link headers.\n`,
    table([
      ['Question', 'answers/s', 'CPU µs', 'p99 ms', '× express', '× node:http', '× express by CPU'],
      Array(7).fill('---'),
      ...lines,
    ]),
    '',
    table([['Start', 'ms'], ['---', '---'], ...[...startTimes.keys()].map((name) => [name, whole(starting(name))])]),
    '',
    table([
      ['Memory', 'idle MB', 'loaded MB'],
      ['---', '---', '---'],
      ...[...idle.keys()].map((name) => [name, whole(idle.get(name)), whole(loaded.get(name))]),
    ]),
    '',
    table([['Goal', 'measured', 'by CPU', 'wanted', 'met'], Array(5).fill('---'), ...goals]),
    '',
  ].join('\n'),
);
