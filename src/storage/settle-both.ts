/** Waits for two pieces of work that go on at the same time. */

/** Resolves when both have ended. Rejects with the first error, but only then, so that nothing goes on in the background. */
export const settleBoth = async (first: Promise<void> | undefined, second: Promise<void>): Promise<void> => {
  for (const outcome of await Promise.allSettled([first, second])) {
    if (outcome.status === 'rejected') throw outcome.reason;
  }
};
