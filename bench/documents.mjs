/**
 * Documents of one's own: a mock beside an Express that calls the same compiled schemas, and how soon a document is served.
 *
 *     npm run bench:suite -- documents [--rounds 5]
 *
 * Ends with 1 when a goal is missed.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { stringify } from 'yaml';
import { createAsk } from './ask.mjs';
import { fetchOnce, startContender } from './contenders.mjs';
import { madeDocument } from './documents/made-document.mjs';
import { median } from './goals.mjs';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' } } });
const rounds = Number(values.rounds);
const folder = mkdtempSync(join(tmpdir(), 'atoll-bench-documents-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const log = (text) => process.stderr.write(`${text}\n`);

const written = (name, text) => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
const atoll = (file) => (port) => [
  ...['dist/main.js', 'serve', '--document', file, '--memory', '--traffic', '0', '--log-level', 'silent'],
  ...['--no-watch', '--port', String(port)],
];

const small = madeDocument(50);
const smallYaml = written('small.yaml', stringify(small));
const smallJson = written('small.json', JSON.stringify(small));
const large = madeDocument(1000, 5 * 1024 * 1024);
const largeText = stringify(large);
const largeYaml = written('large.yaml', largeText);
const largeJson = written('large.json', JSON.stringify(large));

const path = '/items3/7?page=2&tag=sea&tag=quay';

/** Processor time for each request in microseconds, and requests a second, of both servers in the same rounds. */
const measureMocks = async () => {
  const server = await startContender('Atoll', atoll(smallYaml), path);
  const { body } = await fetchOnce(server.port, path);
  const answerFile = written('answer.json', body);
  const baseline = await startContender(
    'Express',
    (port) => ['bench/documents/checked-server.mjs', smallJson, answerFile, String(port)],
    path,
  );
  const sent = {
    path: '/items3/7',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    status: 200,
  };
  const questions = {
    'GET Atoll': { server, path, status: 200, exact: true },
    'GET Express': { server: baseline, path, status: 200, exact: true },
    'POST Atoll': { server, ...sent },
    'POST Express': { server: baseline, ...sent },
  };
  const ask = await createAsk(questions);
  const figures = new Map(Object.keys(questions).map((name) => [name, []]));
  for (let round = 0; round <= rounds; round += 1) {
    log(round === 0 ? 'warming up' : `round ${round} of ${rounds}`);
    for (const name of Object.keys(questions)) {
      const figure = await ask(name, 1);
      if (round > 0) figures.get(name).push(figure);
    }
  }
  await Promise.all([server.stop(), baseline.stop()]);
  return (method) =>
    Object.fromEntries(
      ['Atoll', 'Express'].map((name) => {
        const all = figures.get(`${method} ${name}`);
        return [
          name,
          { cpuUs: median(all.map(({ cpuUs }) => cpuUs)), perSecond: median(all.map(({ perSecond }) => perSecond)) },
        ];
      }),
    );
};

/** Medians of the time and processor time until the first answer, and of the memory then. */
const measureStarts = async (starts) => {
  const figures = starts.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { name, args, path: asked }] of starts.entries()) {
      const began = performance.now();
      const server = await startContender(name, args, asked);
      figures[index].push({ readyMs: performance.now() - began, cpuMs: server.cpuMs(), rssMb: server.rssMb() });
      await server.stop();
    }
  }
  return figures.map((all) => ({
    readyMs: median(all.map(({ readyMs }) => readyMs)),
    cpuMs: median(all.map(({ cpuMs }) => cpuMs)),
    rssMb: median(all.map(({ rssMb }) => rssMb)),
  }));
};

const mocks = await measureMocks();
log('starts');
const reply = written('reply.json', JSON.stringify({ route: '/items3/:id', status: 200, headers: {}, body: '{}' }));
const [bare, fifty, thousand, thousandJson] = await measureStarts([
  { name: 'bare express', args: (port) => ['bench/bare-server.mjs', 'express', String(port), reply], path },
  { name: '50 operations', args: atoll(smallYaml), path },
  { name: '1,000 operations', args: atoll(largeYaml), path },
  { name: '1,000 operations, JSON', args: atoll(largeJson), path },
]);

const number = (value, digits = 0) => value.toFixed(digits);
const rows = ['GET', 'POST'].map((method) => {
  const { Atoll, Express } = mocks(method);
  const ratio = Express.cpuUs / Atoll.cpuUs;
  const figure = `${number(ratio, 2)} x; ${number(Atoll.cpuUs)} and ${number(Express.cpuUs)} µs, ${number(Atoll.perSecond)} and ${number(Express.perSecond)} a second`;
  return [`${method}: a mock, beside Express with the same compiled schemas`, figure, '>= 1.0 x', ratio >= 1];
});
const startRow = (name, { readyMs, cpuMs, rssMb }, goal, isMet) => [
  name,
  `${number(readyMs)} ms (processor ${number(cpuMs)} ms), ${number(rssMb)} MB`,
  goal,
  isMet,
];
rows.push(startRow('ready: bare Express', bare, '', true));
rows.push(startRow('ready: 50 operations', fifty, '<= 2 x bare', fifty.readyMs <= 2 * bare.readyMs));
const megabytes = number(Buffer.byteLength(largeText) / 1024 / 1024, 1);
const isSoon = (figure) => figure.readyMs <= 1500 && figure.rssMb <= 250;
rows.push(
  startRow(`ready: 1,000 operations, YAML of ${megabytes} MB`, thousand, '<= 1.5 s, <= 250 MB', isSoon(thousand)),
);
rows.push(startRow('ready: the same as JSON', thousandJson, '<= 1.5 s, <= 250 MB', isSoon(thousandJson)));

process.stdout.write('| What | Figure | Goal | Met |\n| --- | --- | --- | --- |\n');
for (const [name, figure, goal, isMet] of rows)
  process.stdout.write(`| ${name} | ${figure} | ${goal} | ${isMet ? 'yes' : 'NO'} |\n`);
process.stdout.write(
  `\nLoad of the machine: ${loadavg()
    .map((each) => number(each, 1))
    .join(' ')}\n`,
);
if (rows.some(([, , , isMet]) => !isMet)) process.exitCode = 1;
