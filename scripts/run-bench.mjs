/**
 * Runs a benchmark of one thing: `npm run bench:suite -- worlds`. What follows the name goes to the benchmark. Without a name
 * it lists them. `npm run bench` compares Atoll with other servers and is not among them.
 */
import { build } from 'esbuild';
import { runToEnd } from './run-to-end.mjs';

/** What is measured. One in TypeScript is bundled first; one that measures the built program says so. */
const benches = {
  browser: { measures: 'the engine without Node, in Chromium and here' },
  console: { measures: 'how soon the console shows and reacts, in Chromium', needsBuild: true },
  documents: { measures: 'a mock of your own document beside Express, and how soon it is served', needsBuild: true },
  entities: { measures: 'entities and look-ups at 100,000 objects', isTypeScript: true },
  files: { measures: 'how long others wait while large pictures are uploaded', needsBuild: true },
  gate: { measures: 'what a request costs beside a bare server, against the figures kept', needsBuild: true },
  links: { measures: 'the Link headers of one answer', isTypeScript: true },
  lists: { measures: 'how long others wait while large lists are read', needsBuild: true },
  'msw-compared': { measures: 'ten requests, against the companions of MSW' },
  proxy: { measures: '`atoll proxy` against a bare proxy' },
  'small-uploads': { measures: 'uploads of 64 KiB against a bare server' },
  store: { measures: 'durable writes as the repository grows' },
  team: { measures: 'Atoll over PostgreSQL, over a directory, and bare `pg`', isTypeScript: true },
  upload: { measures: 'large uploads against a bare server' },
  workers: { measures: 'two processes against one', needsBuild: true },
  'world-bytes': { measures: 'the memory that uploads to forks take and give back', needsBuild: true },
  worlds: { measures: 'what worlds cost', isTypeScript: true },
};

/** Bundles a benchmark and returns the file: two levels below the package, as the modules find files relative to their own path. */
const bundled = async (name) => {
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
  return outfile;
};

const run = async (name, args) => {
  if (!Object.hasOwn(benches, name)) {
    process.stderr.write(`There is no benchmark "${name}". There are ${Object.keys(benches).join(', ')}.\n`);
    return 2;
  }
  const { isTypeScript = false, needsBuild = false } = benches[name];
  if (needsBuild) {
    const code = await runToEnd(process.execPath, ['scripts/build.mjs']);
    if (code !== 0) return code;
  }
  return runToEnd(process.execPath, [isTypeScript ? await bundled(name) : `bench/${name}.mjs`, ...args]);
};

const [name, ...args] = process.argv.slice(2);
if (name === undefined) {
  const lines = Object.entries(benches).map(([each, { measures }]) => `  ${each.padEnd(15)}${measures}\n`);
  process.stdout.write(`npm run bench:suite -- NAME […]\n\n${lines.join('')}`);
} else process.exitCode = await run(name, args);
