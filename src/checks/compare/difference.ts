/** Defines a difference between the answers of two servers to the same request, and how it is judged. */
import type { WireReply, WireRequest } from '../../exchange/exchange.ts';

/** The server that is compared, and the Atoll in this process. */
export type Side = 'target' | 'atoll';

export const otherSide = (side: Side): Side => (side === 'target' ? 'atoll' : 'target');

/** `place` is a JSON Pointer: `/status`, `/headers/Location`, `/body/title/0/value`. A value that is absent is undefined. */
export type Difference = {
  readonly place: string;
  readonly target: unknown;
  readonly atoll: unknown;
  /** What belongs to the values, such as the bodies of two statuses. */
  readonly detail?: Readonly<Record<Side, unknown>> | undefined;
};

/** One request and both answers. `request` is as the target got it. */
export type AnsweredTwice = {
  readonly request: WireRequest;
  readonly target: WireReply;
  readonly atoll: WireReply;
  /** The id of the operation, or the method alone for what the document does not have. */
  readonly operation: string;
};

/** `explained`: a row of the deliberate differences says so. `accepted`: the user's file says so. */
export const differenceClasses = ['explained', 'accepted', 'new'] as const;
export type DifferenceClass = (typeof differenceClasses)[number];

/** `because` is the row of the deliberate differences, or the reason of the user's file; empty for what is new. */
export type Judged = Difference & { readonly class: DifferenceClass; readonly because: string };
