/** Defines the section `workflows` of `living.yml`, and puts each workflow in effect for its bundles. */
import * as v from 'valibot';
import { translatedTypes } from '../model/base-fields.ts';
import type { Bundle, FieldDefinition } from '../model/bundle.ts';
import { stateField } from '../model/entity.ts';
import type { Workflow } from '../model/workflow.ts';
import { machineName } from './schema-words.ts';

const state = v.strictObject({
  label: v.string(),
  published: v.optional(v.boolean(), false),
  // Without it a change of a published record to this state is a draft of it.
  default_revision: v.optional(v.boolean(), false),
});

const transition = v.strictObject({ label: v.optional(v.string()), from: v.array(machineName), to: machineName });

const workflow = v.pipe(
  v.strictObject({
    label: v.string(),
    default_state: v.optional(machineName, 'draft'),
    states: v.record(machineName, state),
    transitions: v.optional(v.record(machineName, transition), {}),
    bundles: v.record(v.picklist(translatedTypes), v.array(machineName)),
  }),
  v.check(
    ({ states }) => ['draft', 'published'].every((name) => Object.hasOwn(states, name)),
    'must have the states "draft" and "published", which records have that are older than the workflow',
  ),
  v.check(
    ({ states, default_state: usual, transitions }) =>
      [usual, ...Object.values(transitions).flatMap(({ from, to }) => [...from, to])].every((name) =>
        Object.hasOwn(states, name),
      ),
    'must not name a state that it does not have: look at default_state and at from and to of the transitions',
  ),
);

export const workflows = v.record(machineName, workflow);
/** Written out, so that the types of the package need no library. */
export type WorkflowsInput = Readonly<
  Record<
    string,
    {
      readonly label: string;
      readonly default_state: string;
      readonly states: Readonly<
        Record<string, { readonly label: string; readonly published: boolean; readonly default_revision: boolean }>
      >;
      readonly transitions: Readonly<Record<string, { readonly from: readonly string[]; readonly to: string }>>;
      readonly bundles: Readonly<Partial<Record<string, readonly string[]>>>;
    }
  >
>;

type InEffect = { readonly type: string; readonly bundle: string; readonly workflow: Workflow };

/** Which workflow is in effect for which bundle. A bundle has one: the last that names it. */
export const workflowsInEffect = (input: WorkflowsInput = {}): readonly InEffect[] =>
  Object.entries(input).flatMap(([id, { label, default_state: defaultState, transitions, ...given }]) => {
    const states: Workflow['states'] = Object.fromEntries(
      Object.entries(given.states).map(([name, each]) => [
        name,
        { label: each.label, isPublished: each.published, isDefault: each.default_revision },
      ]),
    );
    const made: Workflow = { id, label, defaultState, transitions, states };
    return translatedTypes.flatMap((type) =>
      (given.bundles[type] ?? []).map((bundle) => ({ type, bundle, workflow: made })),
    );
  });

/** Under a workflow each change of a record is a revision, and a record always has a state. */
export const withWorkflow = (bundle: Bundle, inEffect: readonly InEffect[]): Bundle => {
  const found = inEffect.findLast(({ type, bundle: id }) => type === bundle.entityType && id === bundle.id)?.workflow;
  const field = bundle.fields.get(stateField);
  if (found === undefined || field === undefined) return bundle;
  const allowedValues = Object.fromEntries(Object.entries(found.states).map(([id, { label }]) => [id, label]));
  const own: FieldDefinition = { ...field, workflow: found, required: true, allowedValues };
  return { ...bundle, newRevision: true, fields: new Map(bundle.fields).set(stateField, own) };
};

type Described = {
  readonly living: { readonly workflows?: WorkflowsInput | undefined };
  readonly bundles: readonly { readonly content: { readonly entity_type: string; readonly id: string } }[];
  readonly vocabularies: readonly { readonly content: { readonly id: string } }[];
};

/** The bundles that are not there. */
export const workflowViolations = ({ living, bundles, vocabularies }: Described): string[] => {
  const known = [
    ...bundles.map(({ content }) => `${content.entity_type} ${content.id}`),
    ...vocabularies.map(({ content }) => `taxonomy_term ${content.id}`),
  ];
  return workflowsInEffect(living.workflows)
    .filter(({ type, bundle }) => !known.includes(`${type} ${bundle}`))
    .map(
      ({ workflow: { id }, type, bundle }) =>
        `living.yml: workflows.${id}.bundles.${type}: there is no "${bundle}". Add its file, or take it out.`,
    );
};
