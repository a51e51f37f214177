/** Saves that change nothing, also of a record that the store reads again at each call, as one that lies in memory as bytes. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Repository } from '../../src/repository/repository-content.ts';
import { createModel, type Site, type World } from '../../src/repository/repository.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { recordOf } from '../support/requests.ts';
import type { EntityStore } from '../../src/openapi/openapi-records.ts';

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

const types = ['node', 'media', 'file', 'taxonomy_term', 'user'] as const;
/** Each save of a node or a media makes a revision, as on many real sites. A term keeps the one it has. */
const withRevisions = (site: Site): Site => ({
  ...site,
  model: createModel(
    types.flatMap((type) =>
      site.model.bundles(type).map((bundle) => ({ ...bundle, newRevision: ['node', 'media'].includes(type) })),
    ),
  ),
});

// Recorded of the official starter site.
describe('A save that changes nothing', () => {
  let atoll: TestAtoll;
  beforeAll(async () => {
    atoll = await createTestAtoll({ site: withRevisions });
  });
  beforeEach(() => atoll.reset());

  const seen = async (path: string): Promise<unknown[]> => {
    const { revision_translation_affected: affected, changed } = recordOf(await atoll.send('GET', path, 'admin'));
    return [affected, changed];
  };

  it.each([
    [
      'a node has a revision that affects no translation',
      '/node/2',
      { type: 'islandora_object', revision_log: [{}] },
      [],
    ],
    [
      'a node with words about the revision has one that affects no translation',
      '/node/2',
      { type: 'islandora_object', revision_log: [{ value: 'Why' }] },
      [],
    ],
    [
      'a node whose flag is taken away has a revision that affects no translation',
      '/node/2',
      { type: 'islandora_object', revision_translation_affected: null },
      [],
    ],
    [
      'a term has the revision that it had',
      '/taxonomy/term/40',
      { vid: 'person', revision_log_message: [{}] },
      [{ value: true }],
    ],
  ])('%s, and keeps its time', async (_what, path, fields, affected) => {
    const address = `${path}?_format=json`;
    const [, changed] = await seen(address);
    atoll.clock.advance(60);
    const answer = await atoll.send('PATCH', address, 'admin').type('json').send(fields);
    expect([answer.status, await seen(address)]).toEqual([200, [affected, changed]]);
  });

  it.each([
    ['of as many bytes as before affects no translation and keeps the time', 'a name', true],
    ['of fewer bytes is a change', 'fewer', false],
  ])('a media with a new file %s', async (_what, bytes, isSame) => {
    const address = '/media/1?_format=json';
    const replace = (content: string) =>
      atoll.send('PUT', '/media/1/source', 'admin').set('Content-Type', 'image/png').send(Buffer.from(content));
    await replace('bytes!');
    const [, changed] = await seen(address);
    atoll.clock.advance(60);
    expect((await replace(bytes)).status).toBe(204);
    const [affected, later] = await seen(address);
    const kept = JSON.stringify(later) === JSON.stringify(changed);
    expect([affected, kept]).toEqual([isSame ? [] : [{ value: true }], isSame]);
  });

  it('an image that is sent without its size is the same', async () => {
    const path = '/media/1?_format=json';
    const [{ target_id: target, alt } = {}] =
      recordOf(await atoll.send('GET', path, 'admin'))['field_media_image'] ?? [];
    const sent = { bundle: 'image', field_media_image: [{ target_id: target, alt }] };
    await atoll.send('PATCH', path, 'admin').type('json').send(sent);
    const answer = await atoll.send('PATCH', path, 'admin').type('json').send(sent);
    expect([answer.status, recordOf(answer)['revision_translation_affected']]).toEqual([200, []]);
  });
});
