/** Dates in the Extended Date/Time Format. */
import { edtfFaults, plainDate } from '../../../basics/formats/edtf.ts';
import { type Draw, type FieldType, shapes } from '../field-type.ts';
import type { ItemRule } from '../rule.ts';
import { typed } from '../graph-values.ts';
import { maxLength } from '../rules.ts';
import { drawnDay } from './datetime.ts';
import { isScalar, quotedInput, scalarText } from '../values.ts';
import { anyText, string } from './string.ts';
import { type FieldItem, textOf } from '../../../openapi/openapi-records.ts';
import type { JsonObject } from '../../../basics/json.ts';

/** An interval can have thousands of ends, each with faults. */
const maxFaults = 50;

/**
 * Null in place of an item is passed over. An item without a value is judged only where the real site has looked at it before,
 * for the first item with a value.
 */
const isDate: ItemRule = ({ value }, _field, _context, isLeading) => {
  const judged = value === undefined && isLeading ? '' : value;
  return isScalar(judged)
    ? edtfFaults(scalarText(judged))
        .slice(0, maxFaults)
        .map((fault) => ({ message: `${quotedInput(judged)} is not valid EDTF: ${fault}` }))
    : [];
};

/** The real site converts once more what it has converted: of a year of five digits nothing is left. */
const typedDate = ({ '@value': converted }: JsonObject): JsonObject => {
  const date = plainDate(textOf(converted));
  const partCount = date.split('-').length;
  // The real site, too, counts the sign of a year as a separator.
  return typed(date, partCount === 1 ? 'gYear' : partCount === 2 ? 'gYearMonth' : 'date');
};

/** Dates of several precisions, uncertain ones, intervals. */
const forms: readonly ((draw: Draw) => string)[] = [
  (draw) => drawnDay(draw).slice(0, 'YYYY'.length),
  (draw) => drawnDay(draw).slice(0, 'YYYY-MM'.length),
  drawnDay,
  (draw) => `${drawnDay(draw).slice(0, 'YYYY'.length)}~`,
  (draw) => `${drawnDay(draw).slice(0, 'YYY'.length)}X`,
  (draw) => `${1800 + draw.below(100)}/${1900 + draw.below(100)}`,
];

const taken = [
  '2015',
  '2015-10',
  '2015-10-15',
  '2015~',
  '1999-21',
  '2014/2015',
  '201X',
  '-0400',
  'Y20155',
  '2015-10-15/..',
];
const refused = ['not a date', '2015-13', '2015-01-32', '20155', '215', '2015-X1', '2015-01-01T10:00', '2015/nowhere'];

export const edtf: FieldType = {
  ...anyText,
  name: 'edtf',
  // A date whose value is null is a wrong date, like the empty text. Null in place of an item is nothing.
  read: ({ sent, kept }): FieldItem => (sent !== null && kept['value'] === null ? { value: '' } : kept),
  item: [isDate, maxLength],
  jsonld: ({ value }, _field, { isConverted }) =>
    typeof value === 'string' ? [typed(isConverted ? plainDate(value) : value, 'string')] : [],
  jsonldAgain: typedDate,
  sample: ({ maxLength: most }, draw) => ({ value: (draw.pick(forms)?.(draw) ?? '').slice(0, most) }),
  form: () => [
    { property: 'value', label: 'Date', hint: 'EDTF, such as 1984, 2004-06, 2004-06-11/2004-07, 1984? or 198X.' },
  ],
  trials: () => ({ taken: taken.map((value) => ({ value })), refused: refused.map((value) => ({ value })) }),
  schema: shapes('EdtfItem'),
  module: 'controlled_access_terms',
  widget: 'edtf_default',
  storageSettings: string.storageSettings,
  maxLength: 128,
  keys: ['max_length'],
};
