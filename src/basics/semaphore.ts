/** Limits how tasks run at the same time: a few at once, as a counting semaphore, or one for all that wait. */

/** Runs the task when a permit is free, and frees the permit when the task has ended, also when it fails. */
export type Semaphore = <T>(task: () => Promise<T>) => Promise<T>;

/** When `max` tasks wait already, the next one is rejected with `refusal()`. */
type WaitingLimit = { readonly max: number; readonly refusal: () => Error };

/** A semaphore with `permits` permits. Without a `waitingLimit`, any number of tasks may wait. */
export const createSemaphore = (permits: number, waitingLimit?: WaitingLimit): Semaphore => {
  const waiting: (() => void)[] = [];
  let running = 0;

  const acquire = async (): Promise<void> => {
    if (running < permits) {
      running += 1;
      return;
    }
    if (waitingLimit !== undefined && waiting.length >= waitingLimit.max) throw waitingLimit.refusal();
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const release = (): void => {
    const next = waiting.shift();
    // A waiting task takes the permit over, so `running` stays the same.
    if (next === undefined) running -= 1;
    else next();
  };

  return async (task) => {
    await acquire();
    try {
      return await task();
    } finally {
      release();
    }
  };
};

/** Works on all items, a few of them at the same time, in their order. Rejects as soon as one piece of work does. */
export const inParallel = async <T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const waiting = items.values();
  await Promise.all(
    Array.from({ length: Math.min(limit, items.length) }, async () => {
      for (const item of waiting) await work(item);
    }),
  );
};

/** Runs never overlap. A call during a run waits for the next one, which all such calls share. */
export const shareNextRun = <T>(work: () => Promise<T>): (() => Promise<T>) => {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    next = undefined;
    const run = work();
    running = run;
    return run;
  };
  return () => {
    // The next run begins whether or not the last one failed.
    next ??= running.then(begin, begin);
    return next;
  };
};
