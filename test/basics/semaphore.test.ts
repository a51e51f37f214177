import { describe, expect, it } from '@jest/globals';
import { createSemaphore } from '../../src/basics/semaphore.ts';

describe('The semaphore', () => {
  it('A30: lets two run, lets the next wait in order, and refuses the surplus', async () => {
    const semaphore = createSemaphore(2, { max: 1, refusal: () => new Error('full') });
    const log: string[] = [];
    const finish = new Map<string, () => void>();
    const task = (name: string): Promise<void> =>
      semaphore(() => {
        log.push(name);
        return new Promise((resolve) => finish.set(name, resolve));
      });
    const first = task('a');
    const rest = [task('b'), task('c')];
    await expect(task('d')).rejects.toThrow('full');
    expect(log).toEqual(['a', 'b']);
    finish.get('a')?.();
    await first;
    await Promise.resolve();
    expect(log).toEqual(['a', 'b', 'c']);
    finish.get('b')?.();
    finish.get('c')?.();
    await Promise.all(rest);
  });

  it('frees the permit of a task that fails', async () => {
    const semaphore = createSemaphore(1, { max: 0, refusal: () => new Error('full') });
    await expect(semaphore(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await semaphore(() => Promise.resolve('next'))).toBe('next');
  });

  it('frees each permit exactly once, so never more than the allowed number run', async () => {
    const semaphore = createSemaphore(2);
    let running = 0;
    let most = 0;
    const task = (number: number) =>
      semaphore(async () => {
        most = Math.max(most, (running += 1));
        await new Promise((resolve) => setTimeout(resolve, 1));
        running -= 1;
        if (number % 3 === 0) throw new Error('failed');
        return number;
      });
    const results = await Promise.allSettled(Array.from({ length: 20 }, (_, number) => task(number)));
    expect(most).toBe(2);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(13);
  });
});
