/**
 * Defines the contents of the files that an import makes: those of `core/site/site-files.ts`, and the keys that only imported
 * sites need. `fitted-files.ts` takes out again what the site format does not have.
 */
import type * as v from 'valibot';
import type { ReadBy } from '../../basics/exported/rows.ts';
import type { settingRows } from '../../core/content-model/field-rows.ts';
import type { JsonObject } from '../../core/model/entity.ts';
import { fieldTypes } from '../../core/fields/field-types.ts';
import { other } from '../../core/fields/types/other.ts';
import type { listFile } from '../../core/site/list-files.ts';
import type {
  accountsFile,
  bundleFile,
  resourceFile,
  roleFile,
  siteFile,
  vocabularyFile,
} from '../../core/site/site-files.ts';

/** The contents of a site folder by file name, such as `bundles/node.article.yml`. */
export type SiteFiles = ReadonlyMap<string, unknown>;

/** The keys of a file, with those that only some versions of the site format have. */
type With<Base, Extra> = Omit<Base, keyof Extra> & Extra;

type BundleBase = v.InferInput<typeof bundleFile>;
type VocabularyBase = v.InferInput<typeof vocabularyFile>;

export type Items = readonly JsonObject[];

/** A field with the settings of every type. */
export type SiteField = With<
  BundleBase['fields'][string],
  ReadBy<typeof settingRows> & {
    type: string;
    target?: string;
    bundles?: readonly string[];
    default?: Items;
    settings?: JsonObject;
    storage_settings?: JsonObject;
    real_type?: string;
    module?: string;
  }
>;

export type SiteBaseField = { label?: string; required?: boolean; default?: Items };

/** What content types, media types and vocabularies share. */
type Extended = {
  fields: Readonly<Record<string, SiteField>>;
  base_fields?: Readonly<Record<string, SiteBaseField>>;
};

export type SiteBundle = With<
  BundleBase,
  Extended & {
    new_revision?: boolean;
    source?: {
      field: string;
      kind: string;
      icon: string;
      max_bytes?: number;
      field_map?: Readonly<Record<string, string>>;
      text_field?: string;
      plugin?: string;
    };
  }
>;

export type SiteTerm = {
  tid: number;
  uuid: string;
  name: string;
  description?: string;
  format?: string;
  uri?: string;
  parent?: readonly number[];
  weight?: number;
  langcode?: string;
  fields?: Readonly<Record<string, Items>>;
};

export type SiteVocabulary = With<VocabularyBase, Extended & { terms: readonly SiteTerm[] }>;

export type SiteSettings = With<
  v.InferInput<typeof siteFile>,
  {
    links: { platform: boolean; relations_base: string; media: 'every' | 'pcdm_use'; headers?: boolean };
    text_formats?: Readonly<Record<string, { label?: string; html?: boolean }>>;
    modules?: Readonly<
      Record<
        'islandora' | 'path' | 'metatag' | 'content_moderation' | 'dgi_image_discovery' | 'jwt_auth_issuer',
        boolean
      >
    >;
    content_translation?: readonly string[];
    media?: { standalone_url?: boolean; icon_scheme?: string };
  }
>;

export type SiteResource = v.InferInput<typeof resourceFile>;
export type SiteList = Readonly<v.InferInput<typeof listFile>>;
export type SiteRole = v.InferInput<typeof roleFile>;
export type SiteAccounts = v.InferInput<typeof accountsFile>;

/** What a field type of a real site is called here. Undefined when the program does not have it. */
export const siteTypeOf = (type: string): string | undefined =>
  fieldTypes.find(({ name, isOfBase }) => name === type && isOfBase !== true && name !== other.name)?.name;
