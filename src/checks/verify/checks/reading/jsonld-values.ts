/** Checks that the values of JSON-LD are those of the JSON record: texts, times, numbers and references. */
import { fieldTypes } from '../../../../core/fields/field-types.ts';
import { isRecord } from '../../../../basics/json.ts';
import type { Bundle, FieldDefinition } from '../../../../core/model/bundle.ts';
import { CheckSkip, expectThat, shown } from '../../answer.ts';
import { type CheckContext, referenceRule, type RuleHead } from '../../check.ts';
import { itemsOf, type JsonRecord, valueIn } from '../../record-members.ts';
import { belowBase, recordPath, type SeenKind, type SeenRecord } from './seen-records.ts';

/** The types of plain references, and of those with a role. */
const referring = fieldTypes.flatMap(({ name, refers }) =>
  refers === 'plainly' || refers === 'with-role' ? [name] : [],
);

type Graph = SeenRecord & { readonly nodes: readonly JsonRecord[]; readonly subject: JsonRecord };

export type GraphRule = RuleHead & {
  readonly types: readonly string[];
  readonly expect: (graph: Graph, context: CheckContext, kind: SeenKind) => void | Promise<void>;
};

export const every = ['node', 'media', 'file', 'taxonomy_term'];
export const mapped = ['node', 'media', 'taxonomy_term'];

/** An `@id` without what a site may put behind it. */
export const plainId = (id: unknown): string => String(id).replace(/\?_format=jsonld$/, '');

export const typesOf = (node: JsonRecord): readonly unknown[] => [node['@type']].flat();

/** The values of a predicate. */
export const valuesOf = (node: JsonRecord, predicate: string): readonly JsonRecord[] => itemsOf(node, predicate);

/** The configured and base fields that the site maps, with their predicates. */
export const mappedFields = ({ rdf, fields }: Bundle): readonly (readonly [FieldDefinition, readonly string[]])[] =>
  [...(rdf?.fields ?? [])].flatMap(([name, predicates]) => {
    const field = fields.get(name);
    return field === undefined ? [] : [[field, predicates] as const];
  });

const xsd = 'http://www.w3.org/2001/XMLSchema#';

/** The types whose records have an address of their own; a file has that of its bytes. */
const isRecordType = (type: unknown): type is 'node' | 'media' | 'taxonomy_term' | 'user' =>
  ['node', 'media', 'taxonomy_term', 'user'].includes(String(type));

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
    ...referenceRule('texts', 'contract: Endpoints, rule 11; a real site'),
    rule: 'Texts are those of the JSON: with their language, or typed as strings',
    types: mapped,
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
    ...referenceRule('times', 'contract: Endpoints, rule 11; a real site'),
    rule: 'Times are those of the JSON, typed as dateTime',
    types: mapped,
    expect: (graph) =>
      expectValues(graph, ['timestamp', 'changed'], ({ value }) => ({ '@value': value, '@type': `${xsd}dateTime` })),
  },
  {
    ...referenceRule('integers', 'a real site'),
    rule: 'Integers are those of the JSON, written as text and typed as int',
    types: mapped,
    expect: (graph) =>
      expectValues(graph, ['integer'], ({ value }, { configured }) =>
        configured ? { '@value': String(value), '@type': `${xsd}int` } : undefined,
      ),
  },
  {
    ...referenceRule('references', 'a real site'),
    rule: 'References are those of the JSON, as @id of the target under each predicate of the field',
    types: mapped,
    expect: (graph, context) => {
      const written = { ...graph, subject: plainReferences(graph.subject, context) };
      expectValues(written, referring, ({ target_id: id, target_type: type, url }) => {
        if (typeof id !== 'number' || typeof url !== 'string' || !isRecordType(type)) return undefined;
        // Where the record has an alias, the address is one and the identifier is not.
        const usual = recordPath(context, type, id);
        const alias = belowBase(context, url) ?? usual;
        return { '@id': JSON.stringify(written.subject).includes(`"${usual}"`) ? usual : alias };
      });
    },
  },
];
