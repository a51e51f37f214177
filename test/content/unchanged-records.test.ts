/** A PATCH that changes nothing, of a record that the store reads anew at each call, as one that lies in memory as bytes. */
import { expect, it } from '@jest/globals';
import { Repository } from '../../src/core/content/repository.ts';
import type { EntityStore } from '../../src/core/model/entity-store.ts';
import type { World } from '../../src/core/world.ts';
import { createTestAtoll } from '../support/atoll.ts';

const readAnew = (world: World): World => {
  const store: EntityStore = {
    ...world.store,
    getMany: async (keys) => structuredClone(await world.store.getMany(keys)),
  };
  return { ...world, store, repository: new Repository({ ...world.repository.parts, store }) };
};

it('is answered with the record as a read shows it', async () => {
  const atoll = await createTestAtoll({ around: readAnew });
  // A term without a description: only a read shows the columns of the one that it has not.
  const term = '/taxonomy/term/40?_format=json';
  const seen = (await atoll.send('GET', term, 'admin')).text;
  expect(JSON.parse(seen)).toMatchObject({ description: [{ value: null }] });
  const { vid } = JSON.parse(seen) as { vid: unknown };
  const answer = await atoll.send('PATCH', term, 'admin').type('json').send({ vid });
  expect([answer.status, answer.text]).toEqual([200, seen]);
});
