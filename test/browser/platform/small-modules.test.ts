/** Paths, equality, promises and timers without Node: as Node has them. */
import * as nodePath from 'node:path';
import * as nodeTimers from 'node:timers/promises';
import * as nodeUtil from 'node:util';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as ownPath from '../../../src/browser/platform/path.ts';
import * as ownTimers from '../../../src/browser/platform/timers-promises.ts';
import {
  clearInterval,
  clearTimeout,
  setImmediate,
  setInterval,
  setTimeout,
} from '../../../src/browser/platform/timers.ts';
import * as ownUtil from '../../../src/browser/platform/node-util.ts';

/** Names and paths as they are in a repository. */
const name = fc.string({
  unit: fc.constantFrom('a', 'b', '.', '.', ' ', '-', 'ä', 'B', '_'),
  minLength: 1,
  maxLength: 8,
});
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

describe('A path without Node', () => {
  it('has the name, the ending and the folder that Node finds', () => {
    fc.assert(
      fc.property(path, fc.boolean(), (given, isAbsolute) => {
        const whole = isAbsolute ? `/${given}` : given;
        expect([whole, ownPath.basename(whole)]).toEqual([whole, nodePath.posix.basename(whole)]);
        expect([whole, ownPath.extname(whole)]).toEqual([whole, nodePath.posix.extname(whole)]);
        expect([whole, ownPath.dirname(whole)]).toEqual([whole, nodePath.posix.dirname(whole)]);
      }),
      { numRuns: 1000 },
    );
  });

  it('is joined of plain names as Node does', () => {
    const plain = fc.string({ unit: fc.constantFrom('a', 'b', '-', '_', '1'), minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(plain, { minLength: 1, maxLength: 5 }), (names) => {
        expect(ownPath.join(...names)).toBe(nodePath.posix.join(...names));
        expect(ownPath.join(`${names[0]}/`, ...names)).toBe(nodePath.posix.join(`${names[0]}/`, ...names));
      }),
    );
  });
});

describe('Equality without Node', () => {
  const special = fc.oneof(
    fc.constantFrom<unknown>(undefined, NaN, 0, -0, '', [], {}, null, new Map(), new Set(), new Date(0), new Date(1)),
    fc.jsonValue({ maxDepth: 3 }),
    fc.uint8Array({ maxLength: 3, max: 2 }),
    fc.array(fc.tuple(fc.nat(2), fc.nat(2)), { maxLength: 2 }).map((entries) => new Map(entries)),
    fc.array(fc.nat(2), { maxLength: 2 }).map((members) => new Set(members)),
    fc.dictionary(fc.constantFrom('a', 'b'), fc.constantFrom<unknown>(1, undefined, [1], { c: null }), { maxKeys: 2 }),
  );

  it('of any two values is that of Node', () => {
    fc.assert(
      fc.property(special, special, (a, b) => {
        expect(ownUtil.isDeepStrictEqual(a, b)).toBe(nodeUtil.isDeepStrictEqual(a, b));
        expect(ownUtil.isDeepStrictEqual({ x: [a] }, { x: [b] })).toBe(
          nodeUtil.isDeepStrictEqual({ x: [a] }, { x: [b] }),
        );
      }),
      { numRuns: 3000 },
    );
  });

  it('of maps and sets does not depend on the order, and that of lists does', () => {
    const made = (members: number[]): unknown[] => [
      new Set(members),
      new Map(members.map((each) => [each, [each]])),
      members,
    ];
    for (const { isDeepStrictEqual } of [ownUtil, nodeUtil]) {
      const [left, right] = [made([1, 2, 3]), made([3, 1, 2])];
      expect(left.map((each, index) => isDeepStrictEqual(each, right[index]))).toEqual([true, true, false]);
      expect(isDeepStrictEqual(new Set([[1], [1]]), new Set([[1], [2]]))).toBe(false);
    }
  });

  it('of a value and its copy holds', () => {
    fc.assert(
      fc.property(special, (a) => {
        const copy: unknown = structuredClone(a);
        expect(ownUtil.isDeepStrictEqual(a, copy)).toBe(nodeUtil.isDeepStrictEqual(a, copy));
      }),
      { numRuns: 500 },
    );
  });
});

describe('A function with a callback', () => {
  type Done = (error: Error | null, result: number) => void;
  const divide = (a: number, b: number, done: Done): void => done(b === 0 ? new Error('by zero') : null, a / b);

  it('gives a promise as in Node', async () => {
    for (const divided of [ownUtil.promisify(divide), nodeUtil.promisify(divide)]) {
      await expect(divided(6, 3)).resolves.toBe(2);
      await expect(divided(6, 0)).rejects.toThrow('by zero');
    }
  });
});

describe('Timers without Node', () => {
  it('run once, again and again, or not when they are cleared', async () => {
    const seen: string[] = [];
    await new Promise<void>((resolve) => {
      const never = setTimeout(() => seen.push('cleared'), 1);
      let times = 0;
      const often = setInterval(() => {
        seen.push('again');
        times += 1;
        if (times < 3) return;
        clearInterval(often);
        setTimeout(resolve, 20);
      }, 1);
      setImmediate(() => seen.push('soon'));
      clearTimeout(never);
      clearTimeout(undefined);
      expect(never.unref()).toBe(never);
    });
    expect(seen.toSorted()).toEqual(['again', 'again', 'again', 'soon']);
  });

  it('as promises give their value, and reject with the error of Node when they are aborted', async () => {
    const ended = async (timers: Pick<typeof nodeTimers, 'setTimeout'>, isBefore: boolean): Promise<unknown> => {
      const controller = new AbortController();
      if (isBefore) controller.abort();
      const waiting = timers.setTimeout(60_000, 'late', { signal: controller.signal });
      controller.abort();
      return waiting.catch((error: unknown) => {
        const { name: kind, code, message } = error as Error & { code: string };
        return { kind, code, message };
      });
    };
    const own = ownTimers as unknown as Pick<typeof nodeTimers, 'setTimeout'>; // the used part of it
    expect(await own.setTimeout(1, 'value')).toBe('value');
    for (const isBefore of [true, false]) expect(await ended(own, isBefore)).toEqual(await ended(nodeTimers, isBefore));
    await ownTimers.setImmediate();
  });
});
