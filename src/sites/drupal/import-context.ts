/** Defines what the parts of an import that make bundles and fields know of the site. */
import type { BaseFields } from '../../repository/repository-sites.ts';
import type { Configuration } from './configuration.ts';
import type { FieldSource } from './fields/field-sources.ts';
import type { Reporter } from './report.ts';
import type { SiteBundle } from './site-format.ts';

export type BundleType = 'node' | 'media' | 'taxonomy_term';

/** Says what the JSON-LD of the records of a bundle has besides its mapping. */
export type GraphAdditionsReader = (
  type: BundleType,
  bundle: string,
  /** The fields of the bundle, with the type of each. */
  fields: Readonly<Record<string, { readonly type: string }>>,
) => Pick<SiteBundle, 'jsonld'>;

export type ImportContext = {
  readonly configuration: Configuration;
  readonly reporter: Reporter;
  /** By prefix. */
  readonly namespaces: Readonly<Record<string, string>>;
  /** The fields of all bundles. */
  readonly sources: readonly FieldSource[];
  readonly baseFields: BaseFields;
  readonly graphAdditions: GraphAdditionsReader;
  /** The schemes of `site.yml`. */
  readonly schemes: ReadonlySet<string>;
  /** The machine names of the bundles of an entity type. */
  readonly bundlesOf: (entityType: string) => readonly string[];
  /** The id of a term by its uuid. */
  readonly termId: (uuid: string) => number | undefined;
};
