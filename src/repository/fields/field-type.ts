/** Defines a field type. `types/` has a file for each, `field-types.ts` the table that every room asks. */
import type { Records } from '../model/reading.ts';
import type { Bundle, FieldDefinition } from '../model/bundle.ts';
import type { ReferredType } from '../model/entity.ts';
import type { Principal } from '../model/principal.ts';
import type { PageContext, References } from '../markup/page-context.ts';
import type { Markup } from '../markup/page-markup.ts';
import type { Site } from '../site/site.ts';
import type { ItemRule, ListRule, PropertyRule } from './rule.ts';
import type { Entity, FieldItem } from '../../openapi/openapi-records.ts';
import type { Json, JsonObject } from '../../basics/json.ts';

export type FieldType = {
  /** What the files of a site and a real site call it. */
  readonly name: string;
  /** Whether only base fields are of the type, never a field that a real site's configuration adds. */
  readonly isOfBase?: true;
  /** How it leads to other records: plainly, with a role or a revision, or to a file of a kind. Left out: it does not. */
  readonly refers?: 'plainly' | 'with-role' | 'with-revision' | 'to-file' | 'to-image' | 'to-track';
  /** Whether it holds whatever people write. */
  readonly isFreeText?: true;
  /** What the source of a media can be in such a field. Left out: it can have none. */
  readonly sourceOf?: 'file' | 'address' | undefined;
  /** The property that a bare scalar stands for. */
  readonly main: string;
  /** The properties that are kept of a received item. Others are dropped. */
  readonly properties: readonly string[];
  /** Whether an item can also have members that are not among the properties. Then `read` says which are kept. */
  readonly hasAnyMember?: true;
  /** The properties that records show but do not keep. One that is sent with a new record is refused. */
  readonly computed?: readonly string[];
  /** Those that the server adds to a stored item, whatever was sent. */
  readonly added?: readonly string[];
  /** Further ones, which are ignored. */
  readonly ignored?: readonly string[];
  /** Whether an item says nothing. Such items count as values while the field is validated. They are not stored. */
  readonly isEmpty: (item: FieldItem) => boolean;
  /** Reads a received item, also an empty one. Throws a 422 with one sentence when it cannot be read. */
  readonly read?: (item: ReceivedItem, field: FieldDefinition, context: ReadContext) => FieldItem;
  /** The compact form of an item. A value that validation refuses stays, so it never equals a stored one. */
  readonly store: (item: FieldItem) => FieldItem;
  /** The rules that a list, its items and their properties must keep, each checked in its order. */
  readonly list?: readonly ListRule[];
  readonly item?: readonly ItemRule[];
  readonly rules?: Readonly<Record<string, readonly PropertyRule[]>>;
  /** Why an item that says nothing is dropped, and why a property is not stored as it was sent. Undefined: for the usual reason. */
  readonly reasonOfDrop?: (sent: Json) => string | undefined;
  readonly reasonOfChange?: (member: ChangedProperty) => string | undefined;
  /** An item in the JSON of a record. Left out: as it is stored. */
  readonly json?: (item: FieldItem, context: JsonContext, field: FieldDefinition) => JsonObject;
  /** The values of an item in JSON-LD. Left out: none. References are nodes of the graph. */
  readonly jsonld?: (item: FieldItem, field: FieldDefinition, writing: GraphWriting) => readonly JsonObject[];
  /** What follows all values of a field once more, of each. */
  readonly jsonldAgain?: (value: JsonObject) => JsonObject;
  /** An item on a page for people, from its JSON. Left out: its value, or the names and values of its properties. */
  readonly page?: (item: JsonObject, context: ValueContext, field: FieldDefinition) => Markup;
  /** An item as a client would send it; of a reference, what it has besides its target. Undefined where the field allows none. */
  readonly sample?: (field: FieldDefinition, draw: Draw) => FieldItem | undefined;
  /** The inputs of an item in a form. Left out: one, for the item as JSON. */
  readonly form?: (field: FieldDefinition) => readonly FormPart[];
  /** Items that `verify` sends besides those that follow from the bounds of the field: some that are taken, and some that are refused. */
  readonly trials?: ((field: FieldDefinition) => Trials) | undefined;
  /** The names of the schemas of an item in an answer and in a request. */
  readonly schema: (field: FieldDefinition) => Shapes;
  /** The module of a real site that has the type, and the widget that edits it in a form. Left out: those of a line of text. */
  readonly module?: string;
  readonly widget?: string;
  /** The settings of a real field and of its storage. `maxBytes`: the limit of a media's source. */
  readonly settings?: (field: FieldDefinition, maxBytes?: number) => JsonObject;
  readonly storageSettings?: (field: FieldDefinition) => JsonObject;
  /** The keys of a field in a site's file that this type has, besides those of every type and its target. */
  readonly keys?: readonly string[];
  /** The greatest length of a text where nobody says another. */
  readonly maxLength?: number;
};

/** An input of an item. Without choices it is a line, unless `input` says otherwise. */
export type FormPart = {
  readonly property: string;
  readonly label: string;
  readonly input?: 'paragraph' | 'reference' | 'day' | 'moment';
  /** What its text becomes. Left out: a text. */
  readonly as?: 'number' | 'boolean';
  readonly hint?: string;
  /** The choices of every field of the type, or the list that a field has of its own. */
  readonly choices?: { readonly value: string; readonly label: string }[];
  readonly choicesIn?: 'allowedValues' | 'relations' | 'sources' | 'formats';
};

export type Trials = { readonly taken?: readonly FieldItem[]; readonly refused?: readonly FieldItem[] };

/** What a sample is drawn from. Texts have at most as many characters as the field holds. */
export type Draw = {
  /** A whole number from 0 to below this limit. */
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T | undefined;
  /** A name, and some sentences. */
  readonly name: (field: FieldDefinition) => string;
  readonly sentences: (field: FieldDefinition) => string;
  readonly site: Pick<Site, 'languages' | 'textFormats'>;
  /** Seconds since 1970. */
  readonly now: number;
};

/** The names of the schemas of a record that the server answers, and of one that a client sends. */
export type Shapes = { readonly shown: string; readonly sent: string };

/** A property of a received item whose value is not the stored one. */
export type ChangedProperty = {
  readonly field: FieldDefinition;
  readonly bundle: Bundle;
  readonly property: string;
  readonly sent: Json;
  readonly stored: Json | undefined;
  /** Whether the server sets the field whatever is sent. */
  readonly isAssigned: boolean;
};

/** What reading an item can look up: the id that belongs to a uuid, and the time in seconds since 1970. */
export type ReadContext = { idOf(type: ReferredType, uuid: string): number | undefined; readonly now: number };

/** What writing an item as JSON needs. */
export type JsonContext = {
  readonly site: Site;
  readonly baseUrl: string;
  readonly basePath: string;
  readonly records: Records;
  /** The principal who reads. Without one nothing is shown that depends on the viewer. */
  readonly viewer?: Principal | undefined;
};

/** `isConverted`: whether the mapping makes one date of what an EDTF text says. Else the text stays as it is. */
export type GraphWriting = { readonly langcode: string; readonly isConverted: boolean };

/** What showing a value on a page needs. */
export type ValueContext = PageContext & References & { readonly entity: Entity };

/** An item as it was received: its value, the properties that are kept of it, and its position in the list. */
type ReceivedItem = { readonly sent: Json; readonly kept: FieldItem; readonly delta: number };

/** Schemas of these names for a request and an answer. */
export const shapes = (shown: string, sent = shown): FieldType['schema'] => {
  const names = { shown, sent };
  return () => names;
};
