/** True or false. */
import { markup } from '../../pages/page-markup.ts';
import { type FieldType, shapes } from '../field-type.ts';
import { literalOf } from '../graph-values.ts';
import { boolean as isBoolean } from '../rules.ts';
import { isMissing, readBoolean } from '../values.ts';

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
  schema: shapes('BooleanItem'),
  widget: 'boolean_checkbox',
  settings: () => ({ on_label: 'On', off_label: 'Off' }),
};
