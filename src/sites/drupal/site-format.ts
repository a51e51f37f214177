/** Defines the contents of the files that an import makes, by the schemas of `repository/site`. `fitted-files.ts` takes out again what those do not take. */
import type * as v from 'valibot';
import { fieldTypes } from '../../repository/repository.ts';
import { otherType, exportedName, siteSchemas } from '../../repository/repository-sites.ts';
import type { JsonObject } from '../../basics/json.ts';

/** The contents of a site folder by file name, such as `bundles/node.article.yml`. */
export type SiteFiles = ReadonlyMap<string, unknown>;

/** What is only written. */
type Written<T> = T extends JsonObject | readonly JsonObject[]
  ? T
  : T extends readonly (infer E)[]
    ? readonly Written<E>[]
    : T extends object
      ? { readonly [K in keyof T]: Written<T[K]> }
      : T;

type Schemas = typeof siteSchemas;
type ContentOf<S extends v.GenericSchema> = Written<v.InferInput<S>>;

export type Items = readonly JsonObject[];
export type SiteSettings = ContentOf<Schemas['site']>;
export type SiteBundle = ContentOf<Schemas['bundle']>;
export type SiteField = SiteBundle['fields'][string];
export type SiteBaseField = NonNullable<SiteBundle['base_fields']>[string];
export type SiteVocabulary = ContentOf<Schemas['vocabulary']>;
export type SiteTerm = NonNullable<SiteVocabulary['terms']>[number];
export type SiteResource = ContentOf<Schemas['resource']>;
export type SiteList = ContentOf<Schemas['list']>;
export type SiteRole = ContentOf<Schemas['role']>;
export type SiteAccounts = ContentOf<Schemas['accounts']>;

/** The files of a site: what their names begin with, what they may hold, and the words at their head. `$name` is what the file is about. */
export const siteParts: readonly (readonly [start: string, schema: v.GenericSchema, heading: string])[] = [
  [
    'site.yml',
    siteSchemas.site,
    'The site itself: its name, limits, storages and links. The folders next to this file say what it holds.',
  ],
  [
    'accounts.yml',
    siteSchemas.accounts,
    'The demo accounts, one for each role. Their passwords are public. An import leaves this file as it is.',
  ],
  [
    'living.yml',
    siteSchemas.living,
    'What the site does by itself after a write, and what it answers besides its records.',
  ],
  [
    exportedName,
    siteSchemas.exported,
    'The configuration as it was exported. It decides nothing: the reads of the content model show it.',
  ],
  ['bundles/node.', siteSchemas.bundle, 'The content type $name: its fields and what they mean in RDF.'],
  ['bundles/media.', siteSchemas.bundle, 'The media type $name: its fields, its source and what they mean in RDF.'],
  ['bundles/user.', siteSchemas.bundle, 'The fields of accounts, which `GET /user/{id}` shows.'],
  ['vocabularies/', siteSchemas.vocabulary, 'The vocabulary $name: its fields and its terms.'],
  ['lists/', siteSchemas.list, 'The list $name: which records, and who may see them.'],
  ['roles/', siteSchemas.role, 'The role $name and its permissions.'],
  ['resources/file.upload', siteSchemas.resource, 'The upload of a file for a field: who may authenticate how.'],
  ['resources/', siteSchemas.resource, 'Records of type $name over REST: methods, formats and providers.'],
];

/** The part of the site that a file is. */
export const sitePartOf = (file: string): (typeof siteParts)[number] | undefined =>
  siteParts.find(([start]) => file.startsWith(start));

/** What a field type of a real site is called here. Undefined when the program does not have it. */
export const siteTypeOf = (type: string): string | undefined =>
  fieldTypes.find(({ name, isOfBase }) => name === type && isOfBase !== true && name !== otherType.name)?.name;
