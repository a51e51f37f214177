/** Holds records to the workflow of their bundle: which states may be sent, what a state brings with it. The texts are those of `content_moderation`. */
import { inBody } from '../../../openapi/openapi-host.ts';
import { type Bundle, workflowOf } from '../../model/bundle.ts';
import { stateField } from '../../model/entity.ts';
import { permissionOf, stateOf, transitionBetween, type Workflow } from '../../model/workflow.ts';
import type { ReactionContext } from '../../model/reactions.ts';
import { isScalar, quotedInput, scalarText } from '../../fields/values.ts';
import type { ListRule } from '../../fields/rule.ts';
import { items, type Entity, type FieldItems, type FieldName, type Fields } from '../../../openapi/openapi-records.ts';

/** The state exists, a transition leads to it, and the principal may use it. */
export const transition = (
  [item]: Parameters<ListRule>[0],
  workflow: Workflow,
  { state }: Parameters<ListRule>[2],
): ReturnType<ListRule> => {
  const value = item?.['value'];
  const to = isScalar(value) ? scalarText(value) : '';
  if (to === '') return [];
  const known = Object.hasOwn(workflow.states, to) ? workflow.states[to] : undefined;
  if (known === undefined) {
    return [{ message: `State ${quotedInput(to)} does not exist on ${workflow.label} workflow` }];
  }
  if (state === undefined) return [];
  const from = state.before === undefined ? workflow.defaultState : stateOf(state.before, workflow);
  const between = [workflow.states[from]?.label ?? from, 'to', known.label].join(' ');
  const id = transitionBetween(workflow, from, to);
  if (id === undefined) return [{ message: `Invalid state transition from ${between}` }];
  return state.may(permissionOf(workflow, id))
    ? []
    : [{ message: `You do not have access to transition from ${between}` }];
};

/** The fields of a bundle with a state: with that of the record, and published as it says. Without a workflow no state is kept. */
export const withState = (fields: Fields, bundle: Bundle, before?: Entity): Fields => {
  const workflow = workflowOf(bundle);
  const { [stateField]: sent, ...others } = fields;
  if (workflow === undefined) return others;
  const usual = before === undefined ? workflow.defaultState : stateOf(before, workflow);
  const state = scalarText(sent?.[0]?.['value'] ?? usual);
  return {
    ...others,
    [stateField]: [{ value: state }],
    status: [{ value: workflow.states[state]?.isPublished === true }],
  };
};

/** The items of the field that shows the state. */
export const stateItems = (entity: Entity, workflow: Workflow | undefined): FieldItems =>
  workflow === undefined ? [] : [{ value: stateOf(entity, workflow) }];

type Telling = Pick<ReactionContext, 'shown' | 'advise'>;

/**
 * Whether a change of a published record is a draft of it. No read of this interface shows such a draft, and no change builds on it,
 * so it is not kept.
 */
export const isPendingDraft = (before: Entity, after: Entity, bundle: Bundle, { advise }: Telling): boolean => {
  const workflow = workflowOf(bundle);
  if (workflow === undefined) return false;
  const [was, is] = [before, after].map((each) => workflow.states[stateOf(each, workflow)]);
  if (was?.isPublished !== true || is?.isDefault !== false) return false;
  advise?.({ pointer: inBody(stateField), sent: items(after, stateField), stored: undefined, reason: pending });
  return true;
};
const pending =
  'This is a draft of the published record. Reads show the published one, and the next change begins with that.';

/** Where no workflow is in effect, the answer repeats a state that was sent, and nothing else comes of it. */
export const tellState = (
  bundle: Bundle,
  received: ReadonlyMap<FieldName, FieldItems>,
  { shown, advise }: Telling,
): void => {
  const sent = received.get(stateField);
  if (sent === undefined || workflowOf(bundle) !== undefined) return;
  if (shown !== undefined) shown[stateField] = sent;
  if (sent.length > 0) advise?.({ pointer: inBody(stateField), sent, stored: undefined, reason: noWorkflow });
};
const noWorkflow = 'No workflow is in effect for this bundle, so a state has no effect.';
