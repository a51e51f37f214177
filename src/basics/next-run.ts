/** Lets callers share one run of some work, if it begins after they have called. */

/** Runs never overlap. A call during a run waits for the next one, which all such calls share. */
export const shareNextRun = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    next = undefined;
    running = work();
    return running;
  };
  return () => {
    // The next run begins whether or not the last one failed.
    next ??= running.then(begin, begin);
    return next;
  };
};
