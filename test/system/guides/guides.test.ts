/** Finds pages of the guides whose commands nobody runs, and blocks that are left out without a reason. `guides.process.ts` runs them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../../support/atoll.ts';
import { blocksOf, guides } from './guide.ts';

/** The pages of both shelves, without those in their folders. */
const pagesOfShelves = async (): Promise<string[]> => {
  const shelves = ['docs/use', 'docs/inside'];
  const names = await Promise.all(shelves.map((shelf) => readdir(join(root, shelf))));
  return shelves.flatMap((shelf, index) =>
    (names[index] ?? []).filter((name) => name.endsWith('.md')).map((name) => `${shelf}/${name}`),
  );
};

/** The tests that read a page outside this folder: each runs what it reads. */
const readersOf = async (page: string): Promise<string[]> => {
  const names = await readdir(join(root, 'test'), { recursive: true });
  const tests = names.filter((name) => /\.(ts|mjs)$/.test(name) && !/^guides\/|node_modules/.test(name));
  const texts = await Promise.all(tests.map((name) => readFile(join(root, 'test', name), 'utf8')));
  return tests.filter((_, index) => texts[index]?.includes(page));
};

/** Commands that start scripts of this repository, each of which is a suite or a tool of its own. */
const areScripts = async (commands: string): Promise<boolean> => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { scripts: object }; // our own file
  const lines = commands.split('\n').filter((line) => line !== '');
  return lines.every((line) => Object.hasOwn(scripts, /^npm run (\S+)/.exec(line)?.[1] ?? ''));
};

/** Blocks that are not run, by their first line. */
const notRun: Readonly<Record<string, string>> = {
  'npm ci': 'installs this repository and builds it; .ci/run does it on a clean checkout',
  '(cd ../atoll && npm ci && npm pack)': 'packs this repository and installs it; test/system/package does both',
  'npx atoll serve --document api.yaml --memory':
    'serves a document that a reader has; docs/use/own-documents.md does it with one of its own',
  'npm install --save-dev ../atoll/atoll-server-0.1.0.tgz':
    'installs a packed package; test/system/package installs it and starts the server',
  'cp -r node_modules/atoll-server/data/sites/starter-site site':
    'needs microservices of others; test/system/broker runs a broker with a service in their place',
  '(cd examples/imagemagick && PORT=8081 JWKS_URI=http://localhost:8010/oauth/discovery/keys scyllaridae) &':
    'starts microservices of others, which no registry of packages has',
  'mkdir made': 'reads an archive of a browser; test/browser/persistence/archive.test.ts makes one and runs it',
};

describe('A guide', () => {
  it('has no block that is not run without a reason', async () => {
    for (const page of guides) {
      const blocks = blocksOf(await readFile(join(root, page), 'utf8'));
      const unexplained = blocks.filter(
        ({ isRun, commands }) => !isRun && notRun[commands.split('\n')[0] ?? ''] === undefined,
      );
      expect([page, unexplained]).toEqual([page, []]);
    }
  });

  it('has its commands run by a test', async () => {
    const unread: string[] = [];
    for (const page of (await pagesOfShelves()).filter((each) => !guides.includes(each))) {
      const commands = blocksOf(await readFile(join(root, page), 'utf8')).map((block) => block.commands);
      if (!(await areScripts(commands.join(''))) && (await readersOf(page)).length === 0) unread.push(page);
    }
    expect(unread).toEqual([]);
  });

  it('is in the index', async () => {
    const index = await readFile(join(root, 'docs/README.md'), 'utf8');
    const pages = await pagesOfShelves();
    expect(pages.filter((page) => !index.includes(`](${page.replace('docs/', '')})`))).toEqual([]);
  });
});
