/** Defines a rule about a graph of JSON-LD, and reads the parts of one. */
import type { Bundle, FieldDefinition } from '../../../../core/model/bundle.ts';
import type { Check, CheckContext } from '../../check.ts';
import { itemsOf, type JsonRecord } from '../writing/record-values.ts';
import type { SeenKind, SeenRecord } from './seen-records.ts';

export type Graph = SeenRecord & { readonly nodes: readonly JsonRecord[]; readonly subject: JsonRecord };

export type GraphRule = {
  readonly name: string;
  readonly rule: string;
  readonly types: readonly string[];
  readonly source: string;
  readonly severity?: Check['severity'];
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
