/** What the client weighs in somebody's bundle, what may be left out of it, and what never is in it. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { build, type Metafile } from 'esbuild';
import { root } from '../support/atoll.ts';

/** As a browser's bundler does it: minified, with what is not used left out. */
const bundle = async (code: string): Promise<{ text: string; inputs: string[] }> => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: `${root}/src/client`, loader: 'ts' },
    ...{ bundle: true, minify: true, write: false, metafile: true, outdir: 'out' },
    ...{ format: 'esm', platform: 'browser', target: 'es2022' },
  });
  return { text: outputFiles[0]?.text ?? '', inputs: used(metafile) };
};

/** The files of which something is left, without the entry. */
const used = ({ outputs }: Metafile): string[] =>
  Object.values(outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 && file !== '<stdin>' ? [file] : []))
    .map((file) => file.replace(/^.*node_modules\//, '').replace(/^src\/client\/(?:generated\/)?/, ''))
    .sort();

const everything = `import * as client from './client.ts'; globalThis.client = client;`;

describe('a bundle for browsers', () => {
  it.each([
    [
      'a client with Basic, links and plain records',
      `import { createClient, basic, linksNamed, plainOf, bodyOf } from './client.ts';
      globalThis.used = [createClient, basic, linksNamed, plainOf, bodyOf];`,
      15,
    ],
    ['a client', `import { createClient } from './client.ts'; globalThis.used = createClient;`, 12],
    ['everything', everything, 25],
  ])('of %s is small', async (what, code, kibibytes) => {
    const { text, inputs } = await bundle(code);
    process.stdout.write(`${what}: ${text.length} bytes minified, ${gzipSync(text).length} compressed\n`);
    expect(text.length).toBeLessThanOrEqual(kibibytes * 1024);
    expect(inputs).toContain('openapi-fetch/dist/index.mjs');
  });

  it('has nothing of the server, of Node or of another package', async () => {
    const { text, inputs } = await bundle(everything);
    expect(inputs.filter((file) => file.includes('/'))).toEqual(['openapi-fetch/dist/index.mjs']);
    expect(text).not.toMatch(/\bnode:[a-z]+['"]|\brequire\(/);
  });

  it.each([
    ['parseLinks, linksNamed, readLinkset', ['link.ts'], 1600],
    ['AtollError, isAtollError', ['refusal.ts'], 700],
    ['plainOf, bodyOf', ['default-fields.ts', 'plain.ts'], 2600],
    ['basic, bearer', ['authentication.ts', 'bearer.ts', 'refusal.ts'], 2200],
  ])('that uses %s alone has nothing else in it', async (names, files, most) => {
    const { text, inputs } = await bundle(`import { ${names} } from './client.ts'; globalThis.used = [${names}];`);
    process.stdout.write(`${names}, minified: ${text.length} bytes\n`);
    expect(inputs).toEqual(files);
    expect(text.length).toBeLessThanOrEqual(most);
  });
});

it('The client as CommonJS is loaded by require, and makes a client', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-client-'));
  const outfile = join(folder, 'client.cjs');
  const entryPoints = [join(root, 'src/client/client.ts')];
  await build({ entryPoints, outfile, bundle: true, format: 'cjs', platform: 'node', target: 'node20' });
  const code = `const { createClient } = require('./client.cjs');
    console.log(typeof createClient({ baseUrl: 'http://localhost:8000' }).GET);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', code], { cwd: folder });
  await rm(folder, { recursive: true });
  expect(stdout).toBe('function\n');
});
