/** The schema of a field that bundles use for different types. */
import { describe, expect, it } from '@jest/globals';
import { derivedSchema } from '../../src/repository/document/specialise-shapes.ts';
import { written } from './specialised.ts';

const unionOf = (...names: string[]): unknown => derivedSchema(names.join('Or'), written.components['schemas'] ?? {});

describe('one schema of several shapes', () => {
  it('has the members of all, requires what all require, and does not choose between schemas', () => {
    const shown = unionOf('StringItem', 'IntegerItem', 'NodeReference', 'LinkItem');
    expect(shown).toMatchObject({
      ...{ type: 'object', additionalProperties: false, required: [] },
      properties: { value: { type: ['string', 'integer'] }, target_id: {}, uri: {} },
    });
    expect(unionOf('NodeReference', 'MediaReference')).toMatchObject({
      ...{ required: ['target_id'], properties: { target_type: { type: 'string', enum: ['node', 'media'] } } },
    });
  });

  it('takes what a choice takes that is one of the shapes', () => {
    const sent = unionOf('TextInput', 'ReferenceInput');
    expect(sent).toMatchObject({ required: [], properties: { value: {}, target_id: {}, target_uuid: {} } });
    expect(JSON.stringify(sent)).not.toMatch(/anyOf|oneOf/);
  });

  it('takes any member where one of the shapes does', () => {
    expect(unionOf('StringItem', 'OtherItem')).toMatchObject({ additionalProperties: true, required: [] });
  });
});
