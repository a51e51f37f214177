/** Any type that the program does not know: the texts, numbers and booleans of its items are kept as they were sent. */
import { isRecord, type Json } from '../../../basics/json.ts';
import { type FieldType, shapes } from '../field-type.ts';
import { textValue } from '../graph-values.ts';
import { isMissingOrEmptyText, isScalar } from '../values.ts';
import type { FieldItem } from '../../../openapi/openapi-records.ts';

/** The most members that are kept of an item. */
const maxMembers = 50;

const scalarMembers = (sent: Json): FieldItem =>
  !isRecord(sent)
    ? {}
    : Object.fromEntries(
        Object.entries(sent)
          .filter(([name, value]: [string, Json]) => /^\w{1,64}$/.test(name) && (isScalar(value) || value === null))
          .slice(0, maxMembers),
      );

/** Nobody knows its rules. */
export const other: FieldType = {
  name: 'other',
  main: 'value',
  properties: ['value'],
  hasAnyMember: true,
  isEmpty: (item) => Object.values(item).every(isMissingOrEmptyText),
  read: ({ sent, kept }) => (isScalar(sent) ? kept : scalarMembers(sent)),
  store: (item) => item,
  reasonOfDrop: () => 'An item without any value is dropped.',
  jsonld: textValue,
  sample: (field, draw) => ({ value: draw.name(field) }),
  schema: shapes('OtherItem'),
};
