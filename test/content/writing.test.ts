/** POST and PATCH over HTTP: defaults, what may be sent back, what counts as a change. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { basic, messageOf, read, recordOf } from '../support/requests.ts';

let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await createTestAtoll();
});
beforeEach(() => atoll.reset());

type Items = readonly Readonly<Record<string, unknown>>[];
const admin = basic('admin');
type Body = Readonly<Record<string, Items>>;

const send = async (method: string, path: string, body: unknown, as = 'admin'): Promise<Response> => {
  atoll.clock.advance(60);
  return atoll
    .send(method, `${path}?_format=json`, as)
    .set('Content-Type', 'application/json')
    .send(JSON.stringify(body));
};
const bodyOf = (response: Response): Body => response.body as Body; // a record's shape

const object = { type: 'islandora_object', title: ['T'], field_model: [24] };
const patchNode = (fields: object, as?: string) =>
  send('PATCH', '/node/2', { type: 'islandora_object', ...fields }, as);
const patchMedia = (fields: object, as?: string) => send('PATCH', '/media/1', { bundle: 'image', ...fields }, as);

describe('a new node', () => {
  it('has defaults: author, times, flags, language, extent', async () => {
    const response = await send('POST', '/node', object, 'editor');
    const time = [{ value: '2024-05-01T12:01:00+00:00', format: 'Y-m-d\\TH:i:sP' }];
    const author = [expect.objectContaining({ target_id: 2, target_type: 'user', url: '/user/2' })];
    expect(bodyOf(response)).toMatchObject({
      uid: author,
      revision_uid: author,
      created: time,
      changed: time,
      revision_timestamp: time,
      status: [{ value: true }],
      promote: [{ value: true }],
      sticky: [{ value: false }],
      langcode: [{ value: 'en' }],
      default_langcode: [{ value: true }],
      content_translation_source: [{ value: 'und' }],
      content_translation_outdated: [{ value: false }],
      field_extent: [{ value: '1 item' }],
      revision_log: [],
    });
  });

  it.each([
    ['digits', () => ({ target_id: '1' })],
    [
      'a uuid in capitals that overrules an id',
      (uuid: string) => ({ target_id: 9999, target_uuid: uuid.toUpperCase() }),
    ],
    ['a uuid with its type', (uuid: string) => ({ target_type: 'node', target_uuid: uuid })],
    ['an id with any type', () => ({ target_id: 1, target_type: 'whatever' })],
  ])('refers to another by %s', async (_what, item) => {
    const uuid = String(recordOf(await read(atoll, admin, '/node/1'))['uuid']?.[0]?.['value']);
    const sent = item(uuid);
    const response = await send('POST', '/node', { ...object, field_member_of: [sent] });
    expect(bodyOf(response)['field_member_of']).toEqual([
      { target_id: 1, target_type: 'node', target_uuid: uuid, url: '/node/1' },
    ]);
  });

  it('may bring a uuid, but not one that is in use, in whatever case', async () => {
    const uuid = '11111111-2222-4333-8444-555555555555';
    expect(bodyOf(await send('POST', '/node', { ...object, uuid: [uuid] }))['uuid']).toEqual([{ value: uuid }]);
    const again = await send('POST', '/node', { ...object, uuid: [uuid.toUpperCase()] });
    expect([again.status, messageOf(again)]).toEqual([409, `The UUID "${uuid}" is already in use.`]);
  });

  it.each([
    [{ vid: [{ value: 1 }] }, 'vid: The revision ID cannot be changed.'],
    [{ default_langcode: [{ value: false }] }, 'default_langcode: The default translation flag cannot be removed.'],
    [{ field_media_use: [16] }, 'field_media_use: This field does not exist on islandora_object.'],
    [{ status: [{ value: 'false' }] }, 'status.0.value: This value should be of the correct primitive type.'],
  ])('with %p is refused with 422, where the reference fails with 500 or obeys', async (fields, line) => {
    const response = await send('POST', '/node', { ...object, ...fields });
    expect([response.status, messageOf(response)]).toEqual([
      422,
      `Unprocessable Entity: validation failed.\n${line}\n`,
    ]);
  });
});

describe('a record that is sent back', () => {
  it.each(['/node/2', '/media/1'])('%s as it was read is 200 and changes nothing', async (path) => {
    const found = recordOf(await read(atoll, admin, path));
    const response = await send('PATCH', path, found);
    expect([response.status, response.body]).toEqual([200, found]);
    expect(recordOf(await read(atoll, admin, path))).toEqual(found);
  });

  const others: readonly (readonly [field: string, other: unknown, reason: string])[] = [
    ['nid', 77, ' The entity ID cannot be changed.'],
    ['uuid', '11111111-2222-4333-8444-555555555555', ' The entity UUID cannot be changed.'],
    ['changed', '2001-01-01T00:00:00+00:00', ''],
    ['revision_timestamp', 0, ''],
    ['created', 0, " The 'administer nodes' permission is required."],
    ['promote', 'opposite', " The 'administer nodes' permission is required."],
    ['sticky', 'opposite', " The 'administer nodes' permission is required."],
    ['status', 'opposite', " The 'administer nodes' permission is required."],
  ];
  it.each(others)('with another %s alone is 403 naming it, to an editor', async (field, other, reason) => {
    const found = recordOf(await read(atoll, admin, '/node/2'));
    const value = other === 'opposite' ? found[field]?.[0]?.['value'] !== true : other;
    const response = await send('PATCH', '/node/2', { ...found, [field]: [{ value }] }, 'editor');
    expect([response.status, messageOf(response)]).toEqual([
      403,
      `Access denied on updating field '${field}'.${reason}`,
    ]);
    expect(recordOf(await read(atoll, admin, '/node/2'))).toEqual(found);
  });
});

describe('PATCH', () => {
  it('moves changed, and neither revision nor anything else', async () => {
    const before = recordOf(await read(atoll, admin, '/node/2'));
    const after = bodyOf(await patchNode({ title: ['New'] }));
    const time = new Date(atoll.clock.now()).toISOString().replace('.000Z', '+00:00');
    expect(after).toEqual({
      ...before,
      title: [{ value: 'New' }],
      changed: [{ value: time, format: 'Y-m-d\\TH:i:sP' }],
    });
  });

  it.each([
    ['nothing', () => ({})],
    ['the same title as a bare text in a list', (title: unknown) => ({ title: [title] })],
    ['the same with members that do not count', (title: unknown) => ({ title: [{ value: title, foo: 1 }] })],
  ])('of %s leaves changed where it was', async (_what, fields) => {
    const before = recordOf(await read(atoll, admin, '/node/2'));
    const sent = fields(before['title']?.[0]?.['value']);
    expect(bodyOf(await patchNode(sent))).toEqual(before);
  });

  it('replaces all items of a field, and empties it with [], null or an empty text', async () => {
    expect(bodyOf(await patchNode({ field_extent: ['a', 'b'] }))['field_extent']).toEqual([
      { value: 'a' },
      { value: 'b' },
    ]);
    for (const nothing of [[], null, '', [{ value: null }]]) {
      await patchNode({ field_extent: ['a'] });
      expect(bodyOf(await patchNode({ field_extent: nothing }))['field_extent']).toEqual([]);
    }
  });

  it('takes a dangling reference that was there, and no other', async () => {
    const made = bodyOf(await send('POST', '/node', object));
    const target = Number(made['nid']?.[0]?.['value']);
    await patchNode({ field_member_of: [{ target_id: target }] });
    await atoll.send('DELETE', `/node/${target}?_format=json`, 'admin');
    const same = await patchNode({ field_member_of: [{ target_id: target }], title: ['New'] });
    expect([same.status, bodyOf(same)['field_member_of']]).toEqual([200, [{ target_id: target }]]);
    const more = await patchNode({ field_member_of: [{ target_id: target }, { target_id: 1 }] });
    expect([more.status, messageOf(more)]).toEqual([
      422,
      `Unprocessable Entity: validation failed.\nfield_member_of.0.target_id: The referenced entity (node: ${target}) does not exist.\n`,
    ]);
  });

  it('that says "false" in a word does not publish anything', async () => {
    const response = await patchNode({ status: [{ value: 'false' }] });
    expect(response.status).toBe(422);
  });

  it('with another existing bundle keeps the bundle, and refuses what only the other has', async () => {
    const audio = { bundle: [{ target_id: 'audio' }] };
    const named = await send('PATCH', '/media/1', { ...audio, name: ['x'] });
    expect([named.status, bodyOf(named)['bundle']?.[0]?.['target_id']]).toEqual([200, 'image']);
    const foreign = await send('PATCH', '/media/1', { ...audio, field_media_audio_file: [1] });
    expect([foreign.status, messageOf(foreign)]).toEqual([
      422,
      'Unprocessable Entity: validation failed.\nfield_media_audio_file: This field does not exist on image.\n',
    ]);
  });
});

describe('PATCH of a media', () => {
  it('keeps a width that was sent, and fills it again once it is emptied', async () => {
    const before = recordOf(await read(atoll, admin, '/media/1'));
    expect(bodyOf(await patchMedia({ field_width: [5] }))['field_width']).toEqual([{ value: 5 }]);
    expect(bodyOf(await patchMedia({ name: ['x'] }))['field_width']).toEqual([{ value: 5 }]);
    expect(bodyOf(await patchMedia({ field_width: [] }))['field_width']).toEqual(before['field_width']);
  });

  it('hands a new alt on to the thumbnail', async () => {
    const source = recordOf(await read(atoll, admin, '/media/1'))['field_media_image']?.[0];
    const after = bodyOf(await patchMedia({ field_media_image: [{ target_id: source?.['target_id'], alt: 'new' }] }));
    expect([after['field_media_image']?.[0]?.['alt'], after['thumbnail']?.[0]?.['alt']]).toEqual(['new', 'new']);
    expect(after['thumbnail']?.[0]).toMatchObject({ width: source?.['width'], height: source?.['height'] });
  });
});
