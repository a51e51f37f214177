/** Runs the snippet of README.md. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from '@jest/globals';
import { bundleModule } from '../../../scripts/bundle.mjs';
import { root } from '../../support/atoll.ts';

const run = promisify(execFile);
let readme: string;
beforeAll(async () => {
  readme = await readFile(`${root}/README.md`, 'utf8');
});

it('has a snippet that prints what stands beside it', async () => {
  const [, snippet = ''] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
  const promised = [...snippet.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => text);
  expect(promised).toHaveLength(2);
  // As far below the package as its bundles are.
  const [entry, bundled] = [`${root}/coverage/readme-${process.pid}.js`, `${root}/coverage/readme-${process.pid}.mjs`];
  await mkdir(`${root}/coverage`, { recursive: true });
  try {
    await writeFile(entry, snippet.replace("'atoll-server'", `'${root}/src/cli/entries/atoll.ts'`));
    await bundleModule(entry, bundled);
    const { stdout } = await run(process.execPath, [bundled]);
    expect(stdout.trim().split('\n')).toEqual(promised);
  } finally {
    await Promise.all([rm(entry, { force: true }), rm(bundled, { force: true })]);
  }
}, 30_000);
