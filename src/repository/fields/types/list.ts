/** Choices from a list of the field's own: texts or whole numbers. */
import { markup } from '../../markup/page-markup.ts';
import { type FieldType, shapes } from '../field-type.ts';
import type { ItemRule, PropertyRule } from '../rule.ts';
import { literalOf } from '../graph-values.ts';
import { integer as isWhole, text, tooLong } from '../rules.ts';
import {
  isInteger,
  isLonger,
  isMissing,
  isNothing,
  isScalar,
  noChoice,
  numberIfDigits,
  scalarText,
} from '../values.ts';
import { becomesNumber, integer } from './numbers.ts';
import { anyText } from './string.ts';
import { textOf } from '../../../openapi/openapi-records.ts';

/** A field without a list of values is one whose values a program of the real site makes. */
const choice =
  (isNumber: boolean): ItemRule =>
  ({ value }, { allowedValues }) => {
    if (isMissing(value) || allowedValues === undefined) return [];
    const key = isNumber ? String(Number(scalarText(value))) : scalarText(value);
    return isScalar(value) && (!isNumber || isInteger(value)) && Object.hasOwn(allowedValues, key)
      ? []
      : [{ message: noChoice }];
  };

const isShort: PropertyRule = (value) => (isLonger(value, 255) ? tooLong(255) : undefined);

const sample =
  (toValue: (key: string) => string | number): NonNullable<FieldType['sample']> =>
  ({ allowedValues }, draw) => {
    const key = draw.pick(Object.keys(allowedValues ?? { 1: 'One', 2: 'Two' }));
    return key === undefined ? undefined : { value: toValue(key) };
  };

/** Where a program of the real site makes the values, nobody knows them. */
const trials =
  (toValue: (key: string) => string | number, none: string | number): NonNullable<FieldType['trials']> =>
  ({ allowedValues }) =>
    allowedValues === undefined
      ? {}
      : {
          taken: Object.keys(allowedValues)
            .slice(0, 3)
            .map((key) => ({ value: toValue(key) })),
          refused: [{ value: none }],
        };

export const listString: FieldType = {
  ...anyText,
  name: 'list_string',
  isEmpty: ({ value }) => isNothing(value),
  item: [choice(false)],
  rules: { value: [isShort, text] },
  page: ({ value }, _context, { allowedValues = {} }) => {
    const key = textOf(value ?? '');
    return markup`${Object.hasOwn(allowedValues, key) ? allowedValues[key] : key}`;
  },
  sample: sample((key) => key),
  trials: trials((key) => key, 'verify-none'),
  module: 'options',
  widget: 'options_select',
  keys: ['allowed_values'],
  storageSettings: () => ({ allowed_values_function: '' }),
};

export const listInteger: FieldType = {
  ...listString,
  name: 'list_integer',
  store: ({ value }) => ({ value: numberIfDigits(value) }),
  item: [choice(true)],
  rules: { value: [isWhole] },
  reasonOfChange: becomesNumber,
  jsonld: literalOf('int'),
  sample: sample(Number),
  form: integer.form,
  trials: trials(Number, -99),
  schema: shapes('IntegerItem'),
};
