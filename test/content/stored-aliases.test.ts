/** Records with aliases that a living site has made fit that site: all of an alias but its text is the server's own. */
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { faultLine } from '../../src/basics/records/record-faults.ts';
import { recordFaults } from '../../src/repository/repository-content.ts';
import type { Entity } from '../../src/openapi/openapi-records.ts';
import { loadSite } from '../support/site-sources.ts';
import { root } from '../support/atoll.ts';

const site = await loadSite(join(root, 'data/sites/starter-site'));

const page = (path: Entity['fields'][string]): Entity => ({
  ...{ type: 'node', id: 7, uuid: '1b4f7d7c-5d0a-4c3e-9d53-0c6f8f1c2a11', bundle: 'page' },
  fields: { title: [{ value: 'Quay' }], path },
});

it.each([
  ['fits with the number and the language of an alias', [{ alias: '/quay', pid: 50, langcode: 'en' }], []],
  ['fits with an alias by hand', [{ alias: '/quay', pid: 50, langcode: 'en', pathauto: 0 }], []],
  ['fits with an alias that was emptied', [{ pathauto: 0 }], []],
  ['fits with an alias that was taken away', [], []],
  ['does not fit with an item that says nothing', [{}], ['node:7: path.0: "alias" is missing.']],
  [
    'does not fit with what no alias has',
    [{ alias: '/quay', size: 5 }],
    ['node:7: path.0.size: 5 is not a value of a field of type path.'],
  ],
])('a record %s', (_what, path, faults) => {
  expect(recordFaults(page(path), { site, find: () => undefined, judgesState: false }).map(faultLine)).toEqual(faults);
});

it('an alias that an older server changed fits with the time of the change', () => {
  const alias: Entity = {
    ...{ type: 'path_alias', id: 3, uuid: '1b4f7d7c-5d0a-4c3e-9d53-0c6f8f1c2a12', bundle: 'path_alias' },
    fields: { path: [{ value: '/node/7' }], alias: [{ value: '/quay' }], changed: [{ value: 1_700_000_000 }] },
  };
  expect(recordFaults(alias, { site, find: () => undefined, judgesState: false })).toEqual([]);
});
