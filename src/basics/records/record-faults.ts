/** Says what is wrong with a record: at which place of its written form, and in words. */
import * as v from 'valibot';
import type { Keys } from '../json-pointer.ts';

type RecordName = { readonly type: string; readonly id: number };

export type StoredRecordFault = {
  readonly record: RecordName;
  /** The steps to it in the written record; none for the record as a whole. */
  readonly place: Keys;
  /** The place as messages have it: `title.0.value`, `fr: title.0`. Empty where the message says it. */
  readonly path: string;
  readonly message: string;
};

/** `title.0.value: 5 is not a value of a field of type string.` */
export const faultText = ({ path, message }: Pick<StoredRecordFault, 'path' | 'message'>): string =>
  path === '' ? message : `${path}: ${message}`;

/** `node:5: title.0.value: 5 is not a value of a field of type string.` */
export const faultLine = (fault: StoredRecordFault): string =>
  `${fault.record.type}:${fault.record.id}: ${faultText(fault)}`;

/** A fault whose message says where it is. */
export const faultAt = (record: RecordName, place: Keys, message: string): StoredRecordFault => ({
  ...{ record: namedBy(record), place, path: '', message },
});

/** A fault in a field, at a path such as `title.0.value`, of the record or of one of its translations. */
export const fieldFault = (record: RecordName, path: string, message: string, language?: string): StoredRecordFault => {
  const above = language === undefined ? ['fields'] : ['translations', language];
  const steps = path.split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  return {
    record: namedBy(record),
    place: [...above, ...steps],
    path: language === undefined ? path : `${language}: ${path}`,
    message,
  };
};

/** The first fault in the shape of a record. Undefined when it has none. */
export const shapeFault = (record: RecordName, shape: v.GenericSchema): StoredRecordFault | undefined => {
  const { issues } = v.safeParse(shape, record);
  const issue = issues?.[0];
  if (issue === undefined) return undefined;
  const place = (issue.path ?? []).map(({ key }) => (typeof key === 'number' ? key : String(key)));
  return { record: namedBy(record), place, path: v.getDotPath(issue) ?? 'the record', message: issue.message };
};

const namedBy = ({ type, id }: RecordName): RecordName => ({ type, id });
