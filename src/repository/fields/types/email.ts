/** Addresses of e-mail. */
import { markup } from '../../markup/page-markup.ts';
import { isEmailAddress, longestAddress } from '../address-rules.ts';
import { type FieldType, shapes } from '../field-type.ts';
import type { PropertyRule } from '../rule.ts';
import { noLonger, text } from '../rules.ts';
import { isScalar, scalarText } from '../values.ts';
import { anyText } from './string.ts';
import { textOf } from '../../../openapi/openapi-records.ts';

const emailAddress: PropertyRule = (value) =>
  isScalar(value) && !isEmailAddress(scalarText(value)) ? 'This value is not a valid email address.' : undefined;

export const email: FieldType = {
  ...anyText,
  name: 'email',
  item: [noLonger(() => longestAddress, 'the email address can not be')],
  rules: { value: [text, emailAddress] },
  page: ({ value }) => {
    const address = textOf(value ?? '');
    return markup`<a href="mailto:${address}">${address}</a>`;
  },
  sample: (_field, draw) => ({ value: `reader${draw.below(1000)}@example.org` }),
  trials: () => ({ taken: [{ value: 'someone@example.org' }], refused: [{ value: 'nobody' }] }),
  schema: shapes('EmailItem'),
  widget: 'email_default',
  keys: ['max_length'],
};
