/** Universally unique identifiers. */
import { markup } from '../../markup/page-markup.ts';
import { type FieldType, shapes } from '../field-type.ts';
import type { ListRule } from '../rule.ts';
import { literalOf } from '../graph-values.ts';
import { maxLength } from '../rules.ts';
import { isScalar, scalarText } from '../values.ts';
import { anyText } from './string.ts';
import { textOf } from '../../../openapi/openapi-records.ts';

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The contract's table says "string UUID". The real site accepts any text, so this comes after all its own rules. */
const isUuid: ListRule = ([item, ...others], { maxLength: most = Infinity }) => {
  const text = scalarText(item?.['value']);
  return others.length === 0 && isScalar(item?.['value']) && text.length <= most && !uuidPattern.test(text)
    ? [{ delta: 0, property: 'value', message: 'This value is not a valid UUID.' }]
    : [];
};

export const uuid: FieldType = {
  ...anyText,
  name: 'uuid',
  isOfBase: true,
  store: ({ value }) => ({ value: scalarText(value).toLowerCase() }),
  list: [isUuid],
  item: [maxLength],
  reasonOfChange: () => 'A UUID is stored in lower case.',
  jsonld: literalOf('string'),
  page: ({ value }) => markup`<code>${textOf(value ?? '')}</code>`,
  schema: shapes('UuidItem'),
};
