/** Reading a JSON body as fields: what is accepted, and what is refused before any field is validated. */
import { describe, expect, it } from '@jest/globals';
import { readBody, readBundle, uuidsIn } from '../../src/repository/content/fields/denormalise.ts';
import { readFields } from '../../src/repository/repository-content.ts';
import { bundleOf, site } from './judging.ts';
import type { Json, JsonObject } from '../../src/basics/json.ts';

const object = bundleOf('node', 'islandora_object');
const read = (body: JsonObject) => Object.fromEntries(readFields(body, object, { idOf: () => 1, now: 0 }));
const refusal = (message: string) => expect.objectContaining({ status: 422, message });

describe('the body', () => {
  it.each([null, true, 5, 'str'])('%p is refused', (body) => {
    expect(() => readBody(body)).toThrow(refusal('The body must be a JSON object whose members are fields.'));
  });
  it('that is a list has no members', () => {
    expect(readBody([{ type: 'x' }])).toEqual({});
  });
});

describe('the bundle', () => {
  it.each([
    ['a list of references', [{ target_id: 'islandora_object' }]],
    ['an object that PHP takes for one', { 0: { target_id: 'islandora_object' } }],
    ['a text', 'islandora_object'],
  ])('is read from %s', (_what, type: Json) => {
    expect(readBundle('node', { type }, site.model)).toBe(object);
  });
  it.each<JsonObject>([
    ...[{}, { type: [] }, { type: null }, { type: [{}] }, { type: [{ target_id: null }] }],
    ...[{ type: { target_id: 'islandora_object' } }, { type: ['islandora_object'] }, { type: 5 }, { type: true }],
    ...[{ type: [{ target_id: 5 }] }, { type: [{ target_id: true }] }],
  ])('is missing in %p', (body) => {
    expect(() => readBundle('node', body, site.model)).toThrow(
      refusal('Could not determine entity type bundle: "type" field is missing.'),
    );
  });
  it.each([
    ['media', 'bundle'],
    ['taxonomy_term', 'vid'],
  ] as const)('of a %s stands in %s', (type, member) => {
    expect(() => readBundle(type, {}, site.model)).toThrow(
      refusal(`Could not determine entity type bundle: "${member}" field is missing.`),
    );
  });
  it.each(['nope', 'constructor', '__proto__', ''])('%p is none', (id) => {
    expect(() => readBundle('node', { type: [{ target_id: id }] }, site.model)).toThrow(
      refusal(`"${id}" is not a valid bundle type for denormalization.`),
    );
  });
});

describe('a field', () => {
  it.each([
    ['a list of items', [{ value: 'a' }], [{ value: 'a' }]],
    ['a list of scalars', ['a', 5], [{ value: 'a' }, { value: 5 }]],
    ['one item, by its members', { value: 'a' }, [{ value: 'a' }]],
    ['items with unknown members', [{ value: 'a', foo: 1 }], [{ value: 'a' }]],
    [
      'items that say nothing',
      [{ value: '' }, {}, null, ['b'], { value: 'a' }],
      [{ value: '' }, {}, { value: null }, {}, { value: 'a' }],
    ],
    ['null', null, []],
    ['nothing', [], []],
    ['an empty text', '', []],
  ])('is read from %s', (_what, sent: Json, items) => {
    expect(read({ field_extent: sent })).toEqual({ field_extent: items });
  });

  it.each(['abc', 5, true])('is refused as the bare scalar %p', (sent: Json) => {
    expect(() => read({ title: sent })).toThrow(refusal('Field values for "title" must use an array structure'));
  });

  it('is kept apart from the bundle, which has been read already', () => {
    expect(read({ type: 'islandora_object', title: ['T'] })).toEqual({ title: [{ value: 'T' }] });
  });

  it('that the bundle does not have is refused by name, all of them at once', () => {
    expect(() => read({ field_nope: 1, path: [], title: ['T'] })).toThrow(
      refusal(
        'Unprocessable Entity: validation failed.\n' +
          'field_nope: This field does not exist on islandora_object.\n' +
          'path: This field does not exist on islandora_object.\n',
      ),
    );
  });

  it('that refers by uuid is announced, so that the uuid can be looked up', () => {
    const body = { field_member_of: [{ target_uuid: 'A' }, { target_id: 1 }], title: [{ target_uuid: 'b' }] };
    expect(uuidsIn(body, object)).toEqual(['uuid:node/a']);
  });
});
