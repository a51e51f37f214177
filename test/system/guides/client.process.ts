/** Compiles and runs the snippets of docs/use/client.md as they are printed, and holds what they print to what stands beside them. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import ts from 'typescript';
import { createClock, root } from '../../support/atoll.ts';
import { startServer, type TestServer } from '../../support/server.ts';

let server: TestServer;
let folder: string;
let blocks: string[];
beforeAll(async () => {
  server = await startServer({ clock: createClock() });
  folder = await mkdtemp(join(root, 'coverage/guide-'));
  const guide = await readFile(join(root, 'docs/use/client.md'), 'utf8');
  blocks = [...guide.matchAll(/<!-- run -->\n+```ts\n([\s\S]*?)```/g)].map(([, block = '']) => block);
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The entries of the package, as `exports` will name them. */
const entries = {
  'atoll-server/client': join(root, 'src/client/client.ts'),
  'atoll-server/client/file': join(root, 'src/client/file-source.ts'),
};

it('has snippets that compile, and print what the guide says, with 200, 201, 204 and 404', async () => {
  expect(blocks).toHaveLength(7);
  const source = join(folder, 'guide.ts');
  await writeFile(source, blocks.join('\n').replaceAll('http://localhost:8000', server.url));
  expect(faultsOf(source)).toEqual([]);

  const program = join(folder, 'guide.mjs');
  await build({
    ...{ entryPoints: [source], outfile: program, alias: entries },
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node20' },
  });
  const { stdout } = await promisify(execFile)(process.execPath, [program], { cwd: folder });
  const promised = [...blocks.join('\n').matchAll(/console\.log\(.*\)[;,] \/\/ (.*)$/gm)].map(([, text]) => text);
  expect(promised).toHaveLength(12);
  expect(stdout.trimEnd().split('\n')).toEqual(promised);
});

/** What the compiler says of a file, under the project's own rules. */
const faultsOf = (file: string): string[] => {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)) as {
    config: { compilerOptions: object };
  }; // the project's own file
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const paths = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, [path]]));
  const program = ts.createProgram([file], {
    ...options,
    paths,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  });
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
};
