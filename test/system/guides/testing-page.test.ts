/** `docs/use/testing.md`: what it shows of the examples is what stands there. Its snippets run in `test/system/package`. */
import { describe, expect, it } from '@jest/globals';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startAtoll } from '../../../src/cli/entries/atoll.ts';
import { root } from '../../support/atoll.ts';

const page = await readFile(join(root, 'docs/use/testing.md'), 'utf8');

/** The code below a heading. */
const codeOf = (heading: string, language: string): string =>
  new RegExp(`^## ${heading}$[^]*?^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'm').exec(page)?.[1] ?? '';

describe('The page on testing', () => {
  it.each([
    ['Jest', 'js', 'jest/scans.test.js'],
    ['Vitest', 'ts', 'vitest/src/theses.test.ts'],
    ['Playwright', 'js', 'playwright/tests/world.js'],
  ])('shows of the example for %s what stands there', async (heading, language, file) => {
    const lines = codeOf(heading, language).split('\n');
    const example = await readFile(join(root, 'examples', file), 'utf8');
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.filter((line) => !example.split('\n').includes(line))).toEqual([]);
  });

  it('has a workflow that can be read, and runs a command as the page tells it', () => {
    const { jobs } = parse(codeOf('GitHub Actions', 'yaml')) as { jobs: { test: { steps: { run?: string }[] } } }; // our own page
    const commands = jobs.test.steps.flatMap(({ run }) => run ?? []);
    expect(commands).toContainEqual(expect.stringMatching(/^npx atoll exec .*-- npm test$/));
  });

  it('names the package that `npm pack` makes, as README and the examples do, and no registry has', async () => {
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }; // our own file
    const tarball = `atoll-server-${version}.tgz`;
    const names = await readdir(join(root, 'examples'), { withFileTypes: true });
    const folders = names.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const specifiers = await Promise.all(
      folders.map(async (name) => {
        const manifest = JSON.parse(await readFile(join(root, 'examples', name, 'package.json'), 'utf8')) as {
          devDependencies: Record<string, string>;
        }; // our own file
        return manifest.devDependencies['atoll-server'];
      }),
    );
    expect(specifiers).toEqual(folders.map(() => `file:../../${tarball}`));
    const pages = await Promise.all(
      ['README.md', 'docs/use/testing.md', 'examples/README.md'].map((file) => readFile(join(root, file), 'utf8')),
    );
    for (const text of pages) {
      expect(text).toContain(`npm install --save-dev ../atoll/${tarball}`);
      expect(text).not.toMatch(/npm (i|install)( --save-dev)? atoll-server|archive of a release/);
    }
  });

  it('names the calls and the examples that there are', async () => {
    const atoll = await startAtoll({ port: false });
    const named = [...page.matchAll(/\| `world\.(\w+)/g)].map(([, name = '']) => name);
    const world = await atoll.world();
    expect(named.filter((name) => !(name in world))).toEqual([]);
    expect(named.length).toBeGreaterThan(6);
    await atoll.close();
    expect((await readdir(join(root, 'examples'))).sort()).toEqual([
      'README.md',
      'front-end-msw',
      'jest',
      'playwright',
      'provider',
      'remembering',
      'vitest',
    ]);
  });
});
