/** Finds the external URIs of a term, and what they say of a media that has it as its use. */
import { items, type Entity, type FieldItem } from '../../openapi/openapi-records.ts';

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

const bestUses = ['ServiceFile', 'OriginalFile', 'PreservationMasterFile', 'ThumbnailImage'];

/** The place of a media with these uses among those of its object, by how well each shows it. The best is 0. */
export const rankOfUses = (uses: readonly Entity[]): number => {
  const uris = uses.flatMap(urisOfTerm);
  const rank = bestUses.findIndex((name) => uris.includes(`http://pcdm.org/use#${name}`));
  return rank === -1 ? bestUses.length : rank;
};
