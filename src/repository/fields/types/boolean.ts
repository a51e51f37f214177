/** True or false. */
import { markup } from '../../markup/page-markup.ts';
import { type FieldType, type FormPart, shapes } from '../field-type.ts';
import { literalOf } from '../graph-values.ts';
import { boolean as isBoolean } from '../rules.ts';
import { isMissing, readBoolean } from '../values.ts';

const words: Readonly<Record<string, string>> = { true: 'Yes', false: 'No' };

/** The site's own words for yes and no, where it has some. */
const choices = (own: Readonly<Record<string, string>> = {}) =>
  Object.entries(words).map(([value, label]) => ({
    value,
    label: own[value] ?? own[value === 'true' ? '1' : '0'] ?? label,
  }));

/** An input with yes and no. */
export const flag = (property: string, label: string, own?: Readonly<Record<string, string>>): FormPart => ({
  property,
  label,
  as: 'boolean',
  choices: choices(own),
});

export const boolean: FieldType = {
  name: 'boolean',
  main: 'value',
  properties: ['value'],
  // The empty text is a wrong value.
  isEmpty: ({ value }) => isMissing(value),
  store: ({ value = null }) => ({ value: readBoolean(value) ?? value }),
  rules: { value: [isBoolean] },
  reasonOfChange: ({ stored }) => (typeof stored === 'boolean' ? 'A boolean is stored as true or false.' : undefined),
  jsonld: literalOf('boolean'),
  page: ({ value }) => markup`${value === true || value === 1 || value === '1' ? 'Yes' : 'No'}`,
  sample: (_field, draw) => ({ value: draw.below(2) === 1 }),
  form: ({ allowedValues }) => [flag('value', 'Value', allowedValues)],
  trials: () => ({
    taken: [{ value: true }, { value: false }, { value: 1 }, { value: 0 }],
    refused: [{ value: 'perhaps' }, { value: 2 }],
  }),
  schema: shapes('BooleanItem'),
  widget: 'boolean_checkbox',
  settings: () => ({ on_label: 'On', off_label: 'Off' }),
};
