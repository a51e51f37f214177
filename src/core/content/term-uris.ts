/** Finds the external URIs of a term. */
import { items, type Entity, type FieldItem } from '../model/entity.ts';

/** Only an authority link has an authority, which may be null. */
const isAuthorityLink = (item: FieldItem): boolean => 'source' in item && typeof item['uri'] === 'string';

const urisIn = (found: readonly FieldItem[]): string[] =>
  found.flatMap(({ uri }) => (typeof uri === 'string' ? [uri] : []));

/** The addresses of `field_external_uri`. Links and types of JSON-LD lead outside by these alone. */
export const externalUrisIn = (term: Entity): readonly string[] => urisIn(items(term, 'field_external_uri'));

/**
 * The addresses in the term's authority links, field by field, then those of `field_external_uri`. The first is the one that
 * the platform takes. A term is found by each.
 */
export const urisOfTerm = (term: Entity): readonly string[] => {
  const uris: string[] = [];
  for (const name in term.fields) {
    const found = term.fields[name] ?? [];
    // Most fields have one item, and the first tells the type of all.
    if (found[0] !== undefined && isAuthorityLink(found[0])) uris.push(...urisIn(found));
  }
  return [...uris, ...externalUrisIn(term)];
};
