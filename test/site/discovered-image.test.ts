/** The member `did_image` of nodes, on a site with the module that finds an image for each of them. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { World } from '../../src/repository/repository.ts';
import { inOneWorld } from '../support/one-world.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { recordOf } from '../support/requests.ts';
import { fileRecord, imageOf, mediaRecord, nodeRecord, refer, storePicture, withRecords } from '../links/records.ts';
import { add, create, documentOf, node, patch, read, siteWith } from './changed-sites.ts';
import type { Entity, Fields } from '../../src/openapi/openapi-records.ts';

let atoll: TestAtoll;
let world: World;
let files: readonly Entity[];

beforeAll(async () => {
  const site = await siteWith({ 'site.yml': add('modules: { dgi_image_discovery: true }') });
  atoll = await createTestAtoll({ site: () => site, fixture: 'empty', app: { locate: inOneWorld(() => world) } });
  files = [fileRecord(1, 'public://1/page.png', await storePicture(atoll.world()))];
});
beforeEach(() => {
  world = withRecords(atoll.world(), []);
});

const has = (...records: readonly Entity[]): void => {
  world = withRecords(atoll.world(), [...files, ...records]);
};
const original = 16;
const thumbnail = 19;
const media = (id: number, of: number, use: number, fields: Fields = {}): Entity =>
  mediaRecord(id, of, { ...imageOf(1), field_media_use: refer([use]), ...fields });

/** The ids of the media that the nodes show. */
const shown = async (ids: readonly number[], visitor = 'admin'): Promise<unknown[]> => {
  const found: unknown[] = [];
  for (const id of ids) {
    const response = await read(atoll, `/node/${id}`, visitor);
    const [item] = recordOf(response)['did_image'] as { target_id?: number }[]; // held to the document
    found.push(item?.target_id);
  }
  return found;
};

describe('modules.dgi_image_discovery', () => {
  it('shows a reference to the thumbnail, else to the original file', async () => {
    has(
      nodeRecord(1),
      media(1, 1, original),
      media(2, 1, thumbnail),
      nodeRecord(2),
      media(3, 2, original),
      nodeRecord(3),
    );
    expect(await shown([1, 2, 3])).toEqual([2, 3, undefined]);
    expect(recordOf(await read(atoll, '/node/2', 'admin'))['did_image']).toEqual([
      { target_id: 3, target_type: 'media', target_uuid: media(3, 2, original).uuid, url: '/media/3' },
    ]);
  });

  it('asks the first member, and that one its first, three generations down', async () => {
    const chain = [1, 2, 3, 4, 5].map((id) => nodeRecord(id, { field_member_of: refer(id === 1 ? [] : [id - 1]) }));
    has(...chain, nodeRecord(9, { field_member_of: refer([4]) }), media(1, 5, thumbnail));
    expect(await shown([1, 2, 3, 4, 5])).toEqual([undefined, 1, 1, 1, 1]);
  });

  it('shows a media of the node that the reader may not view, as a real site does', async () => {
    has(nodeRecord(1), media(1, 1, thumbnail, { status: [{ value: false }] }), media(2, 1, original));
    expect(await shown([1], 'admin')).toEqual([1]);
    expect(await shown([1], 'viewer')).toEqual([1]);
  });

  it('changes with the media, although the answer was kept', async () => {
    has(nodeRecord(1), nodeRecord(2, { field_member_of: refer([1]) }), media(1, 2, original));
    expect(await shown([1, 1])).toEqual([1, 1]);
    await atoll.send('DELETE', '/media/1', 'admin').expect(204);
    expect(await shown([1])).toEqual([undefined]);
  });

  it('takes the member back without keeping it, and is in the document', async () => {
    const made = await create(atoll, node({ did_image: [{ target_id: 77 }] })).expect(201);
    expect(recordOf(made)['did_image']).toEqual([]);
    const [id] = recordOf(made)['nid'] as { value: number }[]; // held to the document
    await patch(atoll, `/node/${id?.value ?? 0}`, { type: [{ target_id: 'islandora_object' }], did_image: [] }).expect(
      200,
    );
    expect((await documentOf(atoll)).components.schemas['NodeRecord']?.properties).toHaveProperty('did_image');
  });
});
