/** Long work in slices: the order of what it makes, and that others have a turn in between. */
import { describe, expect, it } from '@jest/globals';
import { mapInSlices, nextTurn } from '../../src/basics/long-work.ts';

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);
const wait = (milliseconds: number): void => {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
};

describe('mapInSlices', () => {
  it.each([0, 1, 199, 200, 1000])('maps %d items in order', async (count) => {
    expect(await mapInSlices(numbers(count), (number) => number + 1)).toEqual(
      numbers(count).map((number) => number + 1),
    );
  });

  it('lets others in between: a timer fires while twenty long works go on', async () => {
    const turns: number[] = [];
    let isDone = false;
    const others = async (): Promise<void> => {
      while (!isDone) {
        const asked = performance.now();
        await new Promise((resolve) => setTimeout(resolve, 1));
        turns.push(performance.now() - asked);
      }
    };
    const work = (): Promise<unknown> => mapInSlices(numbers(640), () => wait(0.02));
    const other = others();
    await Promise.all(numbers(20).map(work));
    isDone = true;
    await other;
    // Together they take more than 250 ms. In one piece the timer would fire once or twice.
    expect(turns.length).toBeGreaterThan(8);
  });
});

describe('nextTurn', () => {
  it('gives each caller a turn of its own, in the order in which they asked', async () => {
    const order: string[] = [];
    await Promise.all([
      nextTurn().then(() => order.push('first')),
      nextTurn().then(() => order.push('second')),
      new Promise<void>((resolve) => setImmediate(resolve)).then(() => order.push('another')),
    ]);
    expect(order).toEqual(expect.arrayContaining(['first', 'another', 'second']));
    expect(order.indexOf('another')).toBeLessThan(order.indexOf('second'));
    expect(order.indexOf('first')).toBeLessThan(order.indexOf('second'));
  });
});
