/** A jest reporter: which status of which operation the tests have met, and a failure when one is missing. */
import { readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { withHeadOperations } from '../../scripts/import-source.mjs';

/** A run has a folder of its own, since another one may go on at the same time. Its workers find it in their environment. */
const folder = join('coverage', `contract-${process.pid}`);

export default class ContractCoverage {
  constructor(globalConfig) {
    const { testPathPatterns, testNamePattern, shard } = globalConfig;
    this.isWholeRun = testPathPatterns.patterns.length === 0 && !testNamePattern && !shard;
    if (this.isWholeRun) process.env['ATOLL_TEST_COVERAGE'] = folder;
  }

  onRunStart() {
    rmSync(folder, { recursive: true, force: true });
  }

  async onRunComplete() {
    if (!this.isWholeRun) return;
    const met = readMet();
    rmSync(folder, { recursive: true, force: true });
    const rows = (await documented()).map(({ id, statuses }) => ({
      id,
      cells: statuses.map((status) => ({ status, met: met.has(`${id} ${status}`) })),
    }));
    const cells = rows.flatMap((row) => row.cells);
    const missing = rows.flatMap(({ id, cells: own }) =>
      own.filter((cell) => !cell.met).map(({ status }) => `${id} ${status}`),
    );
    const table = rows.map(({ id, cells: own }) => `  ${id.padEnd(20)} ${own.map(mark).join(' ')}`);
    process.stdout.write(
      [
        `\nContract coverage: ${cells.length - missing.length} of ${cells.length} statuses of ${rows.length} operations`,
        ...table,
        missing.length === 0 ? 'complete\n' : `NOT MET: ${missing.join(', ')}\n`,
      ].join('\n'),
    );
    if (missing.length > 0) this.error = new Error('The tests do not meet every documented status.');
  }

  getLastError() {
    return this.error;
  }
}

const mark = ({ status, met }) => (met ? String(status) : `(${status})`);

const readMet = () => {
  try {
    return new Set(readdirSync(folder).flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n')));
  } catch {
    return new Set();
  }
};

const methods = ['get', 'head', 'post', 'patch', 'delete', 'put'];

const read = (file) => parse(readFileSync(file, 'utf8'));

const documented = async () =>
  [await withHeadOperations(read('openapi.yaml')), read('src/server/control/openapi.yaml')].flatMap(({ paths }) =>
    Object.values(paths).flatMap((item) =>
      methods.flatMap((method) =>
        item[method] === undefined
          ? []
          : [{ id: item[method].operationId, statuses: Object.keys(item[method].responses) }],
      ),
    ),
  );
