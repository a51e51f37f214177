/** Defines what is known of a request whose credentials are translated. */
import type { Side } from '../../../contract/compare/difference.ts';

export type CredentialContext = {
  readonly from: Side;
  /** The status of the target's answer. Undefined when it has not answered yet. */
  readonly status: number | undefined;
  /** The account whose credentials were sent, where a recording tells. */
  readonly account: string | undefined;
  /** Whether the target's refusal has an empty message. */
  readonly hasNoMessage?: boolean | undefined;
  /** Whether the target's answer takes the session back: it has ended. */
  readonly hasEnded?: boolean | undefined;
};
