/** Defines what requests are made of besides the document: accounts, and ids and addresses of what the world holds. */
import type { Entity } from '../../openapi/openapi-records.ts';

export type KnownValues = {
  /** Those that may log in, the one with the most permissions first. */
  readonly accounts: readonly KnownAccount[];
  /** Ids for a parameter such as `media_id`, of records of several bundles, published and not. */
  readonly idsFor: (parameter: string) => readonly string[];
  /** Uuids that are taken, one for each type of entity. */
  readonly uuids: readonly string[];
  /** Addresses of the bytes of files, without the base URL. */
  readonly contentPaths: readonly string[];
  /** Bodies that fit the site, by the resource whose operations take them. */
  readonly bodiesFor: (resource: string) => readonly KnownBody[];
  /** The records whose ids and bodies these are. */
  readonly records: readonly Entity[];
  /** Values of the parameters that name a field for files, with an extension that the field takes. */
  readonly fileFields: readonly { readonly values: Readonly<Record<string, string>>; readonly extension: string }[];
  /** Equal texts mean the same candidates, but for values of fields. */
  readonly sources: string;
  readonly maxBytes: { readonly json: number; readonly bytes: number };
};

/** No values, where no application gives any. */
export const nothingKnown: KnownValues = {
  ...{ accounts: [], uuids: [], contentPaths: [], records: [], fileFields: [], sources: '' },
  ...{ idsFor: () => [], bodiesFor: () => [], maxBytes: { json: Infinity, bytes: Infinity } },
};

export type KnownAccount = { readonly name: string; readonly password: string };

/** What a client may send of a record: its bundle, its label and its required fields. */
export type KnownBody = {
  readonly type: Entity['type'];
  readonly id: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Whether it is published by its state, and not by `status`. */
  readonly isModerated: boolean;
};
