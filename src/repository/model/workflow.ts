/** Defines a workflow: the states of records, and who may take a record from one to another, as the module `content_moderation` has them. */
import { isPublished, stateField } from './entity.ts';
import { may, type Principal } from './principal.ts';
import { firstValue, type Entity } from '../../openapi/openapi-records.ts';

export type Workflow = {
  readonly id: string;
  readonly label: string;
  /** The state of a new record. */
  readonly defaultState: string;
  /** A change to a state without `isDefault` leaves a published record as it is: it is a draft of it. */
  readonly states: Readonly<
    Record<string, { readonly label: string; readonly isPublished: boolean; readonly isDefault: boolean }>
  >;
  readonly transitions: Readonly<Record<string, { readonly from: readonly string[]; readonly to: string }>>;
};

/** A record that is older than its workflow has the state that goes with whether it is published. */
export const stateOf = (entity: Entity, { states }: Workflow): string => {
  const stored = firstValue(entity, stateField);
  if (typeof stored === 'string' && Object.hasOwn(states, stored)) return stored;
  return isPublished(entity) ? 'published' : 'draft';
};

/** The transition between two states. There is at most one. */
export const transitionBetween = (workflow: Workflow, from: string, to: string): string | undefined =>
  Object.entries(workflow.transitions).find(([, each]) => each.from.includes(from) && each.to === to)?.[0];

export const permissionOf = ({ id }: Workflow, transition: string): string => `use ${id} transition ${transition}`;

/** Whether the principal may take the record to no state at all, not even to the one that it has. Then it cannot be changed either. */
export const isStuck = (principal: Principal, entity: Entity, workflow: Workflow): boolean => {
  const state = stateOf(entity, workflow);
  return !Object.entries(workflow.transitions).some(
    ([id, { from }]) => from.includes(state) && may(principal, permissionOf(workflow, id)),
  );
};
