/** A field of the model as the server tells it, for tests of the form. */
import type { ModelField } from '../../console/src/edit/model.ts';
import { fieldTypeOf } from '../../src/repository/repository.ts';

export const field = (name: string, type: string, more: Partial<ModelField> = {}): ModelField => {
  const { allowedValues, linkTitle, dateOnly } = more;
  const definition = {
    ...{ name, label: `The ${name}`, type, cardinality: 1, required: false, configured: true, translatable: false },
    allowedValues: allowedValues && Object.fromEntries(allowedValues.map(({ value, label }) => [value, label])),
    ...{ dateOnly, forms: { linkTitle } },
  };
  return {
    ...{ name, label: definition.label, type, main: 'value', properties: ['value'] },
    parts: [...(fieldTypeOf({ type }).form?.(definition) ?? [])],
    ...{ required: false, filled: false, cardinality: 1, configured: true, inForm: true },
    ...{ readOnly: false, createOnly: false },
    ...more,
  };
};
