/** Ranges of days, and of days with a time. Both ends are kept as a `datetime` is. */
import { markup } from '../../markup/page-markup.ts';
import { shownDate } from '../../markup/words.ts';
import type { FieldType } from '../field-type.ts';
import type { ItemRule } from '../rule.ts';
import { textValue } from '../graph-values.ts';
import { text } from '../rules.ts';
import { isMissing, isMissingOrEmptyText } from '../values.ts';
import { dateParts, datetime, drawnDay, shownMoment } from './datetime.ts';
import { textOf } from '../../../openapi/openapi-records.ts';

/** Whether the end comes after the start is a question of the form alone. */
const hasEnds: ItemRule = (item) =>
  ['value', 'end_value'].flatMap((property) => {
    if (isMissing(item[property])) return [{ property, message: 'This value should not be null.' }];
    return typeof item[property] === 'boolean' ? [{ property, message: 'The datetime value must be a string.' }] : [];
  });

const [days, moments] = [
  { shown: 'DayRangeItem', sent: 'DayRangeItem' },
  { shown: 'MomentRangeItem', sent: 'MomentRangeItem' },
];

/** open: how a value that is not a text is refused, how JSON-LD writes the start, and storages of whole days (`allday`). */
export const daterange: FieldType = {
  ...datetime,
  name: 'daterange',
  properties: ['value', 'end_value'],
  isEmpty: ({ value, end_value: end }) => isMissingOrEmptyText(value) && isMissingOrEmptyText(end),
  store: ({ value = null, end_value: end = null }) => ({ value, end_value: end }),
  item: [hasEnds],
  rules: { value: [text], end_value: [text] },
  json: ({ value, end_value: end }) => ({ value: shownMoment(value), end_value: shownMoment(end) }),
  jsonld: textValue,
  page: ({ value, end_value: end }) => markup`${shownDate(textOf(value ?? ''))} – ${shownDate(textOf(end ?? ''))}`,
  sample: ({ dateOnly }, draw) => {
    const [start, time] = [drawnDay(draw), dateOnly === true ? '' : 'T08:30:00+00:00'];
    const end = new Date(Date.parse(start) + draw.below(365) * 86_400_000).toISOString().slice(0, 10);
    return { value: start + time, end_value: end + time };
  },
  form: (field) =>
    dateParts(field).flatMap((part) => [
      { ...part, label: 'Start' },
      { ...part, property: 'end_value', label: 'End' },
    ]),
  trials: undefined,
  schema: ({ dateOnly }) => (dateOnly === true ? days : moments),
  module: 'datetime_range',
  widget: 'daterange_default',
};
