/** Defines the lists of a site: which records a path lists, for which viewers, in which order and shape. `list-files.ts` reads them. */
import type { ReferredType } from '../model/entity.ts';
import type { ProviderName } from '../model/principal.ts';
import type { FieldName } from '../../openapi/openapi-records.ts';

/** A field, and the property of its items; their main property when undefined. */
export type ListField = { readonly name: FieldName; readonly property: string | undefined };

/** What the values of a field are held against. `equals` is met by one of the texts, `differs` by a field with none of them. */
export type ListTest = { readonly field: ListField } & (
  { readonly equals: readonly string[] } | { readonly differs: readonly string[] } | { readonly isSet: boolean }
);

/** A value as the text that lists compare. A yes is 1, as in a query and in the platform's database. */
export const comparedText = (value: string | number | boolean): string =>
  String(typeof value === 'boolean' ? Number(value) : value);

/** A part of the path, whose text the field must have. */
export type ListArgument = {
  readonly name: string;
  readonly field: ListField;
  /** Whether the record that a reference names must be there, and the requester may view it. */
  readonly isChecked: boolean;
};

/** A parameter of the query, whose text the field must have. */
type ListParameter = {
  readonly name: string;
  readonly field: ListField;
  /** Without the parameter the list is empty. Other parameters that were left out ask for nothing. */
  readonly isRequired: boolean;
  /** Whether there is no list at all without it: 404, as for a view whose argument gets no value. */
  readonly isPartOfAddress: boolean;
  /** Whether the records are those without the text. */
  readonly isNegated: boolean;
};

export type ListOrder = { readonly field: ListField; readonly isDescending: boolean };

/**
 * How a column shows a field. `raw`: the stored values. The others are text for people: the values, the labels of what a
 * reference leads to, the same as HTML links, formatted text as HTML, the day of a time, and where a reference leads: of a
 * file the address of its bytes.
 */
export const columnForms = ['raw', 'text', 'label', 'link', 'html', 'day', 'url', 'path'] as const;
export type ColumnForm = (typeof columnForms)[number];

/** A member of a row. */
export type ListColumn = {
  readonly name: string;
  readonly field: ListField;
  readonly form: ColumnForm;
  /** The reference to the records that have the field. Undefined where the listed record has it. */
  readonly through?: FieldName | undefined;
  /** Which of its values are shown: so many at most, after so many that are left out. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
};

/** The types whose records can be listed. */
export const listedTypes = ['node', 'media', 'taxonomy_term', 'file'] as const satisfies readonly ReferredType[];
export type ListedType = (typeof listedTypes)[number];

export type RecordList = {
  /** `/node/{node}/members`: a parameter for each argument. */
  readonly path: string;
  readonly label: string;
  readonly entityType: ListedType;
  /** In the order of the path. */
  readonly arguments: readonly ListArgument[];
  readonly parameters: readonly ListParameter[];
  readonly tests: readonly ListTest[];
  readonly order: readonly ListOrder[];
  /** Undefined where each row is a whole record. */
  readonly columns: readonly ListColumn[] | undefined;
  /** Undefined where all records are on the first page. */
  readonly pageSize: number | undefined;
  /** The largest page that a request may ask for. Undefined where it may not ask. */
  readonly largestPage: number | undefined;
  /** The number of records that the list has at most. */
  readonly limit: number | undefined;
  /** A requester needs one of the permissions or roles; nothing when there are none. */
  readonly permissions: readonly string[];
  readonly roles: readonly string[];
  readonly formats: readonly ('json' | 'jsonld')[];
  readonly providers: readonly ProviderName[];
};

/** Whether somebody may be refused the list as such. */
export const isGuarded = ({ permissions, roles }: RecordList): boolean => permissions.length > 0 || roles.length > 0;

/** What two addresses have in common whose parameters have other names. */
export const pathShape = (path: string): string => path.replace(/\{[^}]*\}/g, '{}');

/** Fields that are not fields of a record: every address that a term stands for, and the hash of the bytes of a file. */
export const addressField = 'uri';
export const hashField = 'sha1';
