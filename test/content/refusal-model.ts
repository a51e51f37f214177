/**
 * The model of the real site's refusals: for each type of field some values with everything that is wrong with them, and
 * the order in which the real site says so. Tests draw bodies with many faults from it.
 */
import fc from 'fast-check';
import type { Bundle, FieldDefinition } from '../../src/repository/repository.ts';
import { site } from './judging.ts';
import type { Json } from '../../src/basics/json.ts';

/** `list` rules come first, then those of the `item`, then those of its properties. */
type Fault = { readonly level: 'list' | 'item' | 'property'; readonly property?: string; readonly message: string };
type DrawnItem = { readonly sent: Json; readonly faults: readonly Fault[]; readonly isEmpty?: boolean };

const primitive = 'This value should be of the correct primitive type.';
const noChoice = 'The value you selected is not a valid choice.';
const wrong = (property = 'value', message = primitive): Fault => ({ level: 'property', property, message });
const item = (message: string, property?: string): Fault => ({ level: 'item', message, ...(property && { property }) });
const value = (sent: Json, ...faults: Fault[]): DrawnItem => ({ sent: { value: sent }, faults });
const empty = (sent: Json): DrawnItem => ({ sent, faults: [], isEmpty: true });
const tooLong = ({ label, maxLength = 255 }: FieldDefinition): DrawnItem =>
  value('é'.repeat(maxLength + 1), item(`${label}: may not be longer than ${maxLength} characters.`, 'value'));

const absent = ({ target }: FieldDefinition, id: string | number): Fault => ({
  level: 'list',
  property: 'target_id',
  message: `The referenced entity (${target?.type}: ${id}) does not exist.`,
});

const references = (field: FieldDefinition, members: Readonly<Record<string, Json>> = {}): DrawnItem[] => [
  { sent: { target_id: goodId(field), ...members }, faults: [] },
  { sent: { target_id: 98_765, ...members }, faults: [absent(field, 98_765)] },
  { sent: { target_id: '5x', ...members }, faults: [absent(field, '5x'), wrong('target_id')] },
  { sent: { target_id: '', ...members }, faults: [wrong('target_id')] },
  { sent: { target_id: 0, ...members }, faults: [] },
];

/** A record of the starter fixture that the field may refer to. */
const goodId = ({ target }: FieldDefinition): number => {
  if (target?.type !== 'taxonomy_term') return target?.type === 'user' ? 2 : 1;
  return site.terms.find(({ vocabulary }) => target.bundles?.includes(vocabulary) !== false)?.tid ?? 0;
};

const text = [
  value('a'),
  value(7),
  value(true),
  value({ a: 1 }, wrong()),
  empty({}),
  empty({ value: '' }),
  empty(null),
];

/** A new type of field has no place in the order until it stands here. */
const drawnItems: Readonly<Record<string, (field: FieldDefinition) => readonly DrawnItem[]>> = {
  boolean: () => [value(true), value('0'), value('yes', wrong()), value('', wrong())],
  integer: ({ label, unsigned, min, max }) => [
    ...(max === undefined
      ? [value('4711')]
      : [value('4711', item(`${label}: the value may be no greater than ${max}.`, 'value')), value(max)]),
    value(
      'x',
      ...[min !== undefined, max !== undefined, unsigned === true]
        .filter((isBound) => isBound)
        .map(() => item('This value should be a valid number.', 'value')),
      wrong(),
    ),
    empty({ value: null }),
  ],
  string: (field) => [...text, tooLong(field)],
  string_long: () => text,
  text_long: () => [
    { sent: { value: 'a', format: 'wiki' }, faults: [wrong('format', noChoice)] },
    { sent: { value: [1], format: [1] }, faults: [wrong(), wrong('format')] },
  ],
  uuid: (field) => [tooLong(field), value(['a'], wrong())],
  language: () => [
    value('xx', item(noChoice)),
    value(
      'x'.repeat(13),
      item('This value is too long. It should have 12 characters or less.', 'value'),
      item(noChoice),
    ),
  ],
  timestamp: () => [value(5), value('2020-02-03T04:05:06Z')],
  changed: () => [value(5)],
  entity_reference: (field) => [...references(field), empty({ target_id: null })],
  typed_relation: (field) => [
    ...references(field, { rel_type: 'relators:aut' }),
    { sent: { target_id: goodId(field), rel_type: ['a'] }, faults: [wrong('rel_type')] },
    // Without a relation the item is empty, but its target is judged.
    { sent: { target_id: 98_765 }, faults: [absent(field, 98_765)], isEmpty: true },
  ],
  file: (field) => [
    { sent: { target_id: 98_765, description: {} }, faults: [absent(field, 98_765), wrong('description')] },
    { sent: { target_id: 98_766, display: 'x' }, faults: [absent(field, 98_766), wrong('display')] },
  ],
  image: (field) => [
    { sent: { target_id: 98_765, alt: [] }, faults: [absent(field, 98_765), wrong('alt')] },
    {
      sent: { target_id: 98_766, height: 'h', title: {} },
      faults: [absent(field, 98_766), wrong('title'), wrong('height')],
    },
  ],
  file_uri: () => [],
  link: () => [
    { sent: { uri: 'urn:x' }, faults: [item("The path 'urn:x' is invalid.")] },
    { sent: { uri: 'x', title: [] }, faults: [item("The path 'x' is invalid."), wrong('uri'), wrong('title')] },
  ],
  text: (field) => [
    ...formatted(),
    value(
      'é'.repeat((field.maxLength ?? 255) + 1),
      item(`${field.label}: the text may not be longer than ${field.maxLength ?? 255} characters.`, 'value'),
    ),
    empty({ value: '' }),
  ],
  text_with_summary: () => [
    ...formatted({ summary: 'S' }),
    { sent: { value: '', summary: 'S' }, faults: [] },
    { sent: { value: 'a', summary: {} }, faults: [wrong('summary')] },
    empty({ value: '', summary: '' }),
  ],
  list_string: ({ allowedValues = {} }) => [
    ...Object.keys(allowedValues).map((key) => value(key)),
    value('nope', item(noChoice)),
    value(['a'], item(noChoice), wrong()),
    value(
      'x'.repeat(256),
      item(noChoice),
      wrong('value', 'This value is too long. It should have 255 characters or less.'),
    ),
    empty({ value: null }),
  ],
  list_integer: ({ allowedValues = {} }) => [
    ...Object.keys(allowedValues).map((key) => value(key)),
    ...Object.keys(allowedValues).map((key) => value(Number(key))),
    value(98, item(noChoice)),
    value('x', item(noChoice), wrong()),
    empty({ value: null }),
  ],
  email: ({ label }) => [
    value('a.b@example.org'),
    value('nobody', wrong('value', 'This value is not a valid email address.')),
    value({ a: 1 }, wrong()),
    value(
      `${'a'.repeat(260)}@x.org`,
      item(`${label}: the email address can not be longer than 254 characters.`, 'value'),
      wrong('value', 'This value is not a valid email address.'),
    ),
    empty({ value: '' }),
  ],
  authority_link: () => [
    ...links({ source: 'viaf' }),
    { sent: { uri: 'http://x/y', source: [] }, faults: [wrong('source')] },
  ],
  geolocation: () => [
    { sent: { lat: 48.2, lng: '16.37' }, faults: [] },
    { sent: { lat: 'north', lng: [] }, faults: [wrong('lat'), wrong('lng')] },
    { sent: { lat: 1, lng: 2, data: 'x' }, faults: [wrong('data')] },
    empty({ lat: 1 }),
    empty({ lat: '', lng: 2 }),
  ],
  media_track: (field) => [
    { sent: { target_id: 98_765, label: [], kind: 'x' }, faults: [absent(field, 98_765), wrong('label')] },
    {
      sent: { target_id: 98_766, srclang: 'x'.repeat(21), default: 'yes' },
      faults: [
        absent(field, 98_766),
        wrong('srclang', `${field.label}: may not be longer than 20 characters.`),
        wrong('default'),
      ],
    },
  ],
  comment: () => [
    { sent: { status: '2' }, faults: [] },
    { sent: { status: 'open' }, faults: [wrong('status')] },
    { sent: {}, faults: [item('This value should not be null.', 'status')] },
  ],
  name: ({ label }) => [
    { sent: { given: 'Ada', family: 'Lovelace' }, faults: [] },
    { sent: { credentials: {}, given: [] }, faults: [wrong('given'), wrong('credentials')] },
    { sent: { title: 'x'.repeat(256) }, faults: [wrong('title', `${label}: may not be longer than 255 characters.`)] },
    empty({ given: '', family: null }),
  ],
  entity_reference_revisions: (field) => [
    { sent: { target_id: 2, target_revision_id: '2' }, faults: [] },
    { sent: { target_id: 2 }, faults: [item('This value should not be null.', 'target_revision_id')] },
    { sent: { target_id: 2, target_revision_id: 'x' }, faults: [wrong('target_revision_id')] },
    ...(field.target === undefined
      ? []
      : [{ sent: { target_id: 999, target_revision_id: 1 }, faults: [absent(field, 999)] }]),
    empty({ target_id: null }),
  ],
  daterange: ({ dateOnly }) => {
    const start = dateOnly === true ? '2020-02-03' : '2020-02-03T04:05:06+01:00';
    const noEnd = item('This value should not be null.', 'end_value');
    return [
      { sent: { value: start, end_value: start }, faults: [] },
      { sent: { value: start }, faults: [noEnd] },
      { sent: { value: start, end_value: true }, faults: [item('The datetime value must be a string.', 'end_value')] },
      { sent: { value: true, end_value: start }, faults: [item('The datetime value must be a string.', 'value')] },
      { sent: { value: [], end_value: start }, faults: [wrong()] },
    ];
  },
  weight: () => [value('-7'), value(99), value('1.5', wrong()), value([], wrong()), empty({ value: '' })],
  telephone: ({ label }) => [
    value(5),
    value('1'.repeat(257), item(`${label}: the telephone number may not be longer than 256 characters.`, 'value')),
    value([], wrong()),
    empty({ value: '' }),
  ],
  datetime: () => [
    value('2020-02-03T04:05:06+01:00'),
    value(true, item('The datetime value must be a string.')),
    value({}, item('The datetime value must be a string.'), wrong()),
    empty({ value: null }),
  ],
  decimal: ({ label, min = 0, max = 0 }) => [
    value(String(min)),
    value('1e1', item('This value is not valid.', 'value')),
    value(min - 1, item(`${label}: the value may be no less than ${min}.`, 'value')),
    value(
      99_999_999_999,
      item(`${label}: the value may be no greater than ${max}.`, 'value'),
      item(`${label}: the value may be no greater than 99999999.99.`, 'value'),
    ),
    value(
      'x',
      ...['This value should be a valid number.', 'This value should be a valid number.', primitive].map((message) =>
        item(message, 'value'),
      ),
    ),
    empty({ value: null }),
  ],
  float: ({ label, min = 0, max = 0 }) => [
    value(max),
    value('1e0'),
    value(max + 0.5, item(`${label}: the value may be no greater than ${max}.`, 'value')),
    value(min - 0.5, item(`${label}: the value may be no less than ${min}.`, 'value')),
    value('x', ...[0, 1].map(() => item('This value should be a valid number.', 'value')), wrong()),
    empty({ value: null }),
  ],
  other: () => [{ sent: { a: 1, b: { c: 1 } }, faults: [] }, empty({}), empty({ a: '' })],
  path: () => [],
  metatag: () => [],
  redirect_source: () => [],
  edtf: (field) => [
    value('1984-05'),
    empty(null),
    // Empty, but judged as soon as another item has a value.
    { ...value(null, item(' is not valid EDTF: Cannot parse empty value.')), isEmpty: true },
    value('abc', item("abc is not valid EDTF: Could not parse the date 'abc'.")),
    {
      ...tooLong({ ...field, label: field.label }),
      faults: [
        item(
          `${'é'.repeat((field.maxLength ?? 128) + 1)} is not valid EDTF: Could not parse the date '${'é'.repeat((field.maxLength ?? 128) + 1)}'.`,
        ),
        item(`${field.label}: may not be longer than ${field.maxLength ?? 128} characters.`, 'value'),
      ],
    },
  ],
};

/** What a text of formatted text can be, with every fault that comes before it. */
const formatted = (members: Readonly<Record<string, Json>> = {}): DrawnItem[] => [
  { sent: { value: 'a', format: null, ...members }, faults: [] },
  { sent: { value: 'a', format: 'wiki', ...members }, faults: [wrong('format', noChoice)] },
  { sent: { value: [1], format: [1], ...members }, faults: [wrong(), wrong('format')] },
];

const links = (members: Readonly<Record<string, Json>> = {}): DrawnItem[] => [
  { sent: { uri: 'http://example.org/a', ...members }, faults: [] },
  { sent: { uri: 'urn:x', ...members }, faults: [item("The path 'urn:x' is invalid.")] },
  {
    sent: { uri: 'x', title: [], ...members },
    faults: [item("The path 'x' is invalid."), wrong('uri'), wrong('title')],
  },
];

/** The fields that an account which may do everything can set, as the real site orders them. */
export const orders: readonly (readonly [
  type: 'node' | 'media' | 'taxonomy_term',
  bundle: string,
  base: string,
  configured: string,
])[] = [
  [
    'node',
    'islandora_object',
    'uuid vid langcode revision_log status uid title created promote sticky default_langcode revision_translation_affected content_translation_source content_translation_outdated',
    'field_access_terms field_alternative_title field_description field_display_hints field_edtf_date field_edtf_date_created field_edtf_date_issued field_extent field_identifier field_linked_agent field_member_of field_model field_pid field_resource_type field_rights field_subject',
  ],
  [
    'media',
    'image',
    'uuid vid langcode revision_created revision_user revision_log_message status uid name thumbnail created default_langcode revision_translation_affected content_translation_source content_translation_outdated',
    'field_media_image field_access_terms field_file_size field_height field_media_of field_media_use field_mime_type field_width',
  ],
  [
    'media',
    'file',
    'uuid vid langcode revision_created revision_user revision_log_message status uid name thumbnail created default_langcode revision_translation_affected content_translation_source content_translation_outdated',
    'field_media_file field_access_terms field_file_size field_media_of field_media_use field_mime_type',
  ],
  [
    'taxonomy_term',
    'islandora_models',
    'uuid revision_id revision_created revision_user revision_log_message status name description weight parent default_langcode revision_translation_affected content_translation_source content_translation_outdated content_translation_uid content_translation_created',
    'field_external_uri',
  ],
];

type DrawnField = { readonly field: FieldDefinition; readonly items: readonly DrawnItem[] };

/** Some fields with some items each, in any order. */
export const drawnBody = (bundle: Bundle, names: readonly string[]): fc.Arbitrary<readonly DrawnField[]> =>
  fc.shuffledSubarray([...names], { minLength: 1, maxLength: 8 }).chain((chosen) =>
    fc.tuple(
      ...chosen.map((name) => {
        const field = bundle.fields.get(name);
        if (field === undefined) throw new Error(`no field ${name}`);
        const items = drawnItems[field.type]?.(field);
        if (items === undefined) throw new Error(`no items for the type ${field.type}`);
        return fc
          .array(fc.constantFrom(...items), { minLength: 1, maxLength: 3 })
          .map((drawn) => ({ field, items: drawn }));
      }),
    ),
  );

/** What the real site answers to these fields, line by line. `names` are the fields in its order. */
export const expectedLines = (body: readonly DrawnField[], names: readonly string[]): readonly string[] =>
  names.flatMap((name) => body.filter(({ field }) => field.name === name)).flatMap(linesOf);

const linesOf = ({ field, items }: DrawnField): string[] => {
  const at = (delta: number, level: Fault['level']): string[] =>
    (items[delta]?.faults ?? [])
      .filter((fault) => fault.level === level)
      .map(
        ({ property, message }) =>
          `${[field.name, delta, property].filter((part) => part !== undefined).join('.')}: ${message}`,
      );
  const deltas = [...items.keys()];
  const isEmpty = items.every((drawn) => drawn.isEmpty === true);
  return [
    ...(isEmpty && field.required ? [`${field.name}: This value should not be null.`] : []),
    ...(items.length > field.cardinality
      ? [`${field.name}: ${field.label}: this field cannot hold more than ${field.cardinality} values.`]
      : []),
    ...deltas.flatMap((delta) => at(delta, 'list')),
    ...(isEmpty ? [] : deltas.flatMap((delta) => [...at(delta, 'item'), ...at(delta, 'property')])),
  ];
};

/** What is sent. */
export const bodyOf = (body: readonly DrawnField[]): Readonly<Record<string, Json>> =>
  Object.fromEntries(body.map(({ field, items }) => [field.name, items.map(({ sent }) => sent)]));
