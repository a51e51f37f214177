/** Says how much room the browser gives to this origin, and asks it not to remove the repository. */
import { browserPlatform } from './platform.ts';

/** In bytes, of everything that this origin keeps. Undefined where the browser does not tell. */
export type Room = {
  readonly used: number | undefined;
  readonly quota: number | undefined;
  /** False: when the disk fills up, or a site was not visited for long, the browser may remove everything of this origin at once. */
  readonly staysForGood: boolean;
};

export const readRoom = async (): Promise<Room> => {
  const { storage } = browserPlatform();
  const [estimate, staysForGood] = await Promise.all([storage?.estimate?.(), storage?.persisted?.()]);
  return { used: estimate?.usage, quota: estimate?.quota, staysForGood: staysForGood ?? false };
};

/**
 * Asks the browser to keep the data of this origin until the user removes them, and resolves with its answer. Some browsers ask
 * the user. Works in pages, not in workers.
 */
export const askToKeep = async (): Promise<boolean> => (await browserPlatform().storage?.persist?.()) ?? false;
