/**
 * `npm start`: builds the program if a source has changed, and serves in this same process, so that a signal to npm
 * reaches the server. The rest is built in another process once the server listens. Options follow `--`:
 * `npm start -- --port 8010`. Without `--data` or `--memory` the data are in `data/store`.
 */
import { fork } from 'node:child_process';
import diagnostics from 'node:diagnostics_channel';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Server } from 'node:http';
import { createRequire } from 'node:module';
import { constants, setPriority } from 'node:os';
import { chdir, execPath, argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { isBuilt } from './built.mjs';
import { generate } from './generate-types.mjs';

chdir(fileURLToPath(new URL('..', import.meta.url)));

const say = (text) => process.stderr.write(`${text}\n`);

const buildRest = () => {
  const begun = Date.now();
  say('The server answers. The console and what runs in browsers are being built.');
  // What the child prints is not the server's, whose standard output may be JSON.
  const child = fork(fileURLToPath(new URL('build.mjs', import.meta.url)), ['--rest'], {
    execArgv: [],
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  try {
    setPriority(child.pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It has ended already, or the system lets nobody change it.
  }
  const end = () => child.kill();
  process.on('exit', end);
  child.on('exit', (code) => {
    process.off('exit', end);
    delete process.env.ATOLL_BUILDS_CONSOLE;
    const seconds = Math.ceil((Date.now() - begun) / 1000);
    say(
      code === 0
        ? `The rest is built, after ${seconds} s.`
        : 'The rest could not be built. The server answers without it.',
    );
  });
  child.channel.unref();
  child.unref();
};

await generate({ types: false });
if (!(await isBuilt('program'))) {
  say('Building the program.');
  const [{ buildProgramFile }, { stop }] = await Promise.all([import('./build.mjs'), import('esbuild')]);
  await buildProgramFile();
  await stop();
}
if (!(await isBuilt('rest'))) {
  // Nobody shall see an old one.
  await rm('dist/console', { recursive: true, force: true });
  process.env.ATOLL_BUILDS_CONSOLE = 'true';
  const channel = 'tracing:net.server.listen:asyncEnd';
  const onListening = ({ server }) => {
    if (!(server instanceof Server)) return;
    diagnostics.unsubscribe(channel, onListening);
    setImmediate(buildRest);
  };
  diagnostics.subscribe(channel, onListening);
}
const options = argv.slice(2);
const hasPlace = options.some((option) => /^--(?:memory|data(?:=.*)?)$/.test(option));
process.argv = [execPath, 'atoll', 'serve', ...(hasPlace ? [] : ['--data', 'data/store']), ...options];
// `main.js` starts the same program more quickly.
if (existsSync('dist/main.js')) {
  await import('../dist/main.js');
} else {
  const { programFileIn } = await import('./bundle.mjs');
  await createRequire(import.meta.url)(`../dist/${await programFileIn('dist')}`).runProgram();
}
