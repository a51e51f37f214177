/** Cuts long work into slices, between which Node reads and answers other requests. */

/** How long a slice lasts, in milliseconds. Another request waits for the slice that it meets. */
const sliceMs = 4;

/** Resolves in the turn of the caller that asked last. */
let lastTurn: Promise<void> = Promise.resolve();

/**
 * Waits for a turn of the event loop. Every caller of the process gets a turn of its own, so twenty lists that arrive
 * together do not make one long pause. Between two turns Node reads and answers other requests.
 */
export const nextTurn = (): Promise<void> => {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)));
  return lastTurn;
};

/** Slices of a loop whose items may be large. The first one begins at once. */
export const beginSlices = (): { isOver(): boolean; next(): Promise<void> } => {
  let end = performance.now() + sliceMs;
  return {
    isOver: () => performance.now() >= end,
    next: async () => {
      await nextTurn();
      end = performance.now() + sliceMs;
    },
  };
};
