/** Reads which records follow a workflow: `workflows.workflow.*` of the module `content_moderation`. */
import { translatedTypes } from '../../../core/model/base-fields.ts';
import type { LivingInput } from '../../../core/site/living-file.ts';
import { type Configuration, hasModule, type Named } from '../configuration.ts';
import { booleanOf, type Data, dataOf, filledTextOf, numberOf, textsOf } from '../../../basics/lenient-values.ts';
import type { Reporter } from '../report.ts';

type Workflows = NonNullable<LivingInput['workflows']>;

/** Undefined where no record follows one. */
export const workflowsIn = (configuration: Configuration, reporter: Reporter): Workflows | undefined => {
  if (!hasModule(configuration, 'content_moderation')) return undefined;
  const bundles = {
    node: configuration.ids('node.type'),
    media: configuration.ids('media.type'),
    taxonomy_term: configuration.ids('taxonomy.vocabulary'),
  };
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
  const usual = filledTextOf(settings['default_moderation_state']);
  return {
    label: filledTextOf(data['label']) ?? name,
    default_state: usual ?? 'draft',
    states: Object.fromEntries(
      inOrder(settings['states']).map(([id, state]) => [
        id,
        {
          label: filledTextOf(state['label']) ?? id,
          published: booleanOf(state['published']) ?? false,
          default_revision: booleanOf(state['default_revision']) ?? false,
        },
      ]),
    ),
    transitions: Object.fromEntries(
      inOrder(settings['transitions']).map(([id, transition]) => [
        id,
        {
          label: filledTextOf(transition['label']) ?? id,
          from: [...textsOf(transition['from'])],
          to: filledTextOf(transition['to']) ?? '',
        },
      ]),
    ),
    bundles,
  };
};

/** By weight, as people see them. */
const inOrder = (value: unknown): readonly (readonly [string, Data])[] =>
  Object.entries(dataOf(value))
    .map(([id, each]) => [id, dataOf(each)] as const)
    .sort(([, a], [, b]) => (numberOf(a['weight']) ?? 0) - (numberOf(b['weight']) ?? 0));
