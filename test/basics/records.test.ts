/** The form of a record: how it is written, where two of them differ, what is put back, and how a fault says its place. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as v from 'valibot';
import { faultAt, faultLine, fieldFault, shapeFault } from '../../src/basics/records/record-faults.ts';
import {
  blobKeysIn,
  blobNameOf,
  isSameRecord,
  placeName,
  recordDifferences,
  recordShape,
  type StoredRecord,
  withPlaceOf,
  writtenRecord,
  writtenText,
} from '../../src/basics/records/record-form.ts';

const note: StoredRecord = {
  ...{ fields: { title: [{ value: 'A' }] }, bundle: 'note', uuid: 'u', id: 1, type: 'thing' },
  blob: { key: 'k', size: 3, sha256: '0'.repeat(64) },
};

describe('A record', () => {
  it('is written with its members in one order, its bytes under the name that is given, and none when they are lost', () => {
    const moved = { key: 'other', size: 3, sha256: '0'.repeat(64) };
    expect(Object.keys(writtenRecord({ ...note, translations: {}, password: 'p' }, moved))).toEqual([
      ...['type', 'id', 'uuid', 'bundle', 'fields', 'translations', 'blob', 'password'],
    ]);
    expect(writtenText(writtenRecord(note, undefined))).toBe(
      '{\n  "type": "thing",\n  "id": 1,\n  "uuid": "u",\n  "bundle": "note",\n  "fields": {\n    "title": [\n      {\n        "value": "A"\n      }\n    ]\n  }\n}\n',
    );
    expect(blobKeysIn(`${JSON.stringify(note)}\n${JSON.stringify(writtenRecord(note, moved))}`)).toEqual([
      'k',
      'other',
    ]);
  });

  it.each([
    ['public://a/page.TIFF', '.TIFF'],
    ['public://a.b/page', ''],
    ['page.', ''],
    ['public://.txt', ''],
    ['x.tar.gz', '.gz'],
    ['page.a-b', ''],
    [`page.${'x'.repeat(17)}`, ''],
  ])('has bytes of %s beside it under a name that ends with "%s"', (path, ending) => {
    expect(blobNameOf(path, 'ab'.repeat(32))).toBe(`${'ab'.repeat(16)}${ending}`);
  });
});

describe('Two records', () => {
  const other: StoredRecord = {
    ...{ type: 'thing', id: 1, uuid: 'v', bundle: 'note', password: 'q' },
    fields: { colour: [{ value: 'red' }], blob: [{ value: 'a field' }] },
    translations: { fr: { title: [{ value: 'B' }] } },
  };

  it('differ at places, those of the second first in each group, and no password is shown', () => {
    const found = recordDifferences(note, other);
    expect(found.map(({ place }) => place)).toEqual([
      ...[['uuid'], ['blob'], ['fields', 'colour'], ['fields', 'blob'], ['fields', 'title']],
      ...[['translations', 'fr', 'title'], ['password']],
    ]);
    expect(found.map(({ place }) => placeName(place))).toEqual([
      ...['uuid', 'blob', 'colour', 'blob', 'title', 'title (fr)', 'password'],
    ]);
    expect(found[1]).toEqual({ place: ['blob'], before: [{ size: 3, sha256: '0'.repeat(64) }], after: [] });
    expect(found.at(-1)).toEqual({ place: ['password'], before: [], after: [], isSecret: true });
  });

  it('do not differ by where their bytes lie, or by the order of their members', () => {
    const elsewhere = { ...note, blob: { sha256: '0'.repeat(64), size: 3, key: 'elsewhere' }, translations: {} };
    expect([isSameRecord(note, elsewhere), recordDifferences(note, elsewhere)]).toEqual([true, []]);
    expect(isSameRecord(note, { ...note, blob: { key: 'k', size: 3, sha256: '1'.repeat(64) } })).toBe(false);
  });

  const items = fc.array(fc.record({ value: fc.string() }), { minLength: 1, maxLength: 2 });
  const fields = fc.dictionary(fc.constantFrom('a', 'b', 'c'), items);
  const record: fc.Arbitrary<StoredRecord> = fc.record(
    {
      ...{ type: fc.constant('thing'), id: fc.constant(1), uuid: fc.string(), bundle: fc.string(), fields },
      translations: fc.dictionary(fc.constantFrom('fr', 'de'), fields),
      blob: fc.record({ key: fc.string(), size: fc.nat(), sha256: fc.string() }),
      password: fc.string({ minLength: 1 }),
    },
    { requiredKeys: ['type', 'id', 'uuid', 'bundle', 'fields'] },
  );

  it('are alike when each place at which they differ is put back, one at a time, in any order', () => {
    fc.assert(
      fc.property(record, record, fc.boolean(), (before, after, isReversed) => {
        const places = recordDifferences(before, after).map(({ place }) => place);
        const present = (isReversed ? places.toReversed() : places).reduce((one, place, at) => {
          const next = withPlaceOf(one, before, place);
          expect(recordDifferences(before, next)).toHaveLength(places.length - at - 1);
          return next;
        }, after);
        expect(recordDifferences(before, present)).toEqual([]);
      }),
    );
  });
});

describe('A fault', () => {
  const shape = recordShape(['thing'], v.pipe(v.string(), v.minLength(2, 'is too short')));
  const uuid = '1b4f7d7c-5d0a-4c3e-9d53-0c6f8f1c2a11';

  it.each<[string, object, readonly (string | number)[], RegExp]>([
    ['a list in place of a record', [], ['type'], /^type: /],
    ['another type', { type: 'other' }, ['type'], /^type: /],
    ['an id below 0', { id: -1 }, ['id'], /^id: /],
    ['a field that is not a list', { fields: { title: 'A' } }, ['fields', 'title'], /^fields\.title: /],
    ['a language that is none', { translations: { 'not one': {} } }, ['translations', 'not one'], /^translations/],
    ['a hash that is none', { blob: { key: 'k', size: 1, sha256: '' } }, ['blob', 'sha256'], /^blob\.sha256: /],
    ['what its user refuses', { password: 'p' }, ['password'], /^password: is too short$/],
    ['a member that no record has', { other: 1 }, ['other'], /^other: /],
  ])('of a record with %s has its place', (_what, change, place, said) => {
    const wrong = Array.isArray(change) ? change : { ...note, uuid, ...change };
    const fault = shapeFault(wrong as never, shape);
    expect([fault?.place, `${fault?.path ?? ''}: ${fault?.message ?? ''}`]).toEqual([
      place,
      expect.stringMatching(said),
    ]);
    expect(shapeFault({ ...note, uuid } as never, shape)).toBeUndefined();
  });

  it('names record, language, place and reason in one line', () => {
    expect(fieldFault(note, 'title.0.value', 'is wrong.')).toMatchObject({ place: ['fields', 'title', 0, 'value'] });
    const translated = fieldFault(note, 'title.0', 'is wrong.', 'fr');
    expect([translated.place, faultLine(translated)]).toEqual([
      ['translations', 'fr', 'title', 0],
      'thing:1: fr: title.0: is wrong.',
    ]);
    expect(faultLine(faultAt(note, ['id'], 'the id is taken.'))).toBe('thing:1: the id is taken.');
  });
});
