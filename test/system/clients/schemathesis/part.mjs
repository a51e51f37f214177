/**
 * Schemathesis as a stranger runs it, as an owner of records and as the administrator: with no hooks, one rule for answers
 * and no words of ours to try. What it is told besides the address is read from the document: which refusals no schema can
 * say (`x-beyond-schema`), and which come before the challenge (`x-before-401`).
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeSite } from '../../fuzz/server.mjs';
import { prepareTool } from '../../fuzz/tool.mjs';
import { startAtoll } from '../support/atoll.mjs';
import { run as runProgram } from '../support/shell.mjs';

const identities = { owner: 'editor:editor', admin: 'admin:islandora' };
/** At most so many random requests to each operation, and so many chains of requests. */
const cases = 12;
/** A run that takes longer hangs. */
const longestSeconds = 600;

/** Those that Schemathesis expects of a right request without being told. */
const usual = ['2xx', '3xx', '401', '403', '404', '409', '429', '5xx'];

/** Bodies are held to their schemas, and no wrong guess of a password stops the others. */
const prepareSite = (folder) => writeSite(folder);

export const run = async ({ folder, keep }) => {
  const tool = prepareTool();
  const site = prepareSite(folder);
  const found = await Promise.all(
    Object.entries(identities).map(([name, credentials]) => runAs({ name, credentials, tool, site, folder, keep })),
  );
  return found.flat();
};

const runAs = async ({ name, credentials, tool, site, folder, keep }) => {
  const { url, stop } = await startAtoll('--site', site);
  const address = `${url}/openapi.json`;
  const config = join(folder, `${name}.toml`);
  const report = join(folder, `${name}.json`);
  writeFileSync(config, configOf(await (await fetch(address)).json()));
  const given = ['--config-file', config, 'run', address, '--auth', credentials, '--seed', '1', '--no-color'];
  const limits = ['--max-examples', String(cases), '--report', 'json', '--report-json-path', report];
  const { code, output } = await runProgram(tool, [...given, ...limits], { folder, seconds: longestSeconds });
  keep(`${name}.txt`, output);
  return [...faultsOf(report, code, explainedIn(output)), ...(await stop())].map((fault) => `${name}: ${fault}`);
};

/** It guesses links from names too, and takes an id for the list that holds it. The document has links of its own. */
const settings = `request-timeout = 20
continue-on-failure = true
[cache]
enabled = false
[phases.stateful.inference]
algorithms = []
`;

/** TOML, which needs no more here than tables, texts and lists. */
const configOf = (document) => {
  const operations = Object.values(document.paths).flatMap((item) =>
    Object.values(item).filter(({ operationId }) => operationId !== undefined),
  );
  const follow = ({ $ref, ...own }) =>
    $ref === undefined ? own : document.components.responses[$ref.split('/').at(-1)];
  const having = ({ responses }, note) => Object.keys(responses).filter((status) => note in follow(responses[status]));
  const table = (id, check, setting) =>
    `[[operations]]\ninclude-operation-id = "${id}"\n[operations.checks.${check}]\n${setting}\n`;
  return [
    settings,
    ...operations.flatMap((operation) => {
      const statuses = having(operation, 'x-beyond-schema');
      const expected = JSON.stringify([...usual, ...statuses]);
      return [
        ...(statuses.length === 0
          ? []
          : [table(operation.operationId, 'positive_data_acceptance', `expected-statuses = ${expected}`)]),
        ...(having(operation, 'x-before-401').length === 0
          ? []
          : [table(operation.operationId, 'ignored_auth', 'enabled = false')]),
      ];
    }),
  ].join('\n');
};

const acceptedWrong = 'Schema-violating request accepted';

/**
 * How many findings of each title are none: that the last of several `_format` is empty and accepted (`allowEmptyValue` says so of
 * one alone; the last one counts), and that an address was too long for any operation (414, RFC 9110 §15.5.15).
 */
const explainedIn = (output) => {
  const counts = new Map();
  for (const found of output.split(/^\d+\. Test Case ID/m).slice(1)) {
    const isTooLong = /^\[414\] /m.test(found);
    const isEmptyFormat = /[?&]_format=[^' ]*&_format='\s*$/m.test(found);
    for (const [, title] of found.matchAll(/^- ST\d+ (.+)$/gm))
      if (isTooLong || (isEmptyFormat && title === acceptedWrong)) counts.set(title, (counts.get(title) ?? 0) + 1);
  }
  return counts;
};

const faultsOf = (file, code, explained) => {
  if (!existsSync(file)) return [`Schemathesis wrote no report; it ended with ${code}`];
  const { operations, failures, test_cases: tried, stop_reason: reason } = JSON.parse(readFileSync(file, 'utf8'));
  return [
    ...(reason === 'completed' ? [] : [`Schemathesis was stopped: ${reason}`]),
    ...failures
      .filter(({ title, count }) => count > (explained.get(title) ?? 0))
      .map(({ title, count, operations: where }) => `${title}: ${count} (${where.join(', ')})`),
    ...(code === 0 || failures.length > 0 ? [] : [`Schemathesis ended with ${code}`]),
    ...(operations.tested < operations.total
      ? [`only ${operations.tested} of ${operations.total} operations were tested`]
      : []),
    ...(tried.generated < 2 * operations.total ? [`only ${tried.generated} requests were made`] : []),
    ...(tried.errored === 0 ? [] : [`${tried.errored} cases could not be run`]),
  ];
};
