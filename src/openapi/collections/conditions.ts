/** Makes the entity tags of records, and decides what a condition of a request means for one (RFC 9110 §13). */
import { digest } from '../../basics/secrets/digest.ts';
import type { EngineRequest } from '../exchange.ts';
import { isJsonType } from '../media-type.ts';
import { Refusal } from '../refusal.ts';
import type { CollectionRecord } from './collection-store.ts';

const tags = new WeakMap<CollectionRecord, string>();

/** Strong: another value has another tag, and so has each media type that is not JSON. */
export const tagOf = (record: CollectionRecord, mediaType?: string): string => {
  const known = tags.get(record) ?? digest('sha256', JSON.stringify(record.value), 'hex').slice(0, 32);
  tags.set(record, known);
  return mediaType === undefined || isJsonType(mediaType) ? `"${known}"` : `"${known}-${plainType(mediaType)}"`;
};

const plainType = (mediaType: string): string =>
  mediaType
    .split(';', 1)
    .join()
    .replaceAll(/[^a-z0-9]+/gi, '-');

type Headers = Pick<EngineRequest, 'headers'>;

const tagsIn = (header: string): string[] => header.match(/(?:W\/)?"[^"]*"/g) ?? [];

/** Whether the client has this version already (§13.1.2, weak comparison). */
export const isUnchanged = ({ headers }: Headers, tag: string): boolean => {
  const header = headers['if-none-match'];
  if (header === undefined) return false;
  return header.trim() === '*' || tagsIn(header).some((each) => each.replace(/^W\//, '') === tag);
};

/** A client may have read the record in another media type. */
const ofAnyType = (tag: string): string => tag.replace(/^("[0-9a-f]{32})-[^"]*"$/, '$1"');

/** Throws a refusal of the kind `precondition` for another version than the client means (§13.1.1). Undefined: there is no record. */
export const requireMatch = ({ headers }: Headers, record: CollectionRecord | undefined): void => {
  const { 'if-match': match } = headers;
  if (match === undefined) return;
  const tag = record && tagOf(record);
  if (tag !== undefined && (match.trim() === '*' || tagsIn(match).some((each) => ofAnyType(each) === tag))) return;
  throw new Refusal(
    'precondition',
    `If-Match names another version${tag === undefined ? '' : `: this one is ${tag}`}.`,
  );
};

/** The same for a write, which `If-None-Match` may forbid as well (§13.1.2). */
export const requireCondition = ({ headers }: Headers, record: CollectionRecord | undefined): void => {
  requireMatch({ headers }, record);
  if (record !== undefined && isUnchanged({ headers }, tagOf(record)))
    throw new Refusal('precondition', 'If-None-Match: there is such a record.');
};
