/** Makes of what a bundle's file says of JSON-LD what the program does: names become IRIs. */
import { fieldTypeOf } from '../fields/field-types.ts';
import type { Bundle, RdfMapping } from '../model/bundle.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { RdfInput, VocabularyInput } from './site-files.ts';

export type Expand = (name: string, file: string, key: string) => string;

/** A name that is an IRI itself: what follows its colon begins with two slashes. */
export const isWholeIri = (name: string): boolean => /^https?:\/\//i.test(name);

/** Expands prefixed names to IRIs. */
export const expander =
  (siteYml: string, namespaces: Readonly<Record<string, string>>): Expand =>
  (name, file, key) => {
    if (isWholeIri(name)) return name;
    const [prefix = '', local = ''] = name.split(/:(.*)/s);
    const namespace = namespaces[prefix];
    if (namespace !== undefined) return namespace + local;
    throw new ConfigurationError(
      `${file}: ${key}: the prefix "${prefix}" is unknown. Add it to namespaces in ${siteYml}.`,
    );
  };

export const mappingOf = (rdf: RdfInput | undefined, expand: Expand, file: string): RdfMapping | undefined =>
  rdf && {
    types: rdf.types.map((type) => expand(type, file, 'rdf.types')),
    fields: new Map(
      Object.entries(rdf.fields).map(([field, names]) => [
        field,
        [names].flat().map((name) => expand(name, file, `rdf.fields.${field}`)),
      ]),
    ),
    asWritten: new Set(rdf.as_written),
  };

/** What its JSON-LD has besides the mapping, where the file says it. */
export const graphOf = (jsonld: VocabularyInput['jsonld'], expand: Expand, file: string): Pick<Bundle, 'graph'> =>
  jsonld === undefined
    ? {}
    : {
        graph: {
          typeFields: jsonld.types_of,
          selfPredicates: jsonld.self.map((name) => expand(name, file, 'jsonld.self')),
        },
      };

/** Accounts have this mapping on every site. */
export const userMapping: RdfMapping = { types: ['http://schema.org/Person'], fields: new Map(), asWritten: new Set() };

/** The types of a record come from what its references lead to. */
export const graphViolations = (
  file: string,
  { fields, jsonld }: Pick<VocabularyInput, 'fields' | 'jsonld'>,
): string[] =>
  (jsonld?.types_of ?? []).flatMap((name, index) =>
    fields[name] !== undefined && fieldTypeOf(fields[name]).refers === 'plainly'
      ? []
      : [`${file}: jsonld.types_of.${index}: there is no reference "${name}". Name a field of type entity_reference.`],
  );
