/** What the check of stored records finds. */
import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { faultLine } from '../../src/basics/records/record-faults.ts';
import { checkRecords } from '../../src/repository/repository-content.ts';
import { readFixture, root, starter as starterFolder } from '../support/atoll.ts';
import { loadSite } from '../support/site-sources.ts';
import type { Entity } from '../../src/openapi/openapi-records.ts';

const site = await loadSite(join(root, 'data/site'));
const { entities, counters } = await readFixture(starterFolder);
const starter = [...entities];

const record = (type: Entity['type'], change: object = {}): Entity => {
  const found = starter.find((entity) => entity.type === type);
  if (found === undefined) throw new Error(`The starter has no ${type}.`);
  return { ...found, ...change };
};
const faultsOf = (...records: readonly unknown[]): readonly string[] =>
  checkRecords({ entities: records as Entity[], counters }, site).faults.map(faultLine); // what lies on a disk may be anything

describe('the check of records', () => {
  it('finds no fault in the starter fixture, and notes its node and term with two media', () => {
    const { faults, notes } = checkRecords({ entities: starter, counters }, site);
    expect(faults).toEqual([]);
    expect(notes.filter((note) => note.includes('an upload replaces one of them'))).toEqual([
      'node:12 and taxonomy_term:16: media 19, 22; an upload replaces one of them.',
    ]);
  });

  it.each([
    ['an unknown member', { extra: 1 }, 'extra'],
    ['an uuid that is none', { uuid: 'x' }, 'uuid'],
    ['a field that is not a list', { fields: { title: 'text' } }, 'fields.title'],
    ['a bundle that the site does not have', { bundle: 'article' }, 'the site has no node bundle "article"'],
    ['a field that the bundle does not have', { fields: { field_foo: [{ value: 1 }] } }, 'field_foo'],
    ['more items than allowed', { fields: { title: [{ value: 'a' }, { value: 'b' }] } }, '2 items, 1 allowed'],
    ['an item without its value', { fields: { title: [{ text: 'a' }] } }, '"value" is missing'],
    ['a value of another type', { fields: { title: [{ value: 5 }] } }, 'title.0.value: 5 is not a value of a field'],
    [
      'a value that the site refuses',
      { fields: { langcode: [{ value: 'xx' }] } },
      'langcode.0: The value you selected',
    ],
    ['an id above its counter', { id: 31 }, '31 is above the counter node, 30'],
  ])('finds %s', (_what, change, reason) => {
    expect(faultsOf(record('node', change))).toEqual([expect.stringContaining(reason)]);
  });

  it.each([
    ['the icon of an older server', record('file', { blob: { ...record('file').blob, hashes: { sha1: 'ab' } } })],
    [
      'a field that was emptied',
      record('node', { fields: { ...record('node').fields, revision_translation_affected: [] } }),
    ],
  ])('finds no fault in %s', (_what, taken) => {
    expect(faultsOf(taken)).toEqual([]);
  });

  it('finds a second record with an id, and one with an uuid', () => {
    expect(faultsOf(record('node'), record('node'))).toEqual([
      expect.stringContaining('the id is that of node:1 too'),
      expect.stringContaining('the uuid is that of node:1 too'),
    ]);
    expect(faultsOf(record('node'), record('node', { id: 2 }))).toEqual([expect.stringContaining('node:2: the uuid')]);
  });

  it('finds a revision above its counter', () => {
    const { faults } = checkRecords({ entities: [record('node')], counters: { ...counters, node_revision: 0 } }, site);
    expect(faults.map(faultLine)).toEqual([expect.stringContaining('above the counter node_revision, 0')]);
  });

  it('notes a reference to what is not there, but not to the anonymous user', () => {
    const { fields } = record('node');
    const node = record('node', { fields: { title: fields['title'], uid: [{ target_id: 0 }] } });
    expect(checkRecords({ entities: [node], counters }, site)).toEqual({ faults: [], notes: [] });
    const dangling = record('node', { fields: { title: fields['title'], field_member_of: [{ target_id: 999 }] } });
    expect(checkRecords({ entities: [dangling], counters }, site)).toEqual({
      faults: [],
      notes: ['node:1: field_member_of refers to node 999, which is not there.'],
    });
  });
});
