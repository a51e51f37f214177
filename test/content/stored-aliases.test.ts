/** Records with aliases that a living site has made fit that site: the number of an alias is the server's own. */
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { valueViolations } from '../../src/core/content/check-values.ts';
import type { Entity } from '../../src/core/model/entity.ts';
import { loadSite } from '../../src/server/sources/disk-site.ts';
import { root } from '../support/atoll.ts';

const site = await loadSite(join(root, 'data/sites/starter-site'));

const page = (path: Entity['fields'][string]): Entity => ({
  ...{ type: 'node', id: 7, uuid: '1b4f7d7c-5d0a-4c3e-9d53-0c6f8f1c2a11', bundle: 'page' },
  fields: { title: [{ value: 'Quay' }], path },
});

it.each([
  ['fits with the number of an alias', [{ alias: '/quay', pid: 50 }], []],
  [
    'does not fit with what no alias has',
    [{ alias: '/quay', size: 5 }],
    ['node:7: path.0.size: 5 is not a value of a field of type path.'],
  ],
])('a record %s', (_what, path, faults) => {
  expect(valueViolations([page(path)], { site, find: () => undefined, judgesState: false })).toEqual(faults);
});
