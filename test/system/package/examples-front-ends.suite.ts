/** The examples of front ends, with the package as it is packed. Run by `npm run test:suite -- examples`. */
import { describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useExamples } from './examples.ts';
import { run } from './packed.ts';

/** Whether this Node is one on which `setupServer` of MSW 3 works. */
const canIntercept = 'withResolvers' in Promise;

const { installed, passed } = useExamples();

describe('The example for', () => {
  it('a front end with MSW passes: its page without a mock, its tests, and its stories in Chromium', async () => {
    const place = await installed('front-end-msw');
    const ran = async (...args: string[]): Promise<string> => {
      const { code, output } = await run(place, 'npm', args, { CI: 'true', NO_COLOR: '1' });
      process.stdout.write(`\nfront-end-msw: npm ${args.join(' ')}\n${output}\n`);
      expect([args, code]).toEqual([args, 0]);
      return output;
    };
    await ran('run', 'build');
    const names = await readdir(join(place, 'dist/assets'));
    const page = (await Promise.all(names.map((name) => readFile(join(place, 'dist/assets', name), 'utf8')))).join('');
    expect(page).toContain('https://repository.example.org');
    expect(page).not.toMatch(/mockServiceWorker|Saltmarsh Quay/);
    await ran('run', 'build:stories');
    expect((await ran('run', 'test:stories')).match(/^passed /gm)).toHaveLength(8);
    expect(await ran('test')).toMatch(/Tests +5 passed/);
    if (!canIntercept) return;
    await ran('install', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error', 'msw@3.0.5');
    expect(await ran('test')).toMatch(/Tests +5 passed/);
  });

  it('a page passes unchanged on a mock that remembers and on a handler, and fails on a mock that forgets', async () => {
    const { code, output, place } = await passed('remembering');
    expect([code, output]).toEqual([0, expect.stringMatching(/Tests +8 passed \(8\)[^]*Tests +10 passed \(10\)/)]);
    const forgetful = await run(place, 'npm', ['run', 'test:stateless'], { CI: 'true', NO_COLOR: '1' });
    expect([forgetful.code, forgetful.output]).toEqual([
      1,
      expect.stringMatching(/expected 7 to be greater than 7[^]*Tests +1 failed/),
    ]);
    expect((await run(place, 'npx', ['vite', 'build'])).code).toBe(0);
  });
});
