/** A gate that lets few tasks run at once and few wait. What the tasks do is not known here. */

/** Runs the task when there is room; rejects with `full()` when too many wait already. */
export type ParallelLimit = <T>(task: () => Promise<T>) => Promise<T>;

/** A gate for `parallel` tasks at once and `waiting` more behind them, first come, first served. */
export const createParallelLimit = (parallel: number, waiting: number, full: () => Error): ParallelLimit => {
  const queue: (() => void)[] = [];
  let running = 0;

  const enter = async (): Promise<void> => {
    if (running < parallel) {
      running += 1;
      return;
    }
    if (queue.length >= waiting) throw full();
    // Whoever leaves hands its place on, so `running` stays as it is.
    await new Promise<void>((resolve) => queue.push(resolve));
  };
  const leave = (): void => {
    const next = queue.shift();
    if (next === undefined) running -= 1;
    else next();
  };

  return async (task) => {
    await enter();
    try {
      return await task();
    } finally {
      leave();
    }
  };
};
