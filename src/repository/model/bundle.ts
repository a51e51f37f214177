/** Defines the types for the bundles and fields of a site. `repository/site-files/load-site.ts` reads them from the site's files. */
import { type ReferredType, stateField, type RepositoryType } from './entity.ts';
import type { Workflow } from './workflow.ts';
import { notFound } from '../../openapi/openapi-terms.ts';
import type { Entity, FieldItems, FieldName, Fields } from '../../openapi/openapi-records.ts';
import type { JsonObject } from '../../basics/json.ts';

/** The target of a reference: entities of a type, bundles (`node_type`, `media_type`, `taxonomy_vocabulary`), or roles. */
export type ReferenceTarget = {
  readonly type: ReferredType | 'node_type' | 'media_type' | 'taxonomy_vocabulary' | 'user_role';
  /** Allowed bundles; any when absent. */
  readonly bundles?: readonly string[] | undefined;
};

export type FieldDefinition = {
  readonly name: FieldName;
  /** The display label. Validation messages contain it, and `Link` headers have it as `title`. */
  readonly label: string;
  /** The name of a type in the table of `repository/fields/field-types.ts`. */
  readonly type: string;
  /** The largest number of items; `Infinity` for any number. */
  readonly cardinality: number;
  readonly required: boolean;
  /** False for base fields, which every entity of the type has (`base-fields.ts`). */
  readonly configured: boolean;
  /** Whether JSON-LD tags its text with the entity's language. */
  readonly translatable: boolean;
  readonly maxLength?: number | undefined;
  /** What the site tells people about the field. The served document repeats it. */
  readonly description?: string | undefined;
  /** Integers: whether a negative one is refused. */
  readonly unsigned?: boolean | undefined;
  /** Numbers: the smallest and the largest. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  /** Decimals: the digits in all, and those after the point. */
  readonly precision?: number | undefined;
  readonly scale?: number | undefined;
  /** Lists: the values that may be chosen, with their labels. Any value when absent. */
  readonly allowedValues?: Readonly<Record<string, string>> | undefined;
  /** The state of a record: the workflow that is in effect. Without one a state has no effect. */
  readonly workflow?: Workflow | undefined;
  /** Dates: whether they have no time of day. */
  readonly dateOnly?: boolean | undefined;
  /** Links: where they may lead; anywhere when absent. */
  readonly link?: 'internal' | 'external' | 'both' | undefined;
  /** What the forms of a real site ask for. Its REST interface does not refuse what lacks it, and so the document tells it. */
  readonly forms?: FormRules | undefined;
  readonly target?: ReferenceTarget | undefined;
  /** Paths: whether the site makes them by patterns, and judges nothing that is sent (`living/aliases`). */
  readonly automatic?: boolean | undefined;
  /** File fields: allowed extensions in lower case, and the scheme of new files. */
  readonly extensions?: readonly string[] | undefined;
  readonly scheme?: string | undefined;
  /** Typed relations: the `rel_type`s that forms offer. A client may send any, as to a real site. */
  readonly relations?: readonly string[] | undefined;
  /** Who sees and changes the field: anyone who may do so with the record, its owner only, or those with permissions of its name. */
  readonly access?: 'public' | 'private' | 'custom' | undefined;
  /** The items of a new entity whose request leaves the field out. */
  readonly default?: FieldItems | undefined;
  /** What only the reads of the content model show. */
  readonly shown?: ShownOfField | undefined;
};

/** What the configuration of a real field says besides what the program does. */
type ShownOfField = {
  /** Settings of the field and of its storage, which replace those of the type. */
  readonly settings?: JsonObject | undefined;
  readonly storageSettings?: JsonObject | undefined;
  /** The real name of a type that the program does not know, and the module that has it. */
  readonly type?: string | undefined;
  readonly module?: string | undefined;
  /** Typed relations: what people are shown for each `rel_type`. */
  readonly relationLabels?: Readonly<Record<string, string>> | undefined;
};

/** The same for a bundle. `formModes` are the forms of its records, mostly `default` alone. */
type ShownOfBundle = {
  readonly description: string;
  readonly help: string | undefined;
  readonly formModes: readonly string[];
  readonly weight: number;
  /** Whether the configuration wants a revision for each change. `newRevision` of the bundle says what is done. */
  readonly newRevision: boolean;
};

/** Rules that only the forms of a real site have. */
type FormRules = {
  /** Authority links: the authorities to choose from, with their labels. */
  readonly sources?: Readonly<Record<string, string>> | undefined;
  readonly linkTitle?: 'disabled' | 'optional' | 'required' | undefined;
  readonly altRequired?: boolean | undefined;
  /** The text formats to choose from. */
  readonly formats?: readonly string[] | undefined;
};

/** Absolute IRIs. `fields` keeps the order in which predicates are written. */
export type RdfMapping = {
  readonly types: readonly string[];
  readonly fields: ReadonlyMap<FieldName, readonly string[]>;
  /** The EDTF fields whose texts it does not make dates of. */
  readonly asWritten: ReadonlySet<FieldName>;
};

/** What the source of a media is: a file of a kind, or the address of something that another site shows. */
export const mediaSourceKinds = ['image', 'audio', 'video', 'file', 'oembed'] as const;

/** Where a media type keeps its file or address, and how the thumbnail is made. */
export type MediaSource = {
  readonly field: FieldName;
  readonly kind: (typeof mediaSourceKinds)[number];
  /** The file name of the generic icon, for kinds whose thumbnail is not the source itself. */
  readonly icon: string;
  /** Which field a save fills with what the file says (`name`, `mimetype`, `filesize`, `width`, `height`). Left out: the usual ones. */
  readonly fieldMap?: Readonly<Record<string, FieldName>> | undefined;
  /** The field that a save fills with the text of the file, where it is empty. */
  readonly textField?: FieldName | undefined;
  /** The upload limit in bytes, when it is lower than the site's own limit. */
  readonly maxBytes?: number | undefined;
  /** What the real site calls the source, such as `oembed:video`. Left out: the usual name of the kind. */
  readonly plugin?: string | undefined;
};

/** Which field takes what of the file, unless the media type says otherwise. */
export const usualFieldMap = (kind: MediaSource['kind']): Readonly<Record<string, string>> =>
  kind === 'oembed'
    ? {}
    : {
        ...{ name: 'name', mimetype: 'field_mime_type', filesize: 'field_file_size' },
        ...(kind === 'image' ? { width: 'field_width', height: 'field_height' } : {}),
      };

/** What the JSON-LD of a record has besides its mapping. */
export type GraphAdditions = {
  /** References whose terms add the addresses that they stand for to the types of the record. */
  readonly typeFields: readonly FieldName[];
  /** What the subject is to the record's own address. With any, the subject of a media is its file. */
  readonly selfPredicates: readonly string[];
};

export type Bundle = {
  readonly entityType: RepositoryType;
  readonly id: string;
  readonly label: string;
  /** The uuid of the bundle as a configuration entity: `target_uuid` of references to it. */
  readonly uuid: string;
  /** Base fields in the order of `base-fields.ts`, then configured fields by name. */
  readonly fields: ReadonlyMap<FieldName, FieldDefinition>;
  readonly source: MediaSource | undefined;
  /** Whether clients may choose the language of a record. */
  readonly languageAlterable: boolean;
  /** Whether each change of a record makes a revision with a number of its own. */
  readonly newRevision?: boolean | undefined;
  readonly rdf: RdfMapping | undefined;
  /** What its JSON-LD has besides the mapping. Left out: what is usual for its type (`graph-additions.ts`). */
  readonly graph?: GraphAdditions | undefined;
  /** What only the reads of the content model show. Files and users have none. */
  readonly shown?: ShownOfBundle | undefined;
};

export type Model = {
  bundle(entityType: string, id: string): Bundle | undefined;
  /** In the order of their machine names. */
  bundles(entityType: string): readonly Bundle[];
};

/** The entity's bundle. Throws 404 for a record of an older site whose bundle this one does not have. */
export const bundleOf = ({ model }: { readonly model: Model }, { type, id, bundle: name }: Entity): Bundle => {
  const bundle = model.bundle(type, name);
  if (bundle !== undefined) return bundle;
  throw notFound(`The site has no bundle "${name}" any more, so that it cannot show ${type} ${id}.`);
};

/** Undefined for a bundle without one. */
export const workflowOf = (bundle: Bundle | undefined): Workflow | undefined =>
  bundle?.fields.get(stateField)?.workflow;

/** What a client sends to have a new record published or not: its state, where a workflow is in effect. */
export const publishedAs = (bundle: Bundle | undefined, isPublished: boolean): Fields =>
  workflowOf(bundle) === undefined
    ? { status: [{ value: isPublished }] }
    : { [stateField]: [{ value: isPublished ? 'published' : 'draft' }] };

/** Looks bundles up by entity type and machine name. */
export const createModel = (bundles: readonly Bundle[]): Model => {
  const byType = new Map<string, Map<string, Bundle>>();
  for (const bundle of [...bundles].sort((a, b) => (a.id < b.id ? -1 : 1))) {
    const ofType = byType.get(bundle.entityType) ?? new Map<string, Bundle>();
    byType.set(bundle.entityType, ofType.set(bundle.id, bundle));
  }
  return {
    bundle: (entityType, id) => byType.get(entityType)?.get(id),
    bundles: (entityType) => [...(byType.get(entityType)?.values() ?? [])],
  };
};

/** Computes something once for each bundle and keeps the result. Bundles are few, and every answer needs such results. */
export const oncePerBundle = <T extends object>(make: (bundle: Bundle) => T): ((bundle: Bundle) => T) => {
  const results = new WeakMap<Bundle, T>();
  return (bundle) => {
    const known = results.get(bundle);
    if (known !== undefined) return known;
    const result = make(bundle);
    results.set(bundle, result);
    return result;
  };
};
