/** What the database of a team does not take. */
import { expect, it } from '@jest/globals';
import type { Queries } from './postgres/pglite.ts';
import { writeLayer } from '../../src/team/write-layer.ts';
import { article } from '../storage/records.ts';
import { collectionEntity } from '../../src/openapi/openapi-records.ts';

it('refuses records of collections with 422, before anything is written', async () => {
  const asked: unknown[] = [];
  const queries: Queries = {
    query: (statement) => {
      asked.push(statement);
      return Promise.reject(new Error('Nothing is to be asked.'));
    },
  };
  const content = { entities: [article(1, 'one'), collectionEntity('books', 'a', {}, 1)], counters: {} };
  await expect(writeLayer(queries, content, 0)).rejects.toMatchObject({
    status: 422,
    message: 'A team server has no collections, and this has records of them.',
  });
  expect(asked).toEqual([]);
});
