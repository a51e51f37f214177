/** `atoll serve` collects garbage before it has grown to several times of what is alive, on every line of Node. */
import { spawn } from 'node:child_process';
import { expect, it, jest } from '@jest/globals';
import { programFile } from '../support/program.ts';

jest.setTimeout(120_000);

/**
 * Runs in the server, as soon as it has told V8 something: keeps 120 MB for some looks at the heap, then makes garbage that gets old,
 * and prints the most old memory that both take in the second half of the time, in MB.
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
        // V8 reads what it was told at the end of a full collection, and the first may have been before.
        if (n < 2_000_000 || n % 20_000 > 0) continue;
        const old = v8.getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space');
        most = Math.max(most, old?.space_used_size ?? Infinity);
      }
      process.stdout.write(`most ${Math.round(most / 1e6)} of ${alive.length}\n`);
    }, 5000);
  };
};

/** The most for each line of Node, in MB. Without the bound they take 450, 550 and 650: the later ones begin to collect later. */
const bounds: Readonly<Record<string, number>> = { 20: 330, 22: 400, 24: 560 };
const most = bounds[process.versions.node.split('.')[0] ?? ''] ?? 560;

it(`with 120 MB alive, takes at most ${most} MB for what is old`, async () => {
  const hook = `--import=data:text/javascript,(${encodeURIComponent(churn.toString())})()`;
  const child = spawn(process.execPath, [hook, programFile, 'serve', '--memory', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const taken = await new Promise<number>((resolve) => {
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
  expect(taken).toBeLessThan(most);
});
