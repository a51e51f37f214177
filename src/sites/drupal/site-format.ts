/** Defines the contents of the files that an import makes, by the schemas of `repository/site`. `fitted-files.ts` takes out again what those do not take. */
import type * as v from 'valibot';
import { fieldTypes } from '../../repository/fields/field-types.ts';
import { other } from '../../repository/fields/types/other.ts';
import { exportedFile, exportedName } from '../../repository/site/exported-configuration.ts';
import { listFile } from '../../repository/site-files/list-files.ts';
import { livingFile } from '../../repository/site/living-file.ts';
import {
  accountsFile,
  bundleFile,
  resourceFile,
  roleFile,
  siteFile,
  vocabularyFile,
} from '../../repository/site-files/site-files.ts';
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

type ContentOf<S extends v.GenericSchema> = Written<v.InferInput<S>>;

export type Items = readonly JsonObject[];
export type SiteSettings = ContentOf<typeof siteFile>;
export type SiteBundle = ContentOf<typeof bundleFile>;
export type SiteField = SiteBundle['fields'][string];
export type SiteBaseField = NonNullable<SiteBundle['base_fields']>[string];
export type SiteVocabulary = ContentOf<typeof vocabularyFile>;
export type SiteTerm = NonNullable<SiteVocabulary['terms']>[number];
export type SiteResource = ContentOf<typeof resourceFile>;
export type SiteList = ContentOf<typeof listFile>;
export type SiteRole = ContentOf<typeof roleFile>;
export type SiteAccounts = ContentOf<typeof accountsFile>;

/** The files of a site: what their names begin with, what they may hold, and the words at their head. `$name` is what the file is about. */
export const siteParts: readonly (readonly [start: string, schema: v.GenericSchema, heading: string])[] = [
  [
    'site.yml',
    siteFile,
    'The site itself: its name, limits, storages and links. The folders next to this file say what it holds.',
  ],
  [
    'accounts.yml',
    accountsFile,
    'The demo accounts, one for each role. Their passwords are public. An import leaves this file as it is.',
  ],
  ['living.yml', livingFile, 'What the site does by itself after a write, and what it answers besides its records.'],
  [
    exportedName,
    exportedFile,
    'The configuration as it was exported. It decides nothing: the reads of the content model show it.',
  ],
  ['bundles/node.', bundleFile, 'The content type $name: its fields and what they mean in RDF.'],
  ['bundles/media.', bundleFile, 'The media type $name: its fields, its source and what they mean in RDF.'],
  ['bundles/user.', bundleFile, 'The fields of accounts, which `GET /user/{id}` shows.'],
  ['vocabularies/', vocabularyFile, 'The vocabulary $name: its fields and its terms.'],
  ['lists/', listFile, 'The list $name: which records, and who may see them.'],
  ['roles/', roleFile, 'The role $name and its permissions.'],
  ['resources/file.upload', resourceFile, 'The upload of a file for a field: who may authenticate how.'],
  ['resources/', resourceFile, 'Records of type $name over REST: methods, formats and providers.'],
];

/** The part of the site that a file is. */
export const sitePartOf = (file: string): (typeof siteParts)[number] | undefined =>
  siteParts.find(([start]) => file.startsWith(start));

/** What a field type of a real site is called here. Undefined when the program does not have it. */
export const siteTypeOf = (type: string): string | undefined =>
  fieldTypes.find(({ name, isOfBase }) => name === type && isOfBase !== true && name !== other.name)?.name;
