/** Lists right values for each type of field, up to the bounds, and what the record shows of them. */
import { fieldTypeOf } from '../../../../core/fields/field-types.ts';
import type { FieldDefinition } from '../../../../core/model/bundle.ts';
import { CheckSkip } from '../../answer.ts';
import type { CheckContext } from '../../check.ts';
import { targetsOf, uuidOf } from './known-terms.ts';
import { canonicalPath } from '../../../../core/model/entity.ts';
import type { JsonRecord } from '../../record-members.ts';

/** `shown` are members that the items of the record must have afterwards; the sent ones when it is left out. */
export type FieldSample = {
  readonly name: string;
  readonly words: string;
  readonly items: (context: CheckContext, field: FieldDefinition) => Promise<readonly JsonRecord[]>;
  readonly shown?: (context: CheckContext, field: FieldDefinition) => Promise<readonly JsonRecord[]>;
};

const sample = (name: string, words: string, ...items: readonly JsonRecord[]): FieldSample => ({
  ...{ name, words, items: () => Promise.resolve(items) },
});

/** The sent value, and what the record then holds. */
const becomes = (name: string, words: string, sent: JsonRecord, shown: JsonRecord): FieldSample => ({
  ...sample(name, words, sent),
  shown: () => Promise.resolve([shown]),
});

const longestText = 2000;

/** Characters count, not bytes: each of these has several. */
const texts = ({ maxLength = longestText }: FieldDefinition): readonly FieldSample[] => [
  sample('longest', `with ${maxLength} characters`, { value: 'x'.repeat(maxLength) }),
  sample('longest-letters', `with ${maxLength} letters of several bytes each`, { value: 'é'.repeat(maxLength) }),
  sample('any-characters', 'with quotes, markup, and characters of several scripts', {
    value: `"a" <b> & 'c' \\ / é ж 日本 𝄞`,
  }),
];

const edtfTexts = [
  '2015',
  '2015-10',
  '2015-10-15',
  '2015~',
  '1999-21',
  '2014/2015',
  '201X',
  '-0400',
  'Y20155',
  '2015-10-15/..',
];

const reference = (id: number, field: FieldDefinition): JsonRecord =>
  fieldTypeOf(field).refers === 'with-role'
    ? { target_id: id, rel_type: field.relations?.[0] ?? 'relators:aut' }
    : { target_id: id };

/** Where a record of a type is. */
const recordPath = ({ contract }: CheckContext, { target }: FieldDefinition, id: number): string => {
  if (target?.type !== 'node' && target?.type !== 'media' && target?.type !== 'taxonomy_term') {
    throw new CheckSkip('The target of the field cannot be read.');
  }
  const path = canonicalPath(target.type, id);
  return target.type === 'media' && !contract.site.standaloneMedia ? `${path}/edit` : path;
};

const references: readonly FieldSample[] = [
  {
    ...{ name: 'by-id', words: 'by target_id and target_type' },
    items: async (context, field) => {
      const [id] = await targetsOf(context, field);
      return [{ ...reference(id, field), target_type: field.target?.type }];
    },
  },
  {
    ...{ name: 'by-id-text', words: 'by a target_id that is a text of digits' },
    items: async (context, field) => {
      const [id] = await targetsOf(context, field);
      return [{ ...reference(id, field), target_id: String(id) }];
    },
    shown: async (context, field) => [{ target_id: (await targetsOf(context, field))[0] }],
  },
  {
    ...{ name: 'by-uuid', words: 'by target_uuid alone' },
    items: async (context, field) => {
      const [, id] = await targetsOf(context, field);
      const { rel_type: relation } = reference(id, field);
      const uuid = await uuidOf(context, recordPath(context, field, id));
      return [{ target_uuid: uuid, ...(relation === undefined ? {} : { rel_type: relation }) }];
    },
    shown: async (context, field) => [{ target_id: (await targetsOf(context, field))[1] }],
  },
];

const twoReferences: FieldSample = {
  ...{ name: 'two', words: 'with two records, in their order' },
  items: async (context, field) => {
    const [first, second] = await targetsOf(context, field);
    return [reference(second, field), reference(first, field)];
  },
};

const isMany = ({ cardinality }: FieldDefinition): boolean => cardinality > 1;

const numbers = ({ min, max, unsigned }: FieldDefinition): readonly FieldSample[] => [
  sample('smallest', 'with the smallest number it holds', { value: min ?? (unsigned === true ? 0 : -12) }),
  sample('largest', 'with a large number', { value: max ?? 2_000_000_000 }),
  becomes('digits', 'with a number as a text of digits', { value: String(max ?? 12) }, { value: max ?? 12 }),
];

const choices = ({ allowedValues = {}, type }: FieldDefinition): readonly FieldSample[] =>
  Object.keys(allowedValues)
    .slice(0, 3)
    .map((key, index) =>
      sample(`choice-${index + 1}`, `with "${key}", which is in its list`, {
        value: type === 'list_integer' ? Number(key) : key,
      }),
    );

const addresses = ({ link = 'both' }: FieldDefinition): readonly string[] => [
  ...(link === 'internal' ? [] : ['http://example.org/a?b=c#d', 'https://example.org/', 'mailto:nobody@example.org']),
  ...(link === 'external' ? [] : ['internal:/node']),
];

const links = (field: FieldDefinition): readonly FieldSample[] =>
  addresses(field).map((uri, index) => sample(`link-${index + 1}`, `with the address ${uri}`, { uri }));

const formatted: readonly FieldSample[] = [sample('plain', 'with a text and no format', { value: 'A plain text' })];

const byType: Partial<Record<FieldDefinition['type'], (field: FieldDefinition) => readonly FieldSample[]>> = {
  string: texts,
  string_long: texts,
  text: () => formatted,
  text_long: () => formatted,
  text_with_summary: () => formatted,
  boolean: () => [
    sample('true', 'that is true', { value: true }),
    sample('false', 'that is false', { value: false }),
    becomes('one', 'with 1', { value: 1 }, { value: true }),
    becomes('zero', 'with 0', { value: 0 }, { value: false }),
  ],
  integer: numbers,
  edtf: () => edtfTexts.map((value, index) => sample(`edtf-${index + 1}`, `with the date ${value}`, { value })),
  entity_reference: (field) => [...references, ...(isMany(field) ? [twoReferences] : [])],
  typed_relation: (field) => [...references, ...(isMany(field) ? [twoReferences] : [])],
  link: links,
  authority_link: (field) => links({ ...field, link: 'external' }),
  list_string: choices,
  list_integer: choices,
  email: () => [sample('address', 'with an address', { value: 'someone@example.org' })],
  geolocation: () => [sample('place', 'with a latitude and a longitude', { lat: 44.5, lng: -63.25 })],
  datetime: ({ dateOnly = false }) =>
    [
      dateOnly
        ? sample('day', 'with a day', { value: '2020-02-29' })
        : sample('time', 'with a time', { value: '2020-02-29T12:00:00+00:00' }),
    ].slice(0, dateOnly ? 1 : 0),
};

/** The right values of a field. Fields whose values a check cannot make have none. */
export const samplesOf = (field: FieldDefinition): readonly FieldSample[] => byType[field.type]?.(field) ?? [];

/** As many different items as make a list too long. Undefined where a check cannot make them. */
export const manyItems = async (
  context: CheckContext,
  field: FieldDefinition,
  count: number,
): Promise<readonly JsonRecord[] | undefined> => {
  const [first] = samplesOf(field);
  if (first === undefined) return undefined;
  const [item = {}] = await first.items(context, field);
  const isText = ['string', 'string_long'].includes(field.type);
  return Array.from({ length: count }, (_, index) => (isText ? { value: `value ${index}` } : item));
};
