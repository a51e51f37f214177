/** The example suites, each with the package as it is packed. Run by `npm run test:examples`. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';
import { installExample, pack, removeFolder, run, temporaryFolder, type Packed } from './packed.ts';

let folder: string;
let packed: Packed;

beforeAll(async () => {
  folder = await temporaryFolder();
  packed = await pack(folder);
}, 120_000);

afterAll(() => removeFolder(folder));

/** Runs `npm test` as its readers would, and shows what it said. */
const passed = async (name: string): Promise<{ code: number; output: string; place: string }> => {
  const place = join(folder, name);
  await installExample(name, place, packed);
  const { code, output } = await run(place, 'npm', ['test'], {
    PAGE_PORT: String(await freePort()),
    CI: 'true',
    NO_COLOR: '1',
  });
  process.stdout.write(`\n${name}\n${output}\n`);
  return { code, output, place };
};

describe('The example for', () => {
  it('jest and supertest passes under jest as it comes', async () => {
    const { code, output } = await passed('jest');
    expect([code, output]).toEqual([0, expect.stringMatching(/Tests: +6 passed, 6 total/)]);
  });

  it('vitest passes, and its types hold', async () => {
    const { code, output } = await passed('vitest');
    expect([code, output]).toEqual([0, expect.stringMatching(/Tests +5 passed/)]);
  });

  it('a provider passes, and leaves its reports', async () => {
    const { code, output, place } = await passed('provider');
    expect([code, output]).toEqual([0, expect.stringMatching(/Everything that was made is removed[^]* 0 failed/)]);
    expect(await readFile(join(place, 'report/contract.junit.xml'), 'utf8')).toContain('<testsuites');
    expect(await readFile(join(place, 'report/contract.html'), 'utf8')).toContain('</html>');
    const workflow = await readFile(join(place, '.github/workflows/contract.yml'), 'utf8');
    const { scripts } = JSON.parse(await readFile(join(place, 'package.json'), 'utf8')) as { scripts: object }; // our own file
    const named = [...workflow.matchAll(/run: npm run (\S+)/g)].map(([, name]) => name);
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(named));
  });

  it('Playwright passes with four workers on one server, and leaves its reports', async () => {
    const { code, output, place } = await passed('playwright');
    expect([code, output]).toEqual([0, expect.stringMatching(/using 4 workers[^]*13 passed/)]);
    expect(await readFile(join(place, 'report/coverage.html'), 'utf8')).toContain('</html>');
    expect(await readFile(join(place, 'report/coverage.junit.xml'), 'utf8')).toContain('<testsuites');
    const { answers } = JSON.parse(await readFile(join(place, 'report/coverage.json'), 'utf8')) as {
      answers: { operation: string }[];
    }; // what --report json writes
    expect(answers.map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['getNode', 'updateNode', 'login']),
    );
  });
});
