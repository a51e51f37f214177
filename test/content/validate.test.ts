/** Fields against their definitions: required, cardinality, order and number of lines. */
import { describe, expect, it } from '@jest/globals';
import { violationsOf } from '../../src/repository/repository-content.ts';
import { bundleOf, context } from './judging.ts';
import type { FieldItem, FieldItems } from '../../src/openapi/openapi-records.ts';

const judge = (received: Readonly<Record<string, FieldItems>>): string[] =>
  violationsOf(
    bundleOf('node', 'islandora_object'),
    new Set(Object.keys(received)),
    (name) => received[name] ?? [],
    context,
  ).map(({ path, message }) => `${path}: ${message}`);

describe('the violations of a record', () => {
  it('are none when every field is as it should be', () => {
    expect(judge({ title: [{ value: 'T' }], field_model: [{ target_id: 24 }], field_extent: [] })).toEqual([]);
  });

  it('stand in the order of the definitions, not of what was sent', () => {
    expect(judge({ field_model: [], title: [], langcode: [{ value: 'xx' }] })).toEqual([
      'langcode.0: The value you selected is not a valid choice.',
      'title: This value should not be null.',
      'field_model: This value should not be null.',
    ]);
  });

  it('say that there are too many values before they name what is wrong with each', () => {
    expect(judge({ title: [{ value: 'a' }, { value: 'x'.repeat(300) }] })).toEqual([
      'title: Title: this field cannot hold more than 1 values.',
      'title.1.value: Title: may not be longer than 255 characters.',
    ]);
  });

  it.each<FieldItem>([{}, { value: null }, { value: '' }])('count the empty item %p as a value', (empty) => {
    const tooMany = 'title: Title: this field cannot hold more than 1 values.';
    expect(judge({ title: [{ value: 'a' }, empty] })).toEqual([tooMany]);
    expect(judge({ title: [empty, empty] })).toEqual(['title: This value should not be null.', tooMany]);
    expect(judge({ field_extent: [empty, { value: 'x'.repeat(256) }] })).toEqual([
      'field_extent.1.value: Extent: may not be longer than 255 characters.',
    ]);
  });

  it('name the item and the property', () => {
    expect(judge({ field_member_of: [{ target_id: 1 }, { target_id: 8 }] })).toEqual([
      'field_member_of.1.target_id: The referenced entity (node: 8) does not exist.',
    ]);
  });

  it('are 50 at most', () => {
    const items = Array.from({ length: 60 }, () => ({ target_id: 8 }));
    expect(judge({ field_member_of: items })).toHaveLength(50);
  });
});
