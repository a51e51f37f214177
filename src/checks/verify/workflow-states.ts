/** Says in the words of a bundle whether a record is published: by its state where the bundle follows a workflow, else by its status. */
import { stateField, type Bundle, publishedAs, workflowOf, type Workflow } from '../../repository/repository.ts';
import { CheckSkip } from './answer.ts';
import type { JsonRecord } from './record-members.ts';

/** What a new record needs to be published. Empty where it is by itself. */
export const bornPublished = (bundle: Bundle | undefined): JsonRecord =>
  workflowOf(bundle) === undefined ? {} : publishedAs(bundle, true);

/** What makes a record published or not, a new one or one that is the other. Throws `CheckSkip` where nothing takes it back. */
export const publishing = (bundle: Bundle | undefined, isPublished: boolean, record: 'new' | 'present'): JsonRecord => {
  const workflow = workflowOf(bundle);
  if (workflow === undefined || isPublished || record === 'new') return publishedAs(bundle, isPublished);
  const state = stateAfterPublished(workflow);
  if (state === undefined) throw new CheckSkip('The workflow takes no published record back.');
  return { [stateField]: [{ value: state }] };
};

/** A state that a published record can be taken to, as a whole and not as a draft of it. */
const stateAfterPublished = ({ states, transitions }: Workflow): string | undefined =>
  Object.values(transitions).find(
    ({ from, to }) => from.includes('published') && states[to]?.isDefault === true && !states[to].isPublished,
  )?.to;

/** Which account may do what there is for the transitions to say, which these checks do not follow. */
export const skipModerated = (bundle: Bundle): void => {
  if (workflowOf(bundle) !== undefined)
    throw new CheckSkip(`Records of ${bundle.id} follow a workflow, whose transitions decide who may change them.`);
};
