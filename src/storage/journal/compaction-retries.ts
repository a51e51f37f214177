/** Tries a compaction again that has failed, later each time. */

const longestRetryMs = 10 * 60_000;

/** Requests another compaction some time after one has failed, and later after each further failure. */
export const createRetries = (firstMs: number, warn: (message: string) => void, request: () => void) => {
  let betweenBatches: () => Promise<void> = () => Promise.resolve();
  const retry = (): void => {
    request();
    // A store that is closed or replaced refuses: then nothing is to be compacted.
    betweenBatches().catch(() => undefined);
  };
  let timer: NodeJS.Timeout | undefined;
  let nextMs = firstMs;
  let hasFailed = false;
  const stop = (): void => clearTimeout(timer);
  return {
    hasFailed: () => hasFailed,
    by: (run: () => Promise<void>): void => {
      betweenBatches = run;
    },
    failed: (error: unknown): void => {
      stop();
      if (!hasFailed) warn(`A compaction was cut short (${String(error)}); the journal goes on.`);
      hasFailed = true;
      timer = setTimeout(retry, nextMs).unref();
      nextMs = Math.min(nextMs * 2, longestRetryMs);
    },
    worked: (): void => {
      stop();
      if (hasFailed) warn('A compaction has worked again.');
      hasFailed = false;
      nextMs = firstMs;
    },
    stop,
  };
};
