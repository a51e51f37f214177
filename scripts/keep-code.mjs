/**
 * Starts the built server once and asks it a few things, so that it keeps its compiled code (`src/cli/launch/kept-code.ts`) for the
 * starts of this Node. Another Node makes its own at its first start.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const requests = [
  ['/node/1?_format=json'],
  ['/node/1?_format=jsonld', { headers: { authorization: `Basic ${btoa('admin:islandora')}` } }],
  ['/node/999999?_format=json'],
  // As a test does that starts the library.
  ['/_atoll/worlds', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }],
];

/** Never rejects: a program without kept code starts more slowly, and that is all. */
export const keepCode = async (program) => {
  const child = spawn(process.execPath, [program, 'serve', '--memory', '--port', '0', '--json'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit').catch(() => undefined);
  try {
    const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended.then(() => ['{}'])]);
    const { url } = JSON.parse(line);
    for (const [path, options] of url === undefined ? [] : requests) {
      const answer = await fetch(`${url}${path}`, options);
      await answer.arrayBuffer();
    }
  } catch {
    // The next start makes it.
  }
  child.kill('SIGTERM');
  await ended;
};
