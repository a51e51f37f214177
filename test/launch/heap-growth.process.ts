/** `atoll serve` collects garbage before it has grown to several times of what is alive, on every line of Node. */
import { spawn } from 'node:child_process';
import { expect, it, jest } from '@jest/globals';
import { programFile } from '../support/program.ts';

jest.setTimeout(120_000);

/**
 * Runs in the server, as soon as it has told V8 something: keeps 120 MB for some looks at the heap, then makes garbage that gets old,
 * and prints the most memory that both have taken, in MB.
 */
const churn = (): void => {
  const v8 = process.getBuiltinModule('node:v8');
  const tell = v8.setFlagsFromString;
  const make = (n: number) => ({ n, text: `${'x'.repeat(20)}${n}`, list: [n, n + 1, n + 2, { deep: n }] });
  v8.setFlagsFromString = (flag) => {
    tell(flag);
    v8.setFlagsFromString = tell;
    const alive = Array.from({ length: 240_000 }, (_, n) => make(n));
    const ring = Array.from({ length: 60_000 }, (_, n) => make(n));
    setTimeout(() => {
      let most = 0;
      for (let n = 0; n < 4_000_000; n += 1) {
        ring[n % ring.length] = make(n);
        if (n % 20_000 === 0) most = Math.max(most, process.memoryUsage().heapUsed);
      }
      process.stdout.write(`most ${Math.round(most / 1e6)} of ${alive.length}\n`);
    }, 5000);
  };
};

it('with 120 MB alive, takes at most 330 MB of heap', async () => {
  const hook = `--import=data:text/javascript,(${encodeURIComponent(churn.toString())})()`;
  const child = spawn(process.execPath, [hook, programFile, 'serve', '--memory', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const most = await new Promise<number>((resolve) => {
    let out = '';
    child.stdout.on('data', (piece: Buffer) => {
      out += piece.toString();
      const [, found] = /most (\d+)/.exec(out) ?? [];
      if (found !== undefined) resolve(Number(found));
    });
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  child.kill('SIGKILL');
  await ended;
  expect(most).toBeLessThan(330);
});
