/** Checks JSON-LD: the form of the graph, and that it says what Atoll makes of the JSON record. */
import { areEqual } from '../../../../basics/equal-values.ts';
import { isRecord } from '../../../../basics/json.ts';
import { fieldTypeOf, type Bundle, type FieldDefinition, graphAdditionsOf } from '../../../../repository/repository.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckFailure, CheckSkip, expectSame, expectThat, shown } from '../../answer.ts';
import type { Check, CheckContext } from '../../check.ts';
import { itemsOf, recordOf, type JsonRecord } from '../../record-members.ts';
import { expectNone, readOk } from './reading-check.ts';
import { graphsOf } from './record-oracle.ts';
import { allKinds, formatsOf, readKind, type SeenKind, type SeenRecord, recordsOf } from './seen-records.ts';
import { contractRule, referenceRule, checksOf, type Rule } from '../../rule.ts';

export const jsonLdChecks = ({ site }: TargetContract): readonly Check[] =>
  allKinds(site).flatMap((kind) => checksOf(recordsOf('json-ld', kind, readGraph), rules));

type Graph = { readonly whole: JsonRecord; readonly nodes: readonly JsonRecord[]; readonly subject: JsonRecord };

/** The graph of the target, and the one that Atoll makes of the same record. */
type SeenGraph = SeenRecord & Graph & { readonly wanted: Graph };

const readGraph = async (context: CheckContext, kind: SeenKind): Promise<SeenGraph> => {
  if (!formatsOf(context, kind).includes('jsonld')) throw new CheckSkip('The site has no JSON-LD of it.');
  const seen = await readKind(context, kind);
  const answer = await readOk(context, `${seen.path}?_format=jsonld`);
  const [own, wanted] = await graphsOf(context, seen, recordOf(answer));
  return { ...seen, ...graphOf(own), wanted: graphOf(wanted) };
};

/** Throws `CheckFailure` where there is no graph. */
const graphOf = (whole: JsonRecord): Graph => {
  const nodes = itemsOf(whole, '@graph');
  const [subject] = nodes;
  if (subject === undefined) throw new CheckFailure(`There is no @graph, but ${shown(whole)}.`);
  return { whole, nodes, subject };
};

const typesOf = ({ '@type': types }: JsonRecord): readonly unknown[] => [types].flat();

/** The predicates of the mapped fields of a bundle. */
const predicatesOf = (
  { rdf, fields }: Bundle,
  isMeant: (field: FieldDefinition) => boolean = () => true,
): readonly string[] =>
  [...(rdf?.fields ?? [])].flatMap(([name, predicates]) => {
    const field = fields.get(name);
    return field !== undefined && isMeant(field) ? predicates : [];
  });

/** Throws unless the subject has every value that Atoll writes under these predicates. */
const expectValues = (
  { subject, wanted }: SeenGraph,
  predicates: readonly string[],
  none = 'The record has no such value.',
): void => {
  const due = predicates.flatMap((name) => itemsOf(wanted.subject, name).map((value) => [name, value] as const));
  if (due.length === 0) throw new CheckSkip(none);
  for (const [name, value] of due) {
    const isThere = itemsOf(subject, name).some((own) => areEqual(own, value));
    expectThat(isThere, `${name} has no ${shown(value)}, but ${shown(subject[name])}.`);
  }
};

/** A rule about the values of the mapped fields of these types. */
const ofTypes =
  (...types: readonly string[]) =>
  (graph: SeenGraph): void =>
    expectValues(
      graph,
      predicatesOf(graph.bundle, ({ type }) => types.includes(type)),
    );

/** The predicates of the subject that are neither those of the mapping nor those that name the record itself. */
const otherPredicates = ({ bundle }: SeenGraph, subject: JsonRecord): readonly string[] => {
  const known = new Set([...predicatesOf(bundle), ...graphAdditionsOf(bundle).selfPredicates]);
  return Object.keys(subject).filter((name) => !name.startsWith('@') && !known.has(name));
};

const relators = 'http://id.loc.gov/vocabulary/relators/';

const mapped: readonly string[] = ['node', 'media', 'taxonomy_term'];

const rules: readonly Rule<SeenGraph>[] = [
  contractRule('graph', 'contract: Endpoints, rule 11')(
    'JSON-LD is an object with @graph, whose nodes each have an absolute @id and an @type of IRIs',
    ({ nodes }) => {
      for (const node of nodes) {
        const isAbsolute = [node['@id'], ...typesOf(node)].every((iri) => /^https?:\/\/./.test(String(iri)));
        expectThat(isAbsolute, `An @id is ${shown(node['@id'])}, with the @type ${shown(node['@type'])}.`);
      }
    },
  ),
  referenceRule('no-context', 'a real site')(
    'Predicates are full IRIs, each with a list of values, and there is no @context',
    ({ whole, subject }) => {
      expectThat(!('@context' in whole), 'There is a @context.');
      for (const name of Object.keys(subject).filter((each) => !each.startsWith('@'))) {
        expectThat(/^[a-z][a-z0-9+.-]*:./i.test(name), `${name} is no IRI.`);
        const values = subject[name];
        const isList = Array.isArray(values) && values.length > 0 && values.every(isRecord);
        expectThat(isList, `${name} is ${shown(values)}.`);
      }
    },
    { types: mapped },
  ),
  referenceRule('unique-nodes', 'a real site')('No two nodes of a graph have the same @id', ({ nodes }) => {
    const ids = nodes.map((node) => String(node['@id']));
    expectSame(ids, [...new Set(ids)], 'The list of the nodes');
  }),
  referenceRule('subject', 'contract: Endpoints, rule 11; a real site')(
    'The first node is the record, by its address; that of a media its file, by the address of the content',
    ({ subject, wanted }) => expectSame(subject['@id'], wanted.subject['@id']),
  ),
  referenceRule('types', 'a real site')(
    'The subject has the types of the mapping, and the external URIs of its model or use',
    ({ subject, wanted }) => {
      const own = typesOf(subject);
      expectNone(typesOf(wanted.subject).flatMap((type) => (own.includes(type) ? [] : [`It lacks ${shown(type)}.`])));
    },
    { types: ['node', 'media'] },
  ),
  referenceRule('self', 'a real site')(
    'The subject says which record it is: a node is sameAs itself, a file is describedby its media',
    (graph) => expectValues(graph, graphAdditionsOf(graph.bundle).selfPredicates),
    { types: ['node', 'media'] },
  ),
  referenceRule('relations', 'a real site, typed_relation')(
    'A typed relation is under the IRI of its relation',
    (graph) => expectValues(graph, otherPredicates(graph, graph.wanted.subject), 'The node has no typed relation.'),
    { types: ['node'] },
  ),
  referenceRule('targets', 'a real site')(
    'Each record that a mapped field refers to is a node of the graph with @id and @type alone',
    ({ nodes: [, ...targets], wanted }) => {
      const missing = wanted.nodes.slice(1).find((node) => !targets.some((own) => areEqual(own, node)));
      expectThat(missing === undefined, `${shown(missing)} is not a node of the graph.`);
      for (const node of targets) expectSame(Object.keys(node).sort(), ['@id', '@type'], 'What a target has');
    },
    { types: ['node', 'media'] },
  ),
  referenceRule('mapped-only', 'a real site')(
    'The subject has no predicate but those of the mapping, of its relations, and of itself',
    (graph) => {
      // The target of a relation may be hidden from the reader of the record.
      const isDue = (name: string): boolean => name in graph.wanted.subject || name.startsWith(relators);
      const other = otherPredicates(graph, graph.subject).find((name) => !isDue(name));
      expectThat(other === undefined, `It has ${String(other)}.`);
    },
    { types: mapped },
  ),
  referenceRule('uri-member', 'a real site, File')(
    'The JSON-LD of a file has the address of its content next to the graph',
    ({ whole, wanted }) => expectSame(whole['uri'], wanted.whole['uri'], 'The member uri'),
    { types: ['file'] },
  ),
  referenceRule('texts', 'contract: Endpoints, rule 11; a real site')(
    'Texts are those of the JSON: with their language, or typed as strings',
    ofTypes('string', 'string_long', 'text', 'text_long'),
    { types: mapped },
  ),
  referenceRule('times', 'contract: Endpoints, rule 11; a real site')(
    'Times are those of the JSON, typed as dateTime',
    ofTypes('timestamp', 'changed'),
    { types: mapped },
  ),
  referenceRule('integers', 'a real site')(
    'Integers are those of the JSON, written as text and typed as int',
    ofTypes('integer'),
    { types: mapped },
  ),
  referenceRule('references', 'a real site')(
    'References are those of the JSON, as @id of the target under each predicate of the field',
    (graph) =>
      expectValues(
        graph,
        predicatesOf(graph.bundle, (field) => fieldTypeOf(field).refers !== undefined),
      ),
    { types: mapped },
  ),
];
