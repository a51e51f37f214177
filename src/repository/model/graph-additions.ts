/** Says what the JSON-LD of a record has besides its mapping: types from terms, and a statement that names the record itself. */
import type { RepositoryType } from './entity.ts';
import type { Bundle, GraphAdditions } from './bundle.ts';

/** Those of the contexts that the repository module brings along. */
const usual: { readonly [T in RepositoryType]?: GraphAdditions } = {
  node: { typeFields: ['field_model'], selfPredicates: ['http://schema.org/sameAs'] },
  media: {
    typeFields: ['field_media_use'],
    selfPredicates: ['http://www.iana.org/assignments/relation/describedby'],
  },
};

const none: GraphAdditions = { typeFields: [], selfPredicates: [] };

/** What a bundle says, or else what is usual for its type. */
export const graphAdditionsOf = ({ graph, entityType }: Pick<Bundle, 'graph' | 'entityType'>): GraphAdditions =>
  graph ?? usual[entityType] ?? none;
