/**
 * Reads the contexts that change the JSON-LD of records: types from terms, and a statement that names the record itself.
 * `living/derivatives.ts` reads those that send messages. All other reactions change no answer.
 */
import { fieldTypeOf, graphAdditionsOf } from '../../repository/repository.ts';
import { filled } from '../../basics/json.ts';
import { areEqual } from '../../basics/equal-values.ts';
import { sendsMessages } from './living/derivatives.ts';
import { expandedName } from './namespaces.ts';
import type { Configuration, Named } from './configuration.ts';
import { booleanOf, dataOf, filledTextOf, listOf, namesOf, type Data } from '../../basics/exported/lenient-values.ts';
import type { BundleType, GraphAdditionsReader } from './import-context.ts';
import type { Reporter } from './report.ts';

/** A context whose reactions change a graph. */
type GraphContext = {
  readonly name: string;
  readonly holdsFor: (type: BundleType, bundle: string, fields: readonly string[]) => boolean;
  readonly typeField: string | undefined;
  readonly selfPredicate: string | undefined;
};

/** A part of a site says nothing of contexts that other parts may bring: then there is what is usual. */
export const graphAdditionsReader = (
  configuration: Configuration,
  namespaces: Readonly<Record<string, string>>,
  reporter: Reporter,
): GraphAdditionsReader => {
  const contexts = configuration.family('context.context').flatMap((named) => graphContextOf(named, reporter));
  if (contexts.length === 0 && !configuration.isWhole) return () => ({});
  return (type, bundle, fields) => {
    const holding = contexts.filter(({ holdsFor }) => holdsFor(type, bundle, Object.keys(fields)));
    const jsonld = {
      types_of: distinct(holding.flatMap(({ name, typeField }) => typeFieldOf(name, typeField, fields, reporter))),
      self: distinct(
        holding.flatMap(({ name, selfPredicate: predicate }) => {
          if (predicate === undefined || expandedName(predicate, namespaces) !== undefined) return predicate ?? [];
          reporter.partly(name, `no namespace has the prefix of ${predicate.slice(0, 60)}`);
          return [];
        }),
      ),
    };
    return isUsual(type, jsonld, fields, namespaces) ? {} : { jsonld: filled(jsonld) };
  };
};

const distinct = (names: readonly string[]): string[] => [...new Set(names)];

const typeFieldOf = (
  where: string,
  name: string | undefined,
  fields: Readonly<Record<string, { readonly type: string }>>,
  reporter: Reporter,
): string[] => {
  const type = name === undefined ? undefined : fields[name]?.type;
  if (name === undefined || type === undefined) return [];
  if (fieldTypeOf({ type }).refers === 'plainly') return [name];
  reporter.partly(where, `the types come from ${name.slice(0, 60)}, which is not a reference`);
  return [];
};

/** A field that the bundle does not have adds nothing, so it need not be left out of what is usual. */
const isUsual = (
  entityType: BundleType,
  { types_of: types, self }: { readonly types_of: readonly string[]; readonly self: readonly string[] },
  fields: Readonly<Record<string, unknown>>,
  namespaces: Readonly<Record<string, string>>,
): boolean => {
  const { typeFields, selfPredicates } = graphAdditionsOf({ entityType });
  const there = typeFields.filter((name) => Object.hasOwn(fields, name));
  const subjects = self.map((name) => expandedName(name, namespaces));
  return areEqual(types, there) && areEqual(subjects, selfPredicates);
};

const graphContextOf = (named: Named, reporter: Reporter): GraphContext[] => {
  const { name, data } = named;
  const reactions = listOf(data['reactions']).map(dataOf);
  const reaction = (id: string): Data => reactions.find((each) => each['id'] === id) ?? {};
  const typeField = filledTextOf(reaction('alter_jsonld_type')['source_field']);
  const selfPredicate = filledTextOf(reaction('islandora_map_uri_predicate')['drupal_uri_predicate']);
  if ((typeField === undefined && selfPredicate === undefined) || booleanOf(data['disabled']) === true) {
    const isOn = booleanOf(data['disabled']) !== true;
    if (!isOn || !sendsMessages(named)) reporter.remark(name, 'no reaction of this context changes an answer');
    return [];
  }
  reporter.taken('contexts');
  const conditions = listOf(data['conditions']).map((each) => conditionOf(name, dataOf(each), reporter));
  const needsAll = booleanOf(data['requireAllConditions']) === true || conditions.length === 0;
  const holdsFor: GraphContext['holdsFor'] = (...record) =>
    needsAll ? conditions.every((holds) => holds(...record)) : conditions.some((holds) => holds(...record));
  return [{ name, holdsFor, typeField, selfPredicate }];
};

/** The conditions that depend on the bundle alone: the type of the records, and the fields that say it in place of the bundle's name. */
const conditions: Readonly<Record<string, { readonly type?: BundleType; readonly needs?: readonly string[] }>> = {
  islandora_entity_bundle: {},
  node_type: { type: 'node' },
  'entity_bundle:node': { type: 'node' },
  'entity_bundle:media': { type: 'media' },
  'entity_bundle:taxonomy_term': { type: 'taxonomy_term' },
  node_is_islandora_object: { type: 'node', needs: ['field_member_of'] },
  media_is_islandora_media: { type: 'media', needs: ['field_media_of', 'field_media_use'] },
};

const conditionOf = (where: string, condition: Data, reporter: Reporter): GraphContext['holdsFor'] => {
  const id = filledTextOf(condition['id']) ?? '';
  const known = Object.hasOwn(conditions, id) ? conditions[id] : undefined;
  if (known === undefined) {
    const why = `the condition ${id.slice(0, 60)} depends on more than the bundle, so it holds for no record`;
    reporter.partly(where, why);
    return () => false;
  }
  const isNegated = booleanOf(condition['negate']) === true;
  const bundles = namesOf(condition['bundles']);
  // Without a word about which records it looks at: all.
  const mapping = Object.keys(dataOf(condition['context_mapping']));
  const isOf = (type: BundleType): boolean =>
    known.type === undefined ? mapping.length === 0 || mapping.includes(type) : known.type === type;
  return (type, bundle, fields) => {
    const isNamed =
      known.needs?.every((name) => fields.includes(name)) ?? (bundles.length === 0 || bundles.includes(bundle));
    return (isOf(type) && isNamed) !== isNegated;
  };
};
