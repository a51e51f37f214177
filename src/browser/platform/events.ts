/** Replaces the used member of `node:events`. Browsers warn of no number of listeners. */

export const setMaxListeners = (): void => undefined;
