/** Collects the prefixes of RDF names: those of Drupal and of the repository's modules, and those of the configuration. */
import type { RepositoryType } from '../../repository/repository.ts';
import { filled } from '../../basics/json.ts';
import { isWholeIri } from '../../repository/repository-sites.ts';
import type { Configuration } from './configuration.ts';
import type { ImportContext } from './import-context.ts';
import { dataOf, filledTextOf, listOf, textsOf } from '../../basics/exported/lenient-values.ts';
import type { Reporter } from './report.ts';
import type { SiteBundle } from './site-format.ts';

/** The mapping of a bundle with these fields. Real ones name fields and prefixes that a site does not have; Drupal passes over them. `known` has those too that the program could not take, `dates` those with EDTF texts. */
export const rdfOf = (
  { configuration, reporter, namespaces, baseFields }: ImportContext,
  type: RepositoryType,
  bundle: string,
  fields: { readonly [N in 'taken' | 'known' | 'dates']: readonly string[] },
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
  const asWritten = mapped.flatMap(([name]) =>
    fields.dates.includes(name) && !isConverted(dataOf(mapping['fieldMappings'])[name]) ? [name] : [],
  );
  return {
    rdf: {
      types: expandable(textsOf(mapping['types'])),
      fields: Object.fromEntries(mapped),
      ...filled({ as_written: asWritten }),
    },
  };
};

/** A mapping may name a function that makes the value. For EDTF texts there is one, which makes a date. */
const isConverted = (entry: unknown): boolean =>
  filledTextOf(dataOf(dataOf(entry)['datatype_callback'])['callable']) !== undefined;

/** What the modules bring along. Older sites have none in their configuration. */
const ofModules: Readonly<Record<string, string>> = {
  co: 'http://purl.org/co/',
  content: 'http://purl.org/rss/1.0/modules/content/',
  dc: 'http://purl.org/dc/terms/',
  dc11: 'http://purl.org/dc/elements/1.1/',
  dcterms: 'http://purl.org/dc/terms/',
  ebucore: 'http://www.ebu.ch/metadata/ontologies/ebucore/ebucore#',
  fedora: 'http://fedora.info/definitions/v4/repository#',
  foaf: 'http://xmlns.com/foaf/0.1/',
  iana: 'http://www.iana.org/assignments/relation/',
  islandora: 'http://islandora.ca/',
  ldp: 'http://www.w3.org/ns/ldp#',
  nfo: 'http://www.semanticdesktop.org/ontologies/2007/03/22/nfo/v1.1/',
  og: 'http://ogp.me/ns#',
  ore: 'http://www.openarchives.org/ore/terms/',
  org: 'https://www.w3.org/TR/vocab-org/#org:',
  owl: 'http://www.w3.org/2002/07/owl#',
  pcdm: 'http://pcdm.org/models#',
  premis: 'http://www.loc.gov/premis/rdf/v1#',
  premis3: 'http://www.loc.gov/premis/rdf/v3/',
  rdau: 'http://rdaregistry.info/Elements/u/',
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  relators: 'http://id.loc.gov/vocabulary/relators/',
  schema: 'http://schema.org/',
  sioc: 'http://rdfs.org/sioc/ns#',
  sioct: 'http://rdfs.org/sioc/types#',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  use: 'http://pcdm.org/use#',
  wgs84_pos: 'http://www.w3.org/2003/01/geo/wgs84_pos#',
  xs: 'http://www.w3.org/2001/XMLSchema#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
};

/** A mapping may name a prefix that nobody declares. A real site then writes the name unchanged, and so does this. */
const undeclared = (configuration: Configuration, known: Readonly<Record<string, string>>): string[] => {
  const names = configuration
    .family('rdf.mapping')
    .flatMap(({ data }) => [
      ...textsOf(data['types']),
      ...listOf(data['fieldMappings']).flatMap((entry) => textsOf(dataOf(entry)['properties'])),
    ]);
  const prefixes = names.flatMap((name) => /^([A-Za-z][A-Za-z0-9.-]*):(?!\/\/)/.exec(name)?.[1] ?? []);
  return [...new Set(prefixes)].filter((prefix) => !Object.hasOwn(known, prefix));
};

export const namespacesOf = (configuration: Configuration, reporter: Reporter): Record<string, string> => {
  const written = listOf(configuration.object('jsonld.settings')?.['rdf_namespaces']).flatMap((entry) => {
    const { prefix, namespace } = dataOf(entry);
    const [name, iri] = [filledTextOf(prefix), filledTextOf(namespace)];
    return name === undefined || iri === undefined || !URL.canParse(iri) ? [] : [[name, iri] as const];
  });
  const known = { ...ofModules, ...Object.fromEntries(written) };
  const others = undeclared(configuration, known);
  for (const prefix of others)
    reporter.remark(`rdf.mapping: ${prefix}:`, 'no module declares this prefix, so names keep it');
  return { ...known, ...Object.fromEntries(others.map((prefix) => [prefix, `${prefix}:`])) };
};

/** The IRI of a name with a prefix, or the IRI itself. Undefined when no namespace has the prefix. */
export const expandedName = (name: string, namespaces: Readonly<Record<string, string>>): string | undefined => {
  if (isWholeIri(name)) return name;
  const [prefix = '', local = ''] = name.split(/:(.*)/s);
  return name.includes(':') && Object.hasOwn(namespaces, prefix) ? `${namespaces[prefix] ?? ''}${local}` : undefined;
};
