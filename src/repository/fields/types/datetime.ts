/** Days, and days with a time. They are kept as `2020-02-03` or `2020-02-03T04:05:06`. */
import type { FieldDefinition } from '../../model/bundle.ts';
import { shownDate } from '../../markup/words.ts';
import { parseByPattern } from '../../../basics/formats/php-dates.ts';
import type { Draw, FieldType, FormPart } from '../field-type.ts';
import type { ItemRule } from '../rule.ts';
import { literalOf } from '../graph-values.ts';
import { isMissing, quotedInput } from '../values.ts';
import { anyText } from './string.ts';
import { formatTimestamp, parseTimestamp, sameTime } from './timestamp.ts';
import { textOf } from '../../../openapi/openapi-records.ts';
import { unprocessable } from '../../../openapi/openapi-terms.ts';
import type { Json } from '../../../basics/json.ts';

/** A day of the last two centuries, `1893-04-17`. */
export const drawnDay = (draw: Draw): string =>
  new Date(Date.UTC(1800 + draw.below(220), draw.below(12), 1 + draw.below(28))).toISOString().slice(0, 10);

const dayFormats = '"Y-m-d" (date-only)';
const timeFormats = '"Y-m-d\\TH:i:sP" (RFC 3339), "Y-m-d\\TH:i:sO" (ISO 8601)';

/** The day or time as it is kept. Validation refuses anything but a text. */
const readDate = (value: Json, isDay: boolean): Json => {
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  const sent = String(value);
  const seconds = isDay ? parseByPattern('Y-m-d', sent, 0) : sent.includes('T') ? parseTimestamp(sent) : undefined;
  if (seconds !== undefined) return formatTimestamp(seconds).slice(0, isDay ? 10 : 19);
  const formats = isDay ? dayFormats : timeFormats;
  throw unprocessable(`The specified date "${quotedInput(value)}" is not in an accepted format: ${formats}.`);
};

/** Any text can be read as a date, or the request is refused before. */
const isText: ItemRule = ({ value }) =>
  isMissing(value) || typeof value === 'string' ? [] : [{ message: 'The datetime value must be a string.' }];

/** A day is written as it is kept, a time with its offset. */
export const shownMoment = (value: Json | undefined): Json =>
  typeof value === 'string' && value.includes('T') ? `${value}+00:00` : (value ?? null);

const [day, moment] = [
  { shown: 'DayItem', sent: 'DayItem' },
  { shown: 'MomentItem', sent: 'MomentItem' },
];

export const dateParts = ({ dateOnly }: FieldDefinition): readonly FormPart[] =>
  dateOnly === true
    ? [{ property: 'value', label: 'Day', input: 'day' }]
    : [{ property: 'value', label: 'Time', input: 'moment', hint: 'In UTC.' }];

export const datetime: FieldType = {
  ...anyText,
  name: 'datetime',
  read: ({ kept }, { dateOnly = false }) =>
    Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, readDate(value, dateOnly)])),
  store: (item) => item,
  item: [isText],
  reasonOfChange: sameTime,
  json: ({ value }) => ({ value: shownMoment(value) }),
  jsonld: literalOf('dateTime'),
  page: ({ value }) => shownDate(textOf(value ?? '')),
  sample: ({ dateOnly }, draw) => ({ value: `${drawnDay(draw)}${dateOnly === true ? '' : 'T08:30:00+00:00'}` }),
  form: dateParts,
  trials: ({ dateOnly }) => ({
    ...(dateOnly === true ? { taken: [{ value: '2020-02-29' }] } : {}),
    refused: ['yesterday', '2020-02-31T'].map((value) => ({ value })),
  }),
  schema: ({ dateOnly }) => (dateOnly === true ? day : moment),
  module: 'datetime',
  widget: 'datetime_default',
  keys: ['date_only'],
};
