/** Runs a benchmark written in TypeScript: `node scripts/run-bench.mjs links` bundles and starts `bench/links.ts`. */
import { spawn } from 'node:child_process';
import { build } from 'esbuild';

const [name = '', ...args] = process.argv.slice(2);
// Two levels below the package, like the test folders: the modules find files relative to their own path.
const outfile = `coverage/bench/${name}.mjs`;
await build({
  entryPoints: [`bench/${name}.ts`],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
});
spawn(process.execPath, [outfile, ...args], { stdio: 'inherit' }).on('exit', (code) => {
  process.exitCode = code ?? 1;
});
