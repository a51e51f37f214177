/** Reads which records follow a workflow: `workflows.workflow.*` of the module `content_moderation`. */
import { translatedTypes } from '../../../repository/repository.ts';
import type { LivingInput } from '../../../repository/repository-sites.ts';
import { readRows, type Rows } from '../../../basics/exported/rows.ts';
import { bundleIdsOf, type Configuration, hasModule, type Named } from '../configuration.ts';
import {
  booleanOf,
  type Data,
  dataOf,
  filledTextOf,
  numberOf,
  textsOf,
} from '../../../basics/exported/lenient-values.ts';
import type { Reporter } from '../report.ts';

type Workflows = NonNullable<LivingInput['workflows']>;

/** Undefined where no record follows one. */
export const workflowsIn = (configuration: Configuration, reporter: Reporter): Workflows | undefined => {
  if (!hasModule(configuration, 'content_moderation')) return undefined;
  const bundles = bundleIdsOf(configuration);
  const read = configuration.family('workflows.workflow').flatMap((each) => {
    const workflow = workflowIn(each, bundles, reporter);
    return workflow === undefined ? [] : [[each.id, workflow] as const];
  });
  return read.length === 0 ? undefined : Object.fromEntries(read);
};

const workflowIn = (
  { name, data }: Named,
  known: { readonly [T in (typeof translatedTypes)[number]]: readonly string[] },
  reporter: Reporter,
): Workflows[string] | undefined => {
  const settings = dataOf(data['type_settings']);
  const types = dataOf(settings['entity_types']);
  const bundles = Object.fromEntries(
    translatedTypes.flatMap((type) => {
      const there = textsOf(types[type]).filter((bundle) => known[type].includes(bundle));
      return there.length === 0 ? [] : [[type, there] as const];
    }),
  );
  if (Object.keys(bundles).length === 0) {
    reporter.remark(name, 'workflows are for nodes, media and terms that the site has');
    return undefined;
  }
  reporter.taken('workflows');
  return {
    label: filledTextOf(data['label']) ?? name,
    ...readRows(settingRows, settings),
    states: inOrder(settings['states'], (id, state) => ({ label: id, ...readRows(stateRows, state) })),
    transitions: inOrder(settings['transitions'], (id, each) => ({ label: id, ...readRows(transitionRows, each) })),
    bundles,
  };
};

const settingRows = {
  default_state: ['default_moderation_state', (value) => filledTextOf(value) ?? 'draft'],
} satisfies Rows;
const isOn = (value: unknown): boolean => booleanOf(value) ?? false;
const stateRows = {
  label: ['label', filledTextOf],
  published: ['published', isOn],
  default_revision: ['default_revision', isOn],
} satisfies Rows;
const transitionRows = {
  label: ['label', filledTextOf],
  from: ['from', (value) => [...textsOf(value)]],
  to: ['to', (value) => filledTextOf(value) ?? ''],
} satisfies Rows;

/** By weight, as people see them. */
const inOrder = <T>(value: unknown, read: (id: string, each: Data) => T): Record<string, T> =>
  Object.fromEntries(
    Object.entries(dataOf(value))
      .map(([id, each]) => [id, dataOf(each)] as const)
      .sort(([, a], [, b]) => (numberOf(a['weight']) ?? 0) - (numberOf(b['weight']) ?? 0))
      .map(([id, each]) => [id, read(id, each)]),
  );
