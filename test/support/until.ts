/** Waits for something that no event announces. */

/** Resolves when the condition holds; rejects after `ms` milliseconds. */
export const until = async (condition: () => boolean | Promise<boolean>, what: string, ms = 30_000): Promise<void> => {
  const deadline = Date.now() + ms;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`${what}: not within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};
