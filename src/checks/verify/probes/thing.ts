/** Defines a thing that probes name: how a run has it at a server. */
import type { TargetAccount } from '../../../exchange/exchange-target.ts';
import type { CheckContext } from '../check.ts';

/**
 * `who`: the account that takes the steps. `unique`: words for the label of a new record, the same at every server. `key`: by which the run
 * keeps it, until a request has used it up.
 */
export type Thing = {
  readonly make: (context: CheckContext, who: TargetAccount, unique: string) => unknown;
  readonly key?: ((context: CheckContext, who: TargetAccount) => string | undefined) | undefined;
};

/** Things whose words have the same beginning; `rest` are the others. */
export type ThingKind = (rest: string) => Thing;

export type NamedThings = readonly (readonly [beginning: string, kind: ThingKind])[];

export const plain =
  (make: Thing['make']): ThingKind =>
  () => ({ make });
