/** Lets uploads that end at the same time share one sync of their folder. */

/**
 * The same sync, where whoever asks while one of the same folder runs waits for the next one, together with all others that ask
 * until it begins. So each sync begins after all the changes that it answers for. Rejects with the error of that sync.
 */
export const createSharedSync = (sync: (folder: string) => Promise<void>): ((folder: string) => Promise<void>) => {
  const running = new Map<string, { readonly ended: Promise<void>; next?: Promise<void> }>();

  const begin = (folder: string): Promise<void> => {
    const ended = sync(folder);
    const current = { ended };
    running.set(folder, current);
    const forget = (): void => {
      if (running.get(folder) === current) running.delete(folder);
    };
    ended.then(forget, forget);
    return ended;
  };

  return (folder) => {
    const current = running.get(folder);
    if (current === undefined) return begin(folder);
    const beginNext = (): Promise<void> => begin(folder);
    return (current.next ??= current.ended.then(beginNext, beginNext));
  };
};
