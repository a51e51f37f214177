/** The world in which what a site does after a write fails. */
import { expect, it } from '@jest/globals';
import { withFailingFollowUps } from '../../src/application/faults/altered-world.ts';
import { Repository } from '../../src/repository/repository-content.ts';
import type { StoredChange, World } from '../../src/repository/repository.ts';
import { createTestAtoll } from '../support/atoll.ts';

it('What follows a write fails with the fault reaction-fails, and the write is answered as ever', async () => {
  const heard: StoredChange[] = [];
  const afterCommit = (change: StoredChange): void => void heard.push(change);
  const living = (world: World): World => ({
    ...world,
    repository: new Repository({ ...world.repository.parts, reactions: { afterCommit } }),
  });
  const around = (world: World): World => withFailingFollowUps(living(world), 'It is away.');
  const atoll = await createTestAtoll({ around });
  await atoll
    .send('post', '/node?_format=json', 'admin')
    .send({
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: 'A title' }],
      field_model: [{ target_id: 24 }],
    })
    .expect(201);
  expect(heard.map(({ failure }) => failure)).toEqual(['It is away.']);
});
