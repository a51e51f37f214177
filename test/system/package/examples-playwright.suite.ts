/** The example for Playwright, with the package as it is packed. Run by `npm run test:suite -- examples`. */
import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expectVerdict, inWorld, useExamples } from './examples.ts';

const { installed, passed } = useExamples();

describe('A test with one broken request', () => {
  it('shows the verdict under it in the terminal of playwright, and in its JUnit case', async () => {
    await expectVerdict(await installed('playwright'), {
      runner: 'playwright',
      file: 'tests/harbour.spec.js',
      text: inWorld("import { expect, test } from './world.js';", 'world'),
      command: ['npx', 'playwright', 'test', 'harbour'],
      report: 'report/tests.junit.xml',
    });
  });
});

describe('The example for', () => {
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
