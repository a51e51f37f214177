/** Defines work that follows from something that was done, and how it is listed and awaited. */

/** A piece of work that follows from something, as it is remembered. Times in milliseconds since 1970. */
export type FollowUp = {
  readonly id: number;
  /** In a few words. */
  readonly name: string;
  /** What it follows from, such as `media:12`. */
  readonly about: string;
  readonly due: number;
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  /** Why it failed, or what is to be said of it although it is done. */
  readonly message?: string;
};

export type FollowUps = {
  /** The last ones, in the order in which they are done. */
  list(): readonly FollowUp[];
  /** Resolves when none waits or runs, those included that others bring about. */
  settled(): Promise<void>;
};
