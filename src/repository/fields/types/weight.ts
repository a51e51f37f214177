/** Places in an order, of the module `weight`. */
import { type FieldType, shapes } from '../field-type.ts';
import { textValue } from '../graph-values.ts';
import { integer } from './numbers.ts';

/** How far the widget of a real site goes to either side of 0. No rule of its REST interface says so. */
const range = 20;

/** open: how JSON-LD writes them; the module names no type for them, so they stand as texts. */
export const weight: FieldType = {
  ...integer,
  name: 'weight',
  item: [],
  jsonld: textValue,
  sample: (_field, draw) => ({ value: draw.below(2 * range + 1) - range }),
  form: () => [{ property: 'value', label: 'Weight', as: 'number', hint: 'The lightest comes first.' }],
  trials: undefined,
  schema: shapes('IntegerItem'),
  module: 'weight',
  widget: 'weight_selector',
  keys: [],
  settings: () => ({ range }),
  storageSettings: () => ({ unsigned: false }),
};
