/** Defines the sources of time and of identifiers. They are passed in, so that a run can be repeated exactly. */

/** Milliseconds since 1970. */
export type Clock = {
  now(): number;
  /** Milliseconds from some moment on, which go on evenly when somebody sets the time. Absent where the time is not that of a machine. */
  readonly steady?: () => number;
};

export type Identifiers = {
  /** A version 4 UUID, lower case. */
  uuid(): string;
  /** 32 random bytes as 43 characters of base64url. */
  secret(): string;
};

/** Whole seconds since 1970, the precision of every time in a record. */
export const secondsOf = (clock: Clock): number => Math.floor(clock.now() / 1000);
