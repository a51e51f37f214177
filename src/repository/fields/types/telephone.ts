/** Telephone numbers, which are any text. */
import { type FieldType, shapes } from '../field-type.ts';
import { noLonger } from '../rules.ts';
import { anyText } from './string.ts';

/** The width of the real site's column. */
const longest = 256;

/** open: how JSON-LD writes them; the module names no type for them, so they stand as texts. */
export const telephone: FieldType = {
  ...anyText,
  name: 'telephone',
  item: [noLonger(() => longest, 'the telephone number may not be')],
  sample: (_field, draw) => ({ value: `+1 202 555 0${100 + draw.below(100)}` }),
  schema: shapes('TelephoneItem'),
  module: 'telephone',
  widget: 'telephone_default',
};
