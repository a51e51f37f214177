/** Records keep translations as data, and reads below the code of a language show them. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { entityKey, type Entity } from '../../src/openapi/openapi-records.ts';
import { faultLine } from '../../src/basics/records/record-faults.ts';
import { checkRecords } from '../../src/repository/repository-content.ts';
import { createTestAtoll } from '../support/atoll.ts';
import { recordOf } from '../support/requests.ts';

const atoll = await createTestAtoll({ site: (site) => ({ ...site, prefixLanguages: ['fr'] }) });

const translate = async (translations: NonNullable<Entity['translations']>): Promise<Entity> => {
  const { store } = atoll.world();
  const [node] = await store.getMany([entityKey('node', 5)]);
  if (node === undefined) throw new Error('The starter archive has no node 5.');
  const translated = { ...node, translations };
  await store.transact([], () => ({ changes: [{ put: translated }], result: undefined }));
  return translated;
};

const read = (path: string) => atoll.send('GET', `${path}?_format=json`, 'admin');

describe('A translation', () => {
  beforeEach(async () => {
    await atoll.reset();
    await translate({ fr: { title: [{ value: 'Une lettre' }] } });
  });

  it('is shown below the code of its language, with what it shares with the record, also from the cache', async () => {
    const own = recordOf(await read('/node/5').expect(200));
    for (let time = 0; time < 3; time += 1) {
      const shown = recordOf(await read('/fr/node/5').expect(200));
      expect(shown).toEqual({
        ...own,
        ...{ title: [{ value: 'Une lettre' }], langcode: [{ value: 'fr' }], default_langcode: [{ value: false }] },
        content_translation_source: [{ value: 'en' }],
      });
      expect(recordOf(await read('/node/5').expect(200))).toEqual(own);
    }
    const graph = (await atoll.send('GET', '/fr/node/5?_format=jsonld', 'admin').expect(200)).text;
    expect(graph).toContain('{"@value":"Une lettre","@language":"fr"}');
    await atoll.send('HEAD', '/fr/node/5?_format=json', 'admin').expect(200);
  });

  it('of another record, or into a language without a prefix, is none', async () => {
    expect(recordOf(await read('/fr/node/6').expect(200))).toEqual(recordOf(await read('/node/6').expect(200)));
    await read('/de/node/5').expect(404);
    await read('/fr').expect(404);
  });

  it('stays when the record changes, and is changed by nobody', async () => {
    const send = (path: string) =>
      atoll
        .send('PATCH', `${path}?_format=json`, 'admin')
        .set('Content-Type', 'application/json')
        .send({ type: [{ target_id: 'islandora_object' }], title: [{ value: 'A letter' }] });
    await send('/fr/node/5').expect(404);
    await send('/node/5').expect(200);
    expect(recordOf(await read('/fr/node/5').expect(200))['title']).toEqual([{ value: 'Une lettre' }]);
  });

  it('is checked like the record', async () => {
    const faulty = await translate({ fr: { field_moon: [{ value: 'x' }], title: [{ text: 'x' }] } });
    const { faults } = checkRecords({ entities: [faulty], counters: { node: 99, node_revision: 99 } }, atoll.site);
    expect(faults.map(faultLine)).toEqual([
      'node:5: fr: field_moon: the bundle islandora_object has no such field.',
      'node:5: fr: title.0: "value" is missing.',
    ]);
  });
});
