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

/** Draws the uuids of a decision, the same ones where it runs again. */
export type DrawnUuids = {
  /** Begins a run. Returns what draws its uuids. */
  begin(): () => string;
  /** The first uuid that each run draws. */
  first(): string;
};

export const createDrawnUuids = (ids: Pick<Identifiers, 'uuid'>): DrawnUuids => {
  const drawn: string[] = [];
  const at = (position: number): string => (drawn[position] ??= ids.uuid());
  return {
    begin: () => {
      let position = 0;
      return () => at(position++);
    },
    first: () => at(0),
  };
};
