/** Checks JSON-LD: the form of the graph, its subject and types, and that its values are those of the JSON record. */
import { fieldTypeOf } from '../../../../core/fields/field-types.ts';
import { isRecord } from '../../../../basics/json.ts';
import { graphAdditionsOf } from '../../../../core/model/graph-additions.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckFailure, CheckSkip, expectSame, expectThat, shown } from '../../answer.ts';
import { type Check, contractRule, referenceRule } from '../../check.ts';
import { recordOf, valueIn, valuesIn } from '../../record-members.ts';
import {
  every,
  mapped,
  mappedFields,
  plainId,
  typesOf,
  valuesOf,
  type GraphRule,
  valueRules,
} from './jsonld-values.ts';
import { addressesOf, externalUrisOf } from '../links/read-links.ts';
import { readingCheck, readOk } from './reading-check.ts';
import { allKinds, belowBase, readKind, type SeenKind } from './seen-records.ts';

export const jsonLdChecks = ({ site }: TargetContract): readonly Check[] =>
  allKinds(site).flatMap((kind) =>
    [...graphRules, ...valueRules]
      .filter(({ types }) => types.includes(kind.type))
      .map((rule) => graphCheck(kind, rule)),
  );

const graphCheck = (kind: SeenKind, { name, rule, source, severity, expect }: GraphRule): Check =>
  readingCheck({
    ...{ source, severity },
    name: `json-ld.${kind.word}.${name}`,
    rule: `${rule} (${kind.word}).`,
    operations: [kind.operation],
    run: async (context) => {
      const operation = context.judge.operations.find(({ id }) => id === kind.operation);
      if (operation?.format?.enabled.includes('jsonld') !== true) throw new CheckSkip('The site has no JSON-LD of it.');
      const seen = await readKind(context, kind);
      const { json } = await readOk(context, `${seen.path}?_format=jsonld`);
      const graph = isRecord(json) ? json['@graph'] : undefined;
      const nodes = Array.isArray(graph) ? graph.filter(isRecord) : [];
      const [subject] = nodes;
      if (!Array.isArray(graph) || subject === undefined)
        throw new CheckFailure(`There is no @graph, but ${shown(json)}.`);
      await expect({ ...seen, nodes, subject }, context, kind);
    },
  });

const graphRules: readonly GraphRule[] = [
  {
    ...contractRule('graph', 'contract: Endpoints, rule 11'),
    rule: 'JSON-LD is an object with @graph, whose nodes each have an absolute @id and an @type of IRIs',
    types: every,
    expect: ({ nodes }) => {
      for (const node of nodes) {
        expectThat(/^https?:\/\/./.test(String(node['@id'])), `An @id is ${shown(node['@id'])}.`);
        const types = typesOf(node);
        expectThat(
          types.length > 0 && types.every((type) => /^https?:\/\/./.test(String(type))),
          `An @type is ${shown(types)}.`,
        );
      }
    },
  },
  {
    ...referenceRule('no-context', 'a real site'),
    rule: 'Predicates are full IRIs, each with a list of values, and there is no @context',
    types: mapped,
    expect: async ({ path, subject }, context) => {
      expectThat(!('@context' in recordOf(await readOk(context, `${path}?_format=jsonld`))), 'There is a @context.');
      for (const [name, values] of Object.entries(subject)) {
        if (name.startsWith('@')) continue;
        expectThat(/^[a-z][a-z0-9+.-]*:./i.test(name), `${name} is no IRI.`);
        expectThat(
          Array.isArray(values) && values.length > 0 && values.every(isRecord),
          `${name} is ${shown(values)}.`,
        );
      }
    },
  },
  {
    ...referenceRule('unique-nodes', 'a real site'),
    rule: 'No two nodes of a graph have the same @id',
    types: every,
    expect: ({ nodes }) => {
      const ids = nodes.map((node) => String(node['@id']));
      expectSame(ids, [...new Set(ids)], 'The list of the nodes');
    },
  },
  {
    ...referenceRule('subject', 'contract: Endpoints, rule 11; a real site'),
    rule: 'The first node is the record, by its address; that of a media its file, by the address of the content',
    types: every,
    expect: ({ subject, path, record, bundle }, context, { type }) => {
      const id = plainId(subject['@id']);
      const isFile = type === 'file' || (type === 'media' && graphAdditionsOf(bundle).selfPredicates.length > 0);
      if (!isFile) {
        const own = addressesOf(context, path, record);
        expectThat(own.includes(id), `It is ${shown(id)} in place of ${own.join(' or ')}.`);
        return;
      }
      const url = type === 'file' ? valueIn(record, 'uri', 'url') : valueIn(record, bundle.source?.field ?? '', 'url');
      expectSame(belowBase(context, id), belowBase(context, String(url)));
    },
  },
  {
    ...referenceRule('types', 'a real site'),
    rule: 'The subject has the types of the mapping, and the external URIs of its model or use',
    types: ['node', 'media'],
    expect: async ({ subject, record, bundle }, context) => {
      const types = typesOf(subject);
      for (const type of bundle.rdf?.types ?? []) expectThat(types.includes(type), `It lacks the type ${type}.`);
      for (const field of graphAdditionsOf(bundle).typeFields) {
        for (const id of valuesIn(record, field, 'target_id')) {
          const term = recordOf(await readOk(context, `/taxonomy/term/${String(id)}?_format=json`));
          const uris = externalUrisOf(term);
          const isThere = uris.length === 0 || uris.some((uri) => types.includes(uri));
          expectThat(isThere, `It lacks the type ${shown(uris[0])} of ${field}.`);
        }
      }
    },
  },
  {
    ...referenceRule('self', 'a real site'),
    rule: 'The subject says which record it is: a node is sameAs itself, a file is describedby its media',
    types: ['node', 'media'],
    expect: ({ subject, path, record, bundle }, context) => {
      const own = addressesOf(context, path, record);
      for (const predicate of graphAdditionsOf(bundle).selfPredicates) {
        const ids = valuesOf(subject, predicate).map((value) => plainId(value['@id']));
        expectThat(
          ids.some((id) => own.includes(id)),
          `${predicate} is ${shown(ids)}.`,
        );
      }
    },
  },
  {
    ...referenceRule('relations', 'a real site, typed_relation'),
    rule: 'A typed relation is under the IRI of its relation',
    types: ['node'],
    expect: ({ record, bundle, subject }) => {
      const relations = [...bundle.fields.values()]
        .filter((field) => fieldTypeOf(field).refers === 'with-role')
        .flatMap(({ name }) => valuesIn(record, name, 'rel_type'));
      if (relations.length === 0) throw new CheckSkip('The node has no typed relation.');
      for (const relation of relations) {
        const code = /^relators:(.+)$/.exec(String(relation))?.[1];
        const iri = `http://id.loc.gov/vocabulary/relators/${code ?? ''}`;
        expectThat(code === undefined || valuesOf(subject, iri).length > 0, `There is no ${iri}.`);
      }
    },
  },
  {
    ...referenceRule('targets', 'a real site'),
    rule: 'Each record that a mapped field refers to is a node of the graph with @id and @type alone',
    types: ['node', 'media'],
    expect: ({ nodes, subject, bundle }) => {
      const ids = new Set(nodes.map((node) => node['@id']));
      for (const [field, predicates] of mappedFields(bundle)) {
        if (fieldTypeOf(field).refers !== 'plainly') continue;
        const missing = predicates
          .flatMap((predicate) => valuesOf(subject, predicate))
          .find((value) => '@id' in value && !ids.has(value['@id']));
        expectThat(missing === undefined, `${shown(missing)} of ${field.name} is not a node of the graph.`);
      }
      for (const node of nodes.slice(1)) {
        expectSame(Object.keys(node).sort(), ['@id', '@type'], 'What a target has');
      }
    },
  },
  {
    ...referenceRule('mapped-only', 'a real site'),
    rule: 'The subject has no predicate but those of the mapping, of its relations, and of itself',
    types: mapped,
    expect: ({ subject, bundle }) => {
      const known = new Set([
        ...mappedFields(bundle).flatMap(([, predicates]) => predicates),
        ...graphAdditionsOf(bundle).selfPredicates,
      ]);
      const other = Object.keys(subject).find(
        (name) =>
          !name.startsWith('@') && !known.has(name) && !name.startsWith('http://id.loc.gov/vocabulary/relators/'),
      );
      expectThat(other === undefined, `It has ${String(other)}.`);
    },
  },
  {
    ...referenceRule('uri-member', 'a real site, File'),
    rule: 'The JSON-LD of a file has the address of its content next to the graph',
    types: ['file'],
    expect: async ({ path, subject }, context) => {
      const json = recordOf(await readOk(context, `${path}?_format=jsonld`));
      expectSame(valueIn(json, 'uri'), subject['@id']);
    },
  },
];
