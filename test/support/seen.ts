/** An answer as tests compare it: the body as what it is until somebody has looked, unknown. */

export type Seen = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
};

/** Of a supertest response, whose body could be anything, what can be taken apart without trusting it. */
export const seen = ({ status, headers, body }: Seen): Seen => ({ status, headers, body });
