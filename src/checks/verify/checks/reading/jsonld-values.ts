/** Checks that the values of JSON-LD are those of the JSON record: texts, times, numbers and references. */
import { isRecord } from '../../../../basics/json.ts';
import type { FieldDefinition } from '../../../../core/model/bundle.ts';
import { CheckSkip, expectThat, shown } from '../../answer.ts';
import type { CheckContext } from '../../check.ts';
import { itemsOf, valueIn, type JsonRecord } from '../writing/record-values.ts';
import { mapped, mappedFields, plainId, valuesOf, type Graph, type GraphRule } from './jsonld-graph.ts';
import { belowBase, recordPath } from './seen-records.ts';

const xsd = 'http://www.w3.org/2001/XMLSchema#';

/** Throws unless each value of the fields of these types is in the graph, written as `write` says. */
const expectValues = (
  { record, bundle, subject }: Graph,
  types: readonly string[],
  write: (item: JsonRecord, field: FieldDefinition) => JsonRecord | undefined,
): void => {
  let seen = 0;
  for (const [field, predicates] of mappedFields(bundle).filter(([{ type }]) => types.includes(type))) {
    for (const item of itemsOf(record, field.name)) {
      const wanted = write(item, field);
      if (wanted === undefined) continue;
      for (const predicate of predicates) {
        seen += 1;
        const found = valuesOf(subject, predicate);
        const isThere = found.some((value) => Object.entries(wanted).every(([key, part]) => value[key] === part));
        expectThat(
          isThere,
          `${predicate} has no ${shown(wanted)} for ${field.name}, but ${shown(subject[predicate])}.`,
        );
      }
    }
  }
  if (seen === 0) throw new CheckSkip('The record has no such value.');
};

/** The subject with each `@id` of another record as a path below the base URL. */
const plainReferences = (subject: JsonRecord, context: CheckContext): JsonRecord =>
  Object.fromEntries(
    Object.entries(subject).map(([name, values]) => [
      name,
      Array.isArray(values)
        ? values.map((value: unknown) =>
            isRecord(value) && typeof value['@id'] === 'string'
              ? { ...value, '@id': belowBase(context, plainId(value['@id'])) ?? value['@id'] }
              : value,
          )
        : values,
    ]),
  );

export const valueRules: readonly GraphRule[] = [
  {
    name: 'texts',
    rule: 'Texts are those of the JSON: with their language, or typed as strings',
    types: mapped,
    source: 'contract: Endpoints, rule 11; a real site',
    expect: (graph) => {
      const language = valueIn(graph.record, 'langcode');
      expectValues(graph, ['string', 'string_long', 'text', 'text_long'], ({ value }, { translatable }) =>
        typeof value !== 'string'
          ? undefined
          : { '@value': value, ...(translatable ? { '@language': language } : { '@type': `${xsd}string` }) },
      );
    },
  },
  {
    name: 'times',
    rule: 'Times are those of the JSON, typed as dateTime',
    types: mapped,
    source: 'contract: Endpoints, rule 11; a real site',
    expect: (graph) =>
      expectValues(graph, ['timestamp', 'changed'], ({ value }) => ({ '@value': value, '@type': `${xsd}dateTime` })),
  },
  {
    name: 'integers',
    rule: 'Integers are those of the JSON, written as text and typed as int',
    types: mapped,
    source: 'a real site',
    expect: (graph) =>
      expectValues(graph, ['integer'], ({ value }, { configured }) =>
        configured ? { '@value': String(value), '@type': `${xsd}int` } : undefined,
      ),
  },
  {
    name: 'references',
    rule: 'References are those of the JSON, as @id of the target under each predicate of the field',
    types: mapped,
    source: 'a real site',
    expect: (graph, context) => {
      const written = { ...graph, subject: plainReferences(graph.subject, context) };
      expectValues(written, ['entity_reference', 'typed_relation'], ({ target_id: id, target_type: type, url }) =>
        typeof id === 'number' && typeof url === 'string' && type !== 'file'
          ? { '@id': belowBase(context, url) ?? recordPath(context, 'node', id) }
          : undefined,
      );
    },
  },
];
