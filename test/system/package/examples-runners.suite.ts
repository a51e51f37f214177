/** The examples for Jest, Vitest and a provider, each with the package as it is packed. Run by `npm run test:suite -- examples`. */
import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectVerdict, inWorld, useExamples } from './examples.ts';
import { installCopiedExample, run } from './packed.ts';

const { folder, packed, installed, passed } = useExamples();

describe('A test with one broken request', () => {
  it.each([
    {
      runner: 'jest',
      file: 'harbour.test.js',
      text: inWorld("const atoll = require('atoll-server/jest').useAtoll();", 'atoll.world'),
      command: ['npx', 'jest', 'harbour'],
      report: 'report/junit.xml',
    },
    {
      runner: 'vitest',
      file: 'src/harbour.test.js',
      text: inWorld(
        "import { atollFixtures } from 'atoll-server/vitest';\nimport { expect, test as base } from 'vitest';\nconst test = base.extend(atollFixtures());",
        'world',
      ),
      command: [
        'npx',
        'vitest',
        'run',
        'harbour',
        '--reporter=default',
        '--reporter=junit',
        '--outputFile.junit=report/junit.xml',
      ],
      report: 'report/junit.xml',
    },
  ])('shows the verdict under it in the terminal of $runner, and in its JUnit case', async (one) => {
    await expectVerdict(await installed(one.runner), one);
  });
});

describe('The example for', () => {
  it('jest and supertest passes under jest as it comes', async () => {
    const { code, output } = await passed('jest');
    expect([code, output]).toEqual([0, expect.stringMatching(/Tests: +6 passed, 6 total/)]);
  });

  it('jest passes in a copy elsewhere, which is told where the package is', async () => {
    const place = join(folder(), 'my-tests');
    await installCopiedExample('jest', place, packed());
    const { code, output } = await run(place, 'npm', ['test'], { CI: 'true', NO_COLOR: '1' });
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
});
