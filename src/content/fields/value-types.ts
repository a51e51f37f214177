/** Defines the field types that hold values: text, numbers, dates, languages, links. */
import { unprocessable } from '../../problem.ts';
import { textOf, type Json } from '../../model/entity.ts';
import { isEdtf } from './edtf-dates.ts';
import {
  isInteger,
  isText,
  lengthViolations,
  numberIfDigits,
  quotedInput,
  wrongPrimitive,
  type FieldType,
} from './field-type.ts';
import { parseTimestamp } from './timestamps.ts';

/** The properties of a type whose items have a `value` and nothing else. */
const valueOnly = { main: 'value', properties: ['value'] } as const;

export const textType: FieldType = {
  ...valueOnly,
  validate: ({ value }, field) =>
    isText(value) ? lengthViolations(value, 'value', field, field.maxLength) : [wrongPrimitive('value')],
  store: ({ value }) => ({ value: textOf(value) }),
};

export const formattedTextType: FieldType = {
  main: 'value',
  properties: ['value', 'format'],
  validate: ({ value, format }) => [
    ...(isText(value) ? [] : [wrongPrimitive('value')]),
    ...(format === undefined || format === null || typeof format === 'string' ? [] : [wrongPrimitive('format')]),
  ],
  store: ({ value, format }) => ({ value: textOf(value), format: format ?? null }),
};

export const integerType: FieldType = {
  ...valueOnly,
  validate: ({ value }) => (isInteger(value) ? [] : [wrongPrimitive('value')]),
  store: ({ value }) => ({ value: numberIfDigits(value) }),
};

const trueValues: readonly Json[] = [true, 1, '1'];
const falseValues: readonly Json[] = [false, 0, '0'];

export const booleanType: FieldType = {
  ...valueOnly,
  // The words "true" and "false" are refused, because the real site stores both as true.
  validate: ({ value = null }) =>
    trueValues.includes(value) || falseValues.includes(value) ? [] : [wrongPrimitive('value')],
  store: ({ value = null }) => ({
    value: trueValues.includes(value) ? true : falseValues.includes(value) ? false : value,
  }),
};

export const timestampType: FieldType = {
  ...valueOnly,
  read: (item) => {
    const seconds = parseTimestamp(item['value']);
    if (seconds !== undefined) return { value: seconds };
    throw unprocessable(
      `The specified date "${quotedInput(item['value'])}" is not in an accepted format: "U" (UNIX timestamp), ` +
        '"Y-m-d\\TH:i:sO" (ISO 8601), "Y-m-d\\TH:i:sP" (RFC 3339).',
    );
  },
  validate: () => [],
  store: (item) => item,
};

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const uuidType: FieldType = {
  ...valueOnly,
  validate: ({ value }, field) => {
    if (typeof value !== 'string') return [wrongPrimitive('value')];
    const tooLong = lengthViolations(value, 'value', field, field.maxLength);
    if (tooLong.length > 0) return tooLong;
    // The contract's table says "string UUID". The real site accepts any text.
    return uuidPattern.test(value) ? [] : [{ property: 'value', message: 'This value is not a valid UUID.' }];
  },
  store: ({ value }) => ({ value: textOf(value).toLowerCase() }),
};

export const languageType: FieldType = {
  ...valueOnly,
  validate: ({ value }, _field, context) =>
    typeof value === 'string' && context.languages.includes(value)
      ? []
      : [{ message: 'The value you selected is not a valid choice.' }],
  store: (item) => item,
};

export const edtfType: FieldType = {
  ...valueOnly,
  validate: ({ value }, field) => {
    if (!isText(value)) return [wrongPrimitive('value')];
    const tooLong = lengthViolations(value, 'value', field, field.maxLength);
    if (tooLong.length > 0) return tooLong;
    const text = textOf(value);
    return isEdtf(text) ? [] : [{ message: `${text} is not valid EDTF: Could not parse the date '${text}'.` }];
  },
  store: ({ value }) => ({ value: textOf(value) }),
};

const isAbsoluteUri = (uri: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(uri) && URL.canParse(uri);

export const linkType: FieldType = {
  main: 'uri',
  properties: ['uri', 'title', 'options'],
  validate: ({ uri, title }, field) => [
    ...(typeof uri === 'string' && isAbsoluteUri(uri)
      ? lengthViolations(uri, 'uri', field, 2048)
      : [{ property: 'uri', message: `The path '${quotedInput(uri)}' is invalid.` }]),
    ...(title === undefined || title === null || typeof title === 'string' ? [] : [wrongPrimitive('title')]),
  ],
  store: ({ uri, title, options }) => ({
    uri: textOf(uri),
    title: title ?? null,
    options: typeof options === 'object' && options !== null ? options : [],
  }),
};
