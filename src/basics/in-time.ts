/** Limits how long somebody waits for a piece of work. */

/** The result of the work. When it takes longer than `ms` milliseconds, what `late` returns or throws; the work goes on then. */
export const inTime = async <T>(work: Promise<T>, ms: number, late: () => T): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    return await Promise.race([work, over.then(late)]);
  } finally {
    clearTimeout(timer);
  }
};
