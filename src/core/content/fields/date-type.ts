/** Defines the field type of dates: a day, or a day with a time, which is kept in UTC. */
import { unprocessable } from '../../problem.ts';
import { quotedInput, type FieldType } from './field-type.ts';
import { parseByPattern } from './date-formats.ts';
import { formatTimestamp, parseTimestamp } from './timestamps.ts';
import { textType } from './value-types.ts';

const dayFormats = '"Y-m-d" (date-only)';
const timeFormats = '"Y-m-d\\TH:i:sP" (RFC 3339), "Y-m-d\\TH:i:sO" (ISO 8601)';

/** The day or time as it is kept: `2020-02-03` or `2020-02-03T04:05:06`. */
const readDate = (sent: string, isDay: boolean): string | undefined => {
  const seconds = isDay ? parseByPattern('Y-m-d', sent, 0) : sent.includes('T') ? parseTimestamp(sent) : undefined;
  return seconds === undefined ? undefined : formatTimestamp(seconds).slice(0, isDay ? 10 : 19);
};

export const dateType: FieldType = {
  ...textType,
  read: ({ kept }, { dateOnly = false }) => {
    const { value } = kept;
    // Validation refuses what is no text.
    if (typeof value !== 'string' && typeof value !== 'number') return kept;
    const date = readDate(String(value), dateOnly);
    if (date !== undefined) return { value: date };
    const formats = dateOnly ? dayFormats : timeFormats;
    throw unprocessable(`The specified date "${quotedInput(value)}" is not in an accepted format: ${formats}.`);
  },
  store: (item) => item,
};
