/** Where the console's form shows the lines of a refusal. */
import { describe, expect, it } from '@jest/globals';
import { errorsOf } from '../../console/src/edit/errors.ts';
import { field } from './model-field.ts';

const fields = [
  field('title', 'string', { cardinality: null }),
  field('field_made', 'edtf', { cardinality: null }),
  field('field_links', 'link', { main: 'uri', properties: ['uri', 'title'], cardinality: null }),
];
const keys = { title: [4], field_made: [7, 9], field_links: [11] };

const refusal = (...lines: string[]): string => ['Unprocessable Entity: validation failed.', ...lines, ''].join('\n');

describe('a refusal', () => {
  it('is shown at the item that was sent at the position, and at its input', () => {
    const message = refusal(
      'title.0.value: The title: may not be longer than 255 characters.',
      "field_made.1: abc is not valid EDTF: Could not parse the date 'abc'.",
      'field_links.0.title: This value should be of the correct primitive type.',
    );
    expect(errorsOf(message, fields, keys)).toEqual({
      rest: [],
      fields: {
        title: { list: [], items: { 4: { value: ['The title: may not be longer than 255 characters.'] } } },
        field_made: { list: [], items: { 9: { value: ["abc is not valid EDTF: Could not parse the date 'abc'."] } } },
        field_links: { list: [], items: { 11: { title: ['This value should be of the correct primitive type.'] } } },
      },
    });
  });

  it('is shown at the field when it is about no item, or about one that was not sent', () => {
    const message = refusal('title: This value should not be null.', 'field_made.5.value: Wrong.');
    expect(errorsOf(message, fields, { field_made: [7] }).fields).toEqual({
      title: { list: ['This value should not be null.'], items: {} },
      field_made: { list: ['Wrong.'], items: {} },
    });
  });

  it('keeps several lines of one input, and lines that go on', () => {
    const message = refusal('field_made.0: a', 'b is not valid EDTF: One.', 'field_made.0: Two: three.');
    expect(errorsOf(message, fields, keys).fields['field_made']?.items[7]).toEqual({
      value: ['a\nb is not valid EDTF: One.', 'Two: three.'],
    });
  });

  it('is shown above the form when it is about the record as a whole, which has no path', () => {
    const taken = 'The alias /a is already in use in this language.';
    expect(errorsOf(refusal('title: Wrong.', `: ${taken}`), fields, keys)).toEqual({
      rest: [taken],
      fields: { title: { list: ['Wrong.'], items: {} } },
    });
  });

  it('is shown above the form when the form has no such field', () => {
    const message = refusal('field_gone: This field does not exist on artwork.', 'title: Wrong.');
    expect(errorsOf(message, fields, keys).rest).toEqual(['field_gone: This field does not exist on artwork.']);
    const sentence = 'The specified date "x" is not in an accepted format: "Y-m-d" (date-only).';
    expect(errorsOf(sentence, fields, keys)).toEqual({ rest: [sentence], fields: {} });
    expect(errorsOf('HTTP 403', fields, keys)).toEqual({ rest: ['HTTP 403'], fields: {} });
  });

  it.each([
    "Access denied on creating field 'title'.",
    "Access denied on updating field 'title'. The 'administer nodes' permission is required.",
    'Field values for "title" must use an array structure',
    'A value of "title" must be an object with a time in "value".',
    'The field "title" property "target_type" must be set to "node" or omitted.',
  ])('is shown at the field that its sentence names: %s', (sentence) => {
    expect(errorsOf(sentence, fields, keys)).toEqual({ rest: [], fields: { title: { list: [sentence], items: {} } } });
  });
});
