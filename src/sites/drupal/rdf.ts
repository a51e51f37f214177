/** Reads RDF mappings. Real ones name fields and prefixes that a site does not have; Drupal passes over them. */
import type { EntityType } from '../../core/model/entity.ts';
import type { OverrideContext } from './fields/base-field-overrides.ts';
import { dataOf, textsOf } from './lenient-values.ts';
import { expandedName } from './namespaces.ts';
import type { SiteBundle } from './site-format.ts';

export type RdfContext = OverrideContext & { readonly namespaces: Readonly<Record<string, string>> };

/** The mapping of a bundle with these fields. `known` has those too that the program could not take. */
export const rdfOf = (
  { configuration, reporter, namespaces, baseFields }: RdfContext,
  type: EntityType,
  bundle: string,
  fields: { readonly taken: readonly string[]; readonly known: readonly string[] },
): Pick<SiteBundle, 'rdf'> => {
  const mapping = configuration.one('rdf.mapping', `${type}.${bundle}`);
  if (mapping === undefined) return {};
  const where = `rdf.mapping.${type}.${bundle}`;
  const base = baseFields(type).map(({ name }) => name);
  const expandable = (names: readonly string[]): string[] =>
    names.filter((name) => {
      const isKnown = expandedName(name, namespaces) !== undefined;
      if (!isKnown) reporter.partly(where, `no namespace has the prefix of ${name.slice(0, 60)}`);
      return isKnown;
    });
  const mapped = Object.entries(dataOf(mapping['fieldMappings'])).flatMap(([name, entry]) => {
    if (!base.includes(name) && !fields.taken.includes(name)) {
      if (!fields.known.includes(name)) reporter.remark(`${where}: ${name}`, 'there is no such field to map');
      return [];
    }
    const [first, ...others] = expandable(textsOf(dataOf(entry)['properties']));
    if (first === undefined) return [];
    return [[name, others.length === 0 ? first : [first, ...others]] as const];
  });
  return { rdf: { types: expandable(textsOf(mapping['types'])), fields: Object.fromEntries(mapped) } };
};
