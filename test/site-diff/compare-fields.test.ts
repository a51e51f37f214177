/** What is said of a field of two sites by their documents and besides them, and whom it breaks. */
import { describe, expect, it } from '@jest/globals';
import type { FieldDefinition, Site } from '../../src/repository/repository.ts';
import { someOf } from '../support/long-run.ts';
import { compared, pageWith, plain, said, withField, withMore } from './two-sites.ts';

type Traits = Partial<FieldDefinition> | undefined;
const terms = (...bundles: string[]): Traits => ({
  type: 'entity_reference',
  target: { type: 'taxonomy_term', bundles },
});

/** A change of a field as the schemas of its bundle show it, and the same change backwards. */
const field = 'node.islandora_object.field_x';
const [sent, shown] = ['NodeIslandoraObjectCreate .field_x', 'NodeIslandoraObjectRecord .field_x'];
const shownChanges: readonly (readonly [Traits, Traits, readonly string[], readonly string[]])[] = [
  [
    undefined,
    {},
    [`harmless ${sent} is new`, `harmless ${shown} is new and promised`],
    [`breaking ${sent} is gone`, `breaking ${shown} is gone`],
  ],
  [
    undefined,
    { required: true },
    [`breaking ${sent} is demanded now`, `harmless ${shown} is new and promised`],
    [`breaking ${sent} is gone`, `breaking ${shown} is gone`],
  ],
  [
    undefined,
    { required: true, default: [{ value: 'a' }] },
    [`harmless ${sent} is new`, `harmless ${shown} is new and promised`],
    [`breaking ${sent} is gone`, `breaking ${shown} is gone`],
  ],
  [
    {},
    { required: true },
    [`breaking ${sent} is demanded now`, `breaking ${sent} takes fewer items than 1 no longer`],
    [`harmless ${sent} may be left out now`, `harmless ${sent} takes fewer items than 1 now`],
  ],
  [
    {},
    { cardinality: 3 },
    [`breaking ${shown} may give more items than 1`, `harmless ${sent} takes more items than 1 now`],
    [`breaking ${sent} takes more items than 1 no longer`, `harmless ${shown} gives more items than 1 no longer`],
  ],
  [
    { maxLength: 20 },
    { maxLength: 10 },
    [
      `breaking ${sent}[].value takes texts longer than 10 no longer`,
      `harmless ${shown}[].value gives texts longer than 10 no longer`,
    ],
    [
      `breaking ${shown}[].value may give texts longer than 10`,
      `harmless ${sent}[].value takes texts longer than 10 now`,
    ],
  ],
  [
    { type: 'integer', min: 1 },
    { type: 'integer', min: 2 },
    [
      `breaking ${sent}[].value takes numbers below 2 no longer`,
      `harmless ${shown}[].value gives numbers below 2 no longer`,
    ],
    [`breaking ${shown}[].value may give numbers below 2`, `harmless ${sent}[].value takes numbers below 2 now`],
  ],
  [
    {},
    { type: 'edtf' },
    [
      `breaking ${sent}[].value takes texts longer than 128 no longer`,
      `harmless ${shown}[].value gives texts longer than 128 no longer`,
      `breaking ${field} is of type edtf instead of string`,
    ],
    [
      `breaking ${shown}[].value may give texts longer than 128`,
      `harmless ${sent}[].value takes texts longer than 128 now`,
      `breaking ${field} is of type string instead of edtf`,
    ],
  ],
  [
    { maxLength: 128 },
    { type: 'edtf', maxLength: 128 },
    [`breaking ${field} is of type edtf instead of string`],
    [`breaking ${field} is of type string instead of edtf`],
  ],
  [
    {},
    { access: 'private' },
    [`breaking ${shown} is not promised any more`, `breaking ${field} has private access instead of public`],
    [`harmless ${shown} is promised now`, `harmless ${field} has public access instead of private`],
  ],
  [
    terms('subject', 'person'),
    terms('subject'),
    [`breaking ${sent} leads to taxonomy_term person no longer`],
    [`harmless ${sent} leads to taxonomy_term person now`],
  ],
];

describe('A change of a field that its schemas show', () => {
  it.each(someOf(shownChanges))('from %j to %j', async (before, after, forwards, backwards) => {
    expect(await compared(withField(before), withField(after))).toEqual(forwards);
    expect(await compared(withField(after), withField(before))).toEqual(backwards);
  });

  it('is said of its bundle, also where another bundle has the field', async () => {
    const both = (own: FieldDefinition): Site => withMore(withField({}), pageWith(own));
    expect(await compared(both(plain), both({ ...plain, maxLength: 5 }))).toEqual([
      'breaking NodePageCreate .field_x[].value takes texts longer than 5 no longer',
      'harmless NodePageRecord .field_x[].value gives texts longer than 5 no longer',
    ]);
  });

  it('is said of its bundle, also where the field has another type in another bundle', async () => {
    const formatted = withMore(withField({ type: 'text_long' }), { ...pageWith(), id: 'map' });
    expect(await compared(withMore(formatted, pageWith()), withMore(formatted, pageWith(plain)))).toEqual([
      'harmless NodePageCreate .field_x is new',
      'harmless NodePageRecord .field_x is new and promised',
    ]);
    const choice = (key: string): FieldDefinition => ({
      ...{ ...plain, type: 'list_string', allowedValues: { [key]: 'A' } },
    });
    const chosen = withField(choice('a'));
    expect(await compared(withMore(chosen, pageWith()), withMore(chosen, pageWith(choice('b'))))).toEqual([
      'harmless NodePageCreate .field_x is new',
      'harmless NodePageRecord .field_x is new and promised',
    ]);
  });

  it('of its type names the place, and what each form has', async () => {
    const changes = await compared(withField({}), withField({ type: 'link' }));
    expect(changes).toEqual(
      expect.arrayContaining([
        `breaking ${sent}[].uri is demanded now`,
        `breaking ${sent}[].value is gone`,
        `breaking ${shown}[].value is gone`,
      ]),
    );
    expect(changes.filter((change) => !change.includes('.field_x'))).toEqual([]);
  });
});

/** A change of a field that no schema shows, and the same change backwards. */
const otherChanges: readonly (readonly [Traits, Traits, string, string])[] = [
  [{}, { type: 'edtf' }, 'is of type edtf instead of string [requests]', 'is of type string instead of edtf [answers]'],
  [
    { type: 'string_long' },
    { type: 'email' },
    'is of type email instead of string_long [requests]',
    'is of type string_long instead of email [answers]',
  ],
  [
    {},
    { type: 'link' },
    'is of type link instead of string [requests answers]',
    'is of type string instead of link [requests answers]',
  ],
  [
    { access: 'custom' },
    { access: 'private' },
    'has private access instead of custom [requests answers]',
    'has custom access instead of private []',
  ],
  [{}, { label: 'Y' }, 'has the label "Y" instead of "X" []', 'has the label "X" instead of "Y" []'],
  [
    { type: 'image', extensions: ['png', 'jpg'] },
    { type: 'image', extensions: ['jpg'] },
    'has the extensions jpg instead of png, jpg [requests]',
    'has the extensions png, jpg instead of jpg []',
  ],
  [
    { type: 'typed_relation', relations: ['a'] },
    { type: 'typed_relation', relations: ['a', 'b'] },
    'has other relations []',
    'has other relations []',
  ],
  [
    { type: 'link', link: 'external' },
    { type: 'link', link: 'external', forms: { linkTitle: 'required' } },
    'has other link title []',
    'has other link title []',
  ],
  [
    { type: 'link' },
    { type: 'link', link: 'external' },
    'has the kind of links external [requests]',
    'has no kind of links any more []',
  ],
  [
    { type: 'decimal', precision: 10 },
    { type: 'decimal', precision: 5 },
    'has the number of digits 5 instead of 10 [requests]',
    'has the number of digits 10 instead of 5 []',
  ],
  [{}, { default: [{ value: 'a' }] }, 'has another default []', 'has another default []'],
  [
    { type: 'file', scheme: 'public' },
    { type: 'file', scheme: 'fedora' },
    'has other scheme []',
    'has other scheme []',
  ],
];

describe('A change of a field that no schema shows', () => {
  it.each(otherChanges)('from %j to %j', (before, after, forwards, backwards) => {
    expect(said(withField(before), withField(after))).toEqual([`${field} ${forwards}`]);
    expect(said(withField(after), withField(before))).toEqual([`${field} ${backwards}`]);
  });
});
