/** Moments as seconds since 1970: those that clients set, and that of the last change. */
import { type JsonObject, textOf } from '../../model/entity.ts';
import { shownTime } from '../../pages/words.ts';
import { unprocessable } from '../../problem.ts';
import { parseByPattern } from '../date-formats.ts';
import { type FieldType, shapes } from '../field-type.ts';
import { typed } from '../graph-values.ts';
import { integer } from '../rules.ts';
import { formatTimestamp, parseTimestamp, timestampPattern } from '../times.ts';
import { isMissing, quotedInput, scalarText } from '../values.ts';

export const sameTime: NonNullable<FieldType['reasonOfChange']> = ({ sent, stored }) =>
  parseTimestamp(sent) !== undefined && parseTimestamp(sent) === parseTimestamp(stored)
    ? 'A time is stored in whole seconds and shown in UTC.'
    : undefined;

export const timestamp: FieldType = {
  name: 'timestamp',
  main: 'value',
  properties: ['value'],
  ignored: ['format'],
  // The empty text is a wrong value.
  isEmpty: ({ value }) => isMissing(value),
  read: ({ sent, kept: { value } }, { name }, { now }) => {
    if (typeof sent !== 'object' || sent === null || (typeof value !== 'string' && typeof value !== 'number')) {
      // The real site answers 500 here.
      throw unprocessable(`A value of "${name}" must be an object with a time in "value".`);
    }
    const { format } = sent as JsonObject; // it has a value, so it is not a list
    const pattern = typeof format === 'string' && !['', '0'].includes(format) ? format : undefined;
    const seconds = pattern === undefined ? parseTimestamp(value) : parseByPattern(pattern, scalarText(value), now);
    if (seconds !== undefined) return { value: seconds };
    const accepted =
      pattern === undefined
        ? '"U" (UNIX timestamp), "Y-m-d\\TH:i:sO" (ISO 8601), "Y-m-d\\TH:i:sP" (RFC 3339)'
        : `"${pattern.slice(0, 200)}" (0)`;
    throw unprocessable(`The specified date "${quotedInput(value)}" is not in an accepted format: ${accepted}.`);
  },
  store: (item) => item,
  rules: { value: [integer] },
  reasonOfChange: sameTime,
  json: ({ value }) =>
    typeof value === 'number' ? { value: formatTimestamp(value), format: timestampPattern } : { value: value ?? null },
  jsonld: ({ value }) => (typeof value === 'number' ? [typed(formatTimestamp(value), 'dateTime')] : []),
  page: ({ value }) => shownTime(textOf(value ?? '')),
  sample: (_field, draw) => ({ value: formatTimestamp(draw.now - draw.below(3650) * 86_400) }),
  schema: shapes('DatetimeItem', 'DatetimeInput'),
  widget: 'datetime_timestamp',
};

export const changed: FieldType = { ...timestamp, name: 'changed', isOfBase: true };
