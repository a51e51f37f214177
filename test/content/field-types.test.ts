/** What each field type accepts, refuses and keeps, one table a type. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { loadEdtf } from '../../src/content/fields/edtf-dates.ts';
import type { FieldItem, Json } from '../../src/model/entity.ts';
import { fieldTypes, isEmptyItem } from '../../src/content/fields/field-types.ts';
import { extensionOf } from '../../src/content/fields/reference-types.ts';
import type { FieldDefinition } from '../../src/model/bundle.ts';
import { context, fieldOf, valued } from './judging.ts';

beforeAll(loadEdtf);

const node = (name: string): FieldDefinition => fieldOf('node', 'islandora_object', name);
const image = (name: string): FieldDefinition => fieldOf('media', 'image', name);
const primitive = 'This value should be of the correct primitive type.';

const judge = (field: FieldDefinition, item: FieldItem): string[] =>
  fieldTypes[field.type]
    .validate(item, field, context)
    .map(({ property, message }) => `${property === undefined ? '' : `${property}: `}${message}`);
const store = (field: FieldDefinition, item: FieldItem): FieldItem => fieldTypes[field.type].store(item);

type Case = readonly [what: string, field: FieldDefinition, sent: FieldItem, kept: FieldItem];
const keep = (cases: readonly Case[]) => {
  it.each(cases)('%s is kept', (_what, field, sent, kept) => {
    expect(judge(field, sent)).toEqual([]);
    expect(store(field, sent)).toEqual(kept);
  });
};
type Refusal = readonly [what: string, field: FieldDefinition, sent: FieldItem, faults: readonly string[]];
const refuse = (cases: readonly Refusal[]) => {
  it.each(cases)('%s is refused', (_what, field, sent, faults) => {
    expect(judge(field, sent)).toEqual(faults);
  });
};
/** Values that are nothing but wrong for a scalar. */
const wrongFor = (field: FieldDefinition, values: readonly Json[], fault = `value: ${primitive}`): Refusal[] =>
  values.map((value) => [JSON.stringify(value), field, valued(value), [fault]]);

describe('string', () => {
  const title = node('title');
  keep([
    ['a text', title, valued('T'), valued('T')],
    ['a number, as text', title, valued(7), valued('7')],
    ['255 characters', title, valued('x'.repeat(255)), valued('x'.repeat(255))],
    ['255 characters of two units each', title, valued('😀'.repeat(255)), valued('😀'.repeat(255))],
    ['a long text without limit', node('field_description'), valued('x'.repeat(9000)), valued('x'.repeat(9000))],
  ]);
  refuse([
    ['256 characters', title, valued('x'.repeat(256)), ['value: Title: may not be longer than 255 characters.']],
    ...wrongFor(title, [true, [], {}, ['a'], { $ne: 1 }]),
  ]);
});

describe('integer', () => {
  const width = image('field_width');
  keep([
    ['a whole number', width, valued(40), valued(40)],
    ['digits', width, valued('40'), valued(40)],
    ['a negative one', width, valued(-1), valued(-1)],
  ]);
  refuse(wrongFor(width, ['abc', '040', '1.5', '1e3', 1.5, 2 ** 53, true, [], {}]));
});

describe('boolean', () => {
  const status = node('status');
  keep([
    ...[true, 1, '1'].map((value): Case => [JSON.stringify(value), status, valued(value), valued(true)]),
    ...[false, 0, '0'].map((value): Case => [JSON.stringify(value), status, valued(value), valued(false)]),
  ]);
  refuse(wrongFor(status, ['true', 'false', 'yes', 2, [], {}]));
});

describe('uuid', () => {
  const uuid = node('uuid');
  const text = '0587D589-8e61-4a18-821f-0eb423ad1f91';
  keep([['a uuid, in lower case', uuid, valued(text), valued(text.toLowerCase())]]);
  refuse([
    ['129 characters', uuid, valued('a'.repeat(129)), ['value: UUID: may not be longer than 128 characters.']],
    ['another text', uuid, valued('abc'), ['value: This value is not a valid UUID.']],
    ...wrongFor(uuid, [1, true, [], {}]),
  ]);
});

describe('language', () => {
  keep([['a language of the site', node('langcode'), valued('fr'), valued('fr')]]);
  refuse(wrongFor(node('langcode'), ['xx', 'EN', 1, null, []], 'The value you selected is not a valid choice.'));
});

describe('timestamp', () => {
  it('is read before anything is judged, as seconds', () => {
    const read = fieldTypes.timestamp.read?.(
      valued('2019-01-01T00:00:00+00:00'),
      node('created'),
      {},
      { idOf: () => 1 },
    );
    expect(read).toEqual(valued(1_546_300_800));
  });
  it.each(['yesterday', 1.5, true, [], {}])('%p is no time, and the answer says what would be', (value: Json) => {
    expect(() => fieldTypes.timestamp.read?.(valued(value), node('created'), {}, { idOf: () => 1 })).toThrow(
      expect.objectContaining({ status: 422, message: expect.stringContaining('"U" (UNIX timestamp)') }),
    );
  });
});

describe('edtf', () => {
  const date = node('field_edtf_date');
  keep(
    [
      '2019',
      '2019-03',
      '2019-03-01',
      '2019-03-01?',
      '2019-uu'.replace('uu', '21'),
      '201X',
      '1964/2008',
      '[1667,1668]',
      '-0044',
    ].map((text): Case => [text, date, valued(text), valued(text)]),
  );
  refuse(
    ['not a date', '2019-13', '2019-02-30', '03/2019'].map((text): Refusal => [
      text,
      date,
      valued(text),
      [`${text} is not valid EDTF: Could not parse the date '${text}'.`],
    ]),
  );
});

describe('link', () => {
  const uri = fieldOf('taxonomy_term', 'islandora_models', 'field_external_uri');
  keep([
    ['an address', uri, { uri: 'http://x/y' }, { uri: 'http://x/y', title: null, options: [] }],
    [
      'with a title',
      uri,
      { uri: 'urn:x', title: 'T', options: { a: 1 } },
      { uri: 'urn:x', title: 'T', options: { a: 1 } },
    ],
  ]);
  refuse([
    ['a path', uri, { uri: 'x/y' }, ["uri: The path 'x/y' is invalid."]],
    ['a number', uri, { uri: 5 }, ["uri: The path '5' is invalid."]],
    ['a title that is no text', uri, { uri: 'http://x', title: 5 }, [`title: ${primitive}`]],
  ]);
});

describe('formatted text', () => {
  const description = fieldOf('taxonomy_term', 'islandora_models', 'description');
  keep([['a text', description, valued('D'), { value: 'D', format: null }]]);
  refuse([['a format that is no text', description, { value: 'D', format: 1 }, [`format: ${primitive}`]]]);
});

describe('entity_reference', () => {
  const field = node('field_model');
  const missing = (id: string) => `target_id: The referenced entity (taxonomy_term: ${id}) does not exist.`;
  keep([
    ['an id', field, { target_id: 24 }, { target_id: 24 }],
    ['its digits', field, { target_id: '24' }, { target_id: 24 }],
    ['a node', node('field_member_of'), { target_id: 1 }, { target_id: 1 }],
  ]);
  refuse([
    ['an id that nobody has', field, { target_id: 9999 }, [missing('9999')]],
    [
      'a term of another vocabulary',
      field,
      { target_id: 16 },
      ['target_id: This entity (taxonomy_term: 16) cannot be referenced.'],
    ],
    [
      'a node that may not be seen',
      node('field_member_of'),
      { target_id: 2 },
      ['target_id: This entity (node: 2) cannot be referenced.'],
    ],
    ...(['abc', 1.5, true, [1], { $ne: 1 }] as Json[]).map((id): Refusal => [
      JSON.stringify(id),
      field,
      { target_id: id },
      [missing(typeof id === 'string' ? id : JSON.stringify(id)), `target_id: ${primitive}`],
    ]),
  ]);

  const read = (sent: Readonly<Record<string, Json>>) => {
    const item = 'target_id' in sent ? { target_id: sent['target_id'] ?? null } : {};
    return fieldTypes.entity_reference.read?.(item, node('field_member_of'), sent, {
      idOf: (type, uuid) => (type === 'node' && uuid === 'a-b' ? 1 : undefined),
    });
  };
  it('is found by uuid, in any case, with or without its type; the uuid decides', () => {
    expect(read({ target_uuid: 'A-B' })).toEqual({ target_id: 1 });
    expect(read({ target_uuid: 'a-b', target_type: 'node', target_id: 99 })).toEqual({ target_id: 1 });
    expect(read({ target_id: 5, target_type: 'node_type' })).toEqual({ target_id: 5 });
  });
  it.each([
    [{ target_uuid: '' }, 'If provided "target_uuid" cannot be empty for field "0".'],
    [{ target_uuid: 'x' }, 'No "" entity found with UUID "x" for field "0".'],
    [{ target_uuid: 'x', target_type: 'node' }, 'No "node" entity found with UUID "x" for field "0".'],
    [
      { target_uuid: 'a-b', target_type: 'node_type' },
      'The field "field_member_of" property "target_type" must be set to "node" or omitted.',
    ],
  ])('%p is refused', (sent: Readonly<Record<string, Json>>, message) => {
    expect(() => read(sent)).toThrow(expect.objectContaining({ status: 422, message }));
  });
});

describe('typed_relation', () => {
  const agent = node('field_linked_agent');
  keep([
    [
      'with a relation',
      agent,
      { target_id: 40, rel_type: 'relators:aut' },
      { target_id: 40, rel_type: 'relators:aut' },
    ],
    ['without one', agent, { target_id: 40 }, { target_id: 40, rel_type: null }],
  ]);
  refuse([
    ['a relation that is no text', agent, { target_id: 40, rel_type: 5 }, [`rel_type: ${primitive}`]],
    [
      'a relation outside the list of the field',
      { ...agent, relations: ['relators:aut'] },
      { target_id: 40, rel_type: 'relators:xyz' },
      ['rel_type: The value you selected is not a valid choice.'],
    ],
  ]);
});

describe('image and file', () => {
  const picture = image('field_media_image');
  const bare = { target_id: 7, alt: null, title: null, width: null, height: null };
  keep([
    ['a file alone', picture, { target_id: 7 }, bare],
    ['with what belongs to it', picture, { target_id: 7, alt: 'A', width: '5' }, { ...bare, alt: 'A', width: 5 }],
  ]);
  const audio = fieldOf('media', 'audio', 'field_media_audio_file');
  refuse([
    [
      'a file with another extension',
      audio,
      { target_id: 7 },
      ['Only files with the following extensions are allowed: mp3 wav aac.'],
    ],
    ['an alt that is no text', picture, { target_id: 7, alt: [] }, [`alt: ${primitive}`]],
    [
      'an alt of 513 characters',
      picture,
      { target_id: 7, alt: 'x'.repeat(513) },
      ['alt: Image: may not be longer than 512 characters.'],
    ],
    ['a width that is no number', picture, { target_id: 7, width: 'wide' }, [`width: ${primitive}`]],
    ['no file', picture, { target_id: 8 }, ['target_id: The referenced entity (file: 8) does not exist.']],
  ]);
  it('keeps display and description of other files', () => {
    expect(store(audio, { target_id: 7, display: true, description: 'D' })).toEqual({
      target_id: 7,
      display: true,
      description: 'D',
    });
  });
  it.each([
    ['a.png', 'png'],
    ['a.PNG', 'png'],
    ['a.b.c', 'c'],
    ['a', ''],
    ['a.', ''],
    ['.htaccess', 'htaccess'],
    ['a.b/c', ''],
  ])('%p has the extension %p', (name, extension) => {
    expect(extensionOf(name)).toBe(extension);
  });
});

describe('an empty item', () => {
  it.each([{}, { value: null }, { value: '' }])('%p says nothing', (item: FieldItem) => {
    expect(isEmptyItem(item, 'string')).toBe(true);
  });
  it.each([{ value: 0 }, { value: false }, { value: ' ' }])('%p says something', (item: FieldItem) => {
    expect(isEmptyItem(item, 'string')).toBe(false);
  });
});
