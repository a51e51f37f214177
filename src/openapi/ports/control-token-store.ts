/** Defines the port behind which named control tokens are kept. */

/** What a token may do: read; also what acts on the worlds of its prefix; or everything. */
export type ControlRight = 'read' | 'worlds' | 'everything';

/** Times are in milliseconds since 1970, in real time. */
export type StoredControlToken = {
  readonly name: string;
  readonly right: ControlRight;
  /** With what the names of its worlds begin. Null without the right `worlds`. */
  readonly prefix: string | null;
  /** SHA-256 of the secret, in hexadecimal. The secret itself is kept nowhere. */
  readonly secretHash: string;
  readonly created: number;
  /** From when on it is refused. Null: never. */
  readonly expires: number | null;
  /** The last day of its use (UTC), such as `2026-01-02`. Null: never used. */
  readonly lastUsed: string | null;
};

/** A store keeps tokens that have expired until another one is put. */
export type ControlTokenStore = {
  /** All tokens in the order of their names, as they are at this moment. */
  load(): Promise<readonly StoredControlToken[]>;
  /**
   * Keeps a token and forgets those that have expired at `now`. It is durable when this resolves. `taken`: there is one of this
   * name that has not expired; `full`: there are `most` already. Rejects with a Problem when it cannot be written.
   */
  put(
    token: StoredControlToken,
    limits: { readonly now: number; readonly most: number },
  ): Promise<'kept' | 'taken' | 'full'>;
  /** False when there is none of this name. It is durable when this resolves. Rejects with a Problem when it cannot be written. */
  remove(name: string): Promise<boolean>;
  /** Notes the day of the last use. Does nothing when there is no such token any more. */
  markUsed(name: string, day: string): Promise<void>;
};
