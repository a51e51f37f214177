/** The door of the repository: its words. Sites, bundles, fields, records, principals, worlds. */

/** A field type: its items in a request, in storage and in both formats, its rules, its samples. */
export type { FieldType } from './fields/field-type.ts';
/** What samples of values are drawn from. */
export type { Draw } from './fields/field-type.ts';
/** The type of a field. */
export { fieldTypeOf } from './fields/field-types.ts';
/** All of them. */
export { fieldTypes } from './fields/field-types.ts';
/** Types whose items look alike, by name: the later ones of a row take less. */
export { alikeTypes } from './fields/field-types.ts';
/** Whether a field type leads to files. */
export { isFileType } from './fields/field-types.ts';
/** Draws small numbers, the first of each choice, and this text. */
export { fixedDraw } from './fields/fixed-draw.ts';
/** The languages of a site, and the two that each site has. */
export { languagesOf } from './fields/types/language.ts';
/** The type that a field refers to. Undefined for other fields. */
export { targetTypeOf } from './fields/values.ts';
/** The extension of a file name in lower case. Empty without one. */
export { extensionOf } from './fields/values.ts';

/** The types whose records can be translated. */
export { translatedTypes } from './model/base-fields.ts';
/** The base fields of a type. */
export { baseFields } from './model/base-fields.ts';
/** The workflow of a bundle. Undefined without one. */
export { workflowOf } from './model/bundle.ts';
/** A bundle of a site: fields, source, RDF, workflow. */
export type { Bundle } from './model/bundle.ts';
/** A field of a bundle. */
export type { FieldDefinition } from './model/bundle.ts';
/** Where a media type keeps its file or address. */
export type { MediaSource } from './model/bundle.ts';
/** What a client sends to have a new record published or not. */
export { publishedAs } from './model/bundle.ts';
/** A model of these bundles. */
export { createModel } from './model/bundle.ts';
/** The bundles of a site by type and name. */
export type { Model } from './model/bundle.ts';
/** The kinds of media sources. */
export { mediaSourceKinds } from './model/bundle.ts';
/** Which field takes what of a file, unless the media type says otherwise. */
export { usualFieldMap } from './model/bundle.ts';
/** The types and predicates of a bundle in JSON-LD, as absolute IRIs. */
export type { RdfMapping } from './model/bundle.ts';
/** The bundle of a record. Throws 404 for one that the site does not have. */
export { bundleOf } from './model/bundle.ts';
/** The time of a change in seconds since 1970, never before the last one. */
export { changedAt } from './model/changed-at.ts';
/** The fields of a new record: defaults of the site, owner, times, revision. */
export { newFields } from './model/default-fields.ts';
/** The types of the repository's records. */
export { entityTypes } from './model/entity.ts';
/** The ids that a reference field refers to, in its order. */
export { targetIds } from './model/entity.ts';
/** Title, name or file name of a record. Empty without one. */
export { labelOf } from './model/entity.ts';
/** The path of a record without its alias: `/node/12`. */
export { canonicalPath } from './model/entity.ts';
/** Whether a node, media or term is published, a file permanent, a user active. */
export { isPublished } from './model/entity.ts';
/** One of them. */
export type { RepositoryType } from './model/entity.ts';
/** The fields of a type that show id, bundle, revision and label, and where its records are. */
export { identityOf } from './model/entity.ts';
/** The field that shows the state of a record in a workflow. */
export { stateField } from './model/entity.ts';
/** The types that fields refer to. */
export { referredTypes } from './model/entity.ts';
/** The types of all stored records, those of collections too. */
export { storedTypes } from './model/entity.ts';
/** One of them. */
export type { ReferredType } from './model/entity.ts';
/** What a bundle adds to its graph in JSON-LD, or what is usual for its type. */
export { graphAdditionsOf } from './model/graph-additions.ts';
/** The key of the media of a node. */
export { mediaOf } from './model/index-keys.ts';
/** The key of the media that use a file. */
export { mediaUsingFile } from './model/index-keys.ts';
/** The keys that a record is found by. Raise `keysVersion` when any record gets other ones. */
export { indexKeys } from './model/index-keys.ts';
/** The key of the media of a node with a term as their use. */
export { mediaOfWithTerm } from './model/index-keys.ts';
/** The key of the term with an address. */
export { termWithUri } from './model/index-keys.ts';
/** The key of the file at an address. */
export { fileAt } from './model/index-keys.ts';
/** The key of the terms with a name. */
export { termNamed } from './model/index-keys.ts';
/** The key of the account with a name. */
export { userNamed } from './model/index-keys.ts';
/** The key of the record with a uuid. */
export { byUuid } from './model/index-keys.ts';
/** An account as access rules see it. `uid` 0 is the anonymous visitor. */
export type { Principal } from './model/principal.ts';
/** The providers of authentication. */
export { providerNames } from './model/principal.ts';
/** One of them. */
export type { ProviderName } from './model/principal.ts';
/** The result of authentication. Refused credentials are an anonymous visitor that gets 403 in place of 401. */
export type { Identity } from './model/principal.ts';
/** Whether a principal has a permission. */
export { may } from './model/principal.ts';
/** The changes of a transaction, which are stored. */
export type { StoredChange } from './model/reactions.ts';
/** One read on its own, of records that a store gives at once or later. */
export { readFrom } from './model/reading.ts';
/** The published records as a read sees them. */
export type { Records } from './model/reading.ts';
/** The key of what no change tells of. A reply that depends on it is not kept. */
export { unwatched } from './model/reading.ts';
/** The `RecordModel` of the repository: what a store must know of its records. */
export { recordModel } from './model/record-model.ts';
/** The counters of a store that these records fill. */
export { countersOfAll } from './model/record-model.ts';
/** The place of a media among those of its object, by how well it shows it. The best is 0. */
export { rankOfUses } from './model/term-uris.ts';
/** The languages of a site whose codes begin paths. */
export { prefixLanguages } from './model/translations.ts';
/** A record in a language; as it is where it has no such translation. */
export { inLanguage } from './model/translations.ts';
/** A path or a name without its escapes; as it is where these are malformed. */
export { decodedUri } from './model/uri.ts';
/** States and transitions of a bundle. */
export type { Workflow } from './model/workflow.ts';

/** The absolute address of the content of a file. Undefined where the site has no storage for it. */
export { contentUrl } from './site/content-url.ts';
/** The path of stored content: `public://a b.jpg` is at `/sites/default/files/a%20b.jpg`. */
export { contentPath } from './site/content-url.ts';
/** The principal of an account, with the permissions of its roles. */
export { principalOf } from './site/permissions.ts';
/** The role that an item of `roles` names. */
export { roleOf } from './site/permissions.ts';
/** The roles of an account in their order, without `authenticated`. */
export { rolesOf } from './site/permissions.ts';
/** The files of a site by their names below its folder. */
export type { SiteFolder } from './site/site-folder.ts';
/** Such a folder of contents. `origin` is how messages call it. */
export { memoryFolder } from './site/site-folder.ts';
/** A site: everything that is decided for an installation. Read-only data. */
export type { Site } from './site/site.ts';
/** The same from a host's point of view: throws where another application has read it. */
export { repositorySite } from './site/site.ts';
/** The path of a record's own address on a site. */
export { addressPath } from './site/site.ts';
/** An account of a site's files. `demoPassword` is public. */
export type { Account } from './site/site.ts';
/** A method that a resource can accept. */
export type { HttpMethod } from './site/site.ts';
/** The REST resources that a site decides on. */
export { resourceNames } from './site/site.ts';
/** One of them. */
export type { ResourceName } from './site/site.ts';
/** A term of a site's files. */
export type { InitialTerm } from './site/site.ts';
/** A role with its permissions. */
export type { Role } from './site/site.ts';
/** The storage of a scheme: the path of its addresses, who may read it, where its bytes are. */
export type { StorageMount } from './site/site.ts';
/** The path of a record on a site: its alias, or else its own address. */
export { entityPath } from './site/site.ts';
/** A format of records: `json` or `jsonld`. */
export type { Format } from './site/site.ts';

/** The world of a host, as this application made it. */
export { repositoryWorld } from './world.ts';
/** What a request reads and writes, and who may: site, store, bytes, clock, ids, access. */
export type { World } from './world.ts';
