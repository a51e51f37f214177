/**
 * Which tool finds which of the planted bugs: `node test/verify/compare-tools.mjs [--seconds n] [--only tool] [mutant …]`.
 * Prism's proxy and ours get the very requests that show the bug. Schemathesis gets the operations of these requests, the account,
 * and some seconds. `atoll verify` gets the address alone; what it found comes from `npm run test:suite -- verify`. The result stands
 * in `coverage/compare/table.json`, and as Markdown on standard output.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { loadMutants, root, work } from './compare/bundled-mutants.mjs';
import { operationFinder } from './compare/operations.mjs';
import { prismVersion } from '../support/prism.mjs';
import { byAtollProxy, byPrism } from './compare/proxies.mjs';
import { failuresOf, installSchemathesis, schemathesisVersion } from './compare/schemathesis.mjs';
import { markdownOf } from './compare/table.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '6' }, only: { type: 'string' } },
});
const log = (text) => process.stderr.write(`${text}\n`);
/** Schemathesis judges bodies by the document alone, and logs in wrongly very often. */
const changeSite = (yaml) => yaml.replace(/^leniency:.*$/m, 'leniency: none').replace(/^flood:.*$/m, 'flood: off');

mkdirSync(work, { recursive: true });
const planted = await loadMutants();
const { mutants, sendOver, startSwitchable } = planted;
const chosen = mutants.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
if (chosen.length === 0) throw new Error(`There is no mutant ${positionals.join(', ')}.`);

/** The requests of a witness: their operations, and the account of the last one with a name. */
const requestsOf = async (server, mutant, operationOf) => {
  const operations = new Set();
  let account;
  await server.become(mutant);
  const send = sendOver(server.url, (_reply, method, path) => operations.add(operationOf(method, path)));
  const noting = (method, path, sending = {}) => {
    account = sending.as ?? account;
    return send(method, path, sending);
  };
  await Promise.resolve(mutant.witness(noting)).catch(() => undefined);
  return { operations: [...operations].filter((id) => id !== undefined), account };
};

/** What Schemathesis reports of a healthy server, as any account that witnesses use. Nothing of that finds a planted bug. */
const falseAlarmsOf = async (tool) => {
  const server = await startSwitchable({ changeSite });
  const found = new Set();
  for (const account of [undefined, 'viewer', 'editor', 'admin']) {
    const asked = { url: server.url, operations: [], account, seconds: Number(values.seconds) * 4, worker: 'healthy' };
    for (const failure of await failuresOf(tool, asked)) found.add(failure);
  }
  await server.stop();
  return found;
};

/** Two workers for two cores. */
const bySchemathesis = async () => {
  const tool = installSchemathesis();
  const falseAlarms = await falseAlarmsOf(tool);
  log(`of a healthy server: ${[...falseAlarms].join('; ') || 'nothing'}`);
  const waiting = chosen.values();
  const results = new Map();
  const runWorker = async (worker) => {
    const server = await startSwitchable({ changeSite });
    const operationOf = operationFinder(await (await fetch(`${server.url}/openapi.json`)).json());
    for (const mutant of waiting) {
      const { operations, account } = await requestsOf(server, mutant, operationOf);
      await server.become(mutant);
      const asked = { url: server.url, operations, account, seconds: values.seconds, worker };
      const failures = operations.length === 0 ? [] : await failuresOf(tool, asked);
      results.set(mutant.name, { found: failures.filter((failure) => !falseAlarms.has(failure)), operations });
      log(`${results.size} of ${chosen.length}: ${mutant.name}: ${results.get(mutant.name).found.join('; ') || '-'}`);
    }
    await server.stop();
  };
  await Promise.all([runWorker(0), runWorker(1)]);
  return results;
};

/** What the last `npm run test:suite -- verify` found, by mutant. */
const byVerify = () => {
  const file = join(root, 'coverage/verify/mutants.json');
  if (!existsSync(file))
    throw new Error('Run npm run test:suite -- verify first: its findings are a column of the table.');
  return new Map(JSON.parse(readFileSync(file, 'utf8')).map(({ name, found }) => [name, { found }]));
};

const tools = {
  verify: { run: byVerify },
  proxy: { run: () => byAtollProxy(chosen, planted, root) },
  prism: { run: () => byPrism(chosen, planted), version: prismVersion },
  schemathesis: { run: bySchemathesis, version: () => schemathesisVersion(installSchemathesis()) },
};

const file = join(work, 'table.json');
/** Another run may have written a column meanwhile. */
const readTable = () => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {});
for (const [name, { run, version }] of Object.entries(tools)) {
  if (values.only !== undefined && values.only !== name) continue;
  const began = performance.now();
  const results = await run();
  const seconds = Math.round((performance.now() - began) / 1000);
  const column = { version: version?.(), seconds, results: Object.fromEntries(results) };
  writeFileSync(file, JSON.stringify({ ...readTable(), [name]: column }, undefined, 1));
}
process.stdout.write(markdownOf(chosen, readTable()));
