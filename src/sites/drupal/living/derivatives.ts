/** Reads which messages a site sends after a write: the contexts that index, delete or derive, and the actions that they name. */
import { filled } from '../../../basics/json.ts';
import type { Configuration, Named } from '../configuration.ts';
import {
  booleanOf,
  dataOf,
  filledTextOf,
  listOf,
  namesOf,
  textOf,
  wholeOf,
  yesOf,
  type Data,
} from '../../../basics/exported/lenient-values.ts';
import type { Reporter } from '../report.ts';

const reactions = ['index', 'delete', 'derivative'] as const;
type ReactionName = (typeof reactions)[number];

/** The conditions that can be judged, with the types of records that each may look at. */
const conditionTypes: Readonly<Record<string, readonly string[]>> = {
  content_entity_type: ['node', 'media', 'file', 'taxonomy_term'],
  file_uses_filesystem: ['file'],
  islandora_entity_bundle: ['node', 'media', 'file', 'taxonomy_term'],
  media_has_term: ['media'],
  media_is_islandora_media: ['media'],
  media_source_mimetype: ['media'],
  media_uses_filesystem: ['media'],
  node_has_term: ['node'],
  node_is_islandora_object: ['node'],
  node_is_published: ['node'],
  parent_node_has_term: ['media'],
};

/** The address of Fedora is in no configuration but that of the web server. open: this is the usual one. */
const usualTarget = 'http://localhost:8080/fcrepo/rest/';

/** The actions that a context names for a reaction. */
const actionsOf = ({ data }: Named, reaction: ReactionName): readonly string[] =>
  listOf(data['reactions'])
    .map(dataOf)
    .filter(({ id }) => id === reaction)
    .flatMap(({ actions }) => namesOf(actions));

/** Whether a context sends messages. */
export const sendsMessages = (context: Named): boolean =>
  reactions.some((reaction) => actionsOf(context, reaction).length > 0);

/** The platform's own conditions on bundles name the type of the records: `entity_bundle:node`, and `node_type` before. */
const bundleConditionOf = (id: string, condition: Data): Data | undefined => {
  const [, type] = /^entity_bundle:(\w+)$/.exec(id === 'node_type' ? 'entity_bundle:node' : id) ?? [];
  if (type === undefined || !(conditionTypes['content_entity_type'] ?? []).includes(type)) return undefined;
  return filled({
    is: 'entity_bundle',
    negate: yesOf(condition['negate']),
    of: [type],
    bundles: namesOf(condition['bundles']),
  });
};

const conditionOf = (condition: Data): Data | undefined => {
  const is = filledTextOf(condition['id']) ?? '';
  const ofBundle = bundleConditionOf(is, condition);
  if (ofBundle !== undefined) return ofBundle;
  const types = Object.hasOwn(conditionTypes, is) ? conditionTypes[is] : undefined;
  if (types === undefined) return undefined;
  const mapping = Object.keys(dataOf(condition['context_mapping']));
  const looksAt = is === 'content_entity_type' ? namesOf(condition['types']) : mapping;
  const of = types.length === 1 ? [] : types.filter((type) => looksAt.includes(type));
  const uris = (filledTextOf(condition['uri']) ?? '').split(',').filter((uri) => uri !== '');
  return filled({
    is,
    negate: yesOf(condition['negate']),
    of,
    uris,
    every: uris.length > 1 && condition['logic'] !== 'or' ? true : undefined,
    bundles: namesOf(condition['bundles']),
    filesystems: namesOf(condition['filesystems']),
    mimetype: filledTextOf(condition['mimetype']),
  });
};

type Actions = ReadonlyMap<string, Data>;

/** A condition that cannot be judged holds for no record, and so does a context that needs it. */
const contextOf = (named: Named, actions: Actions, reporter: Reporter): readonly Data[] => {
  const { id, name, data } = named;
  const conditions = listOf(data['conditions']).map(dataOf);
  const known = conditions.flatMap((each) => {
    const condition = conditionOf(each);
    if (condition !== undefined) return [condition];
    const what = (filledTextOf(each['id']) ?? '').slice(0, 60);
    reporter.partly(name, `the condition ${what} of a context that sends messages is not known`);
    return [];
  });
  const byReaction = reactions.map(
    (reaction) => [reaction, actionsOf(named, reaction).filter((action) => actions.has(action))] as const,
  );
  const isEvery = booleanOf(data['requireAllConditions']) === true;
  const isLost = known.length < conditions.length && (isEvery || known.length === 0);
  if (isLost) return [];
  reporter.taken('contexts that send messages');
  return [
    filled({
      id,
      weight: wholeOf(data['weight']) || undefined,
      every: isEvery && conditions.length > 1 ? true : undefined,
      conditions: known,
      ...Object.fromEntries(byReaction),
    }),
  ];
};

const events = ['Create', 'Update', 'Delete', 'Generate Derivative'];
const derivativeKeys = [
  ...['source_term_uri', 'derivative_term_uri', 'destination_media_type', 'mimetype', 'scheme', 'path'],
] as const;

const actionOf = ({ name, data }: Named, reporter: Reporter): Data | undefined => {
  const settings = dataOf(data['configuration']);
  const queue = filledTextOf(settings['queue']);
  const event = events.find((each) => each === settings['event']);
  if (queue === undefined || event === undefined || settings['destination_field_name'] !== undefined) {
    reporter.partly(name, 'an action that a context names, but its message is not known');
    return undefined;
  }
  reporter.taken('actions');
  if (event !== 'Generate Derivative') return { queue, event };
  const named = derivativeKeys.map((key) => [key, filledTextOf(settings[key])] as const);
  return filled({ queue, event, ...Object.fromEntries(named), args: textOf(settings['args']) ?? null });
};

/** The section `derivatives` of `living.yml`. Undefined for a site that sends nothing. */
export const derivativesOf = (
  configuration: Configuration,
  { schemes, reporter }: { readonly schemes: ReadonlySet<string>; readonly reporter: Reporter },
): Data | undefined => {
  const sending = configuration
    .family('context.context')
    .filter(({ data }) => booleanOf(data['disabled']) !== true)
    .filter(sendsMessages);
  const wanted = new Set(sending.flatMap((named) => reactions.flatMap((reaction) => actionsOf(named, reaction))));
  const actions: Actions = new Map(
    configuration
      .family('system.action')
      .filter(({ id }) => wanted.has(id))
      .flatMap((named) => {
        const action = actionOf(named, reporter);
        return action === undefined ? [] : [[named.id, action] as const];
      }),
  );
  const contexts = sending
    .filter((named) => reactions.some((reaction) => actionsOf(named, reaction).some((name) => actions.has(name))))
    .flatMap((named) => contextOf(named, actions, reporter));
  if (contexts.length === 0) return undefined;
  return {
    ...(schemes.has('fedora') ? { target: usualTarget } : {}),
    contexts,
    actions: Object.fromEntries(actions),
  };
};
