/** POST and PATCH over HTTP: defaults, what may be sent back, what counts as a change. */
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import fc from 'fast-check';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { basic, messageOf, read, recordOf } from '../support/requests.ts';
import { bundleOf as definedBundle } from './judging.ts';
import { bodyOf as sentBody, drawnBody, expectedLines, orders } from './refusal-model.ts';

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
    [{ vid: [{ value: 1 }] }, 'vid: The revision ID 1 cannot be used.'],
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

describe('what a new record may bring beside its content', () => {
  const created = async (path: string, body: object, as?: string): Promise<Body> => {
    const response = await send('POST', path, body, as);
    expect([response.status, messageOf(response)]).toEqual([201, undefined]);
    return bodyOf(response);
  };
  const used = (vid: number) =>
    `Unprocessable Entity: validation failed.\nvid: The revision ID ${vid} cannot be used.\n`;

  it('is a revision id that nobody has; the next ones follow it', async () => {
    expect((await created('/node', { ...object, vid: [700] }))['vid']).toEqual([{ value: 700 }]);
    for (const vid of [700, 0, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      const again = await send('POST', '/node', { ...object, vid: [vid] });
      expect([again.status, messageOf(again)]).toEqual([422, used(vid)]);
    }
    expect((await created('/node', { ...object, vid: [null] }))['vid']).toEqual([{ value: 701 }]);
    expect((await created('/node', { ...object, vid: [650] }))['vid']).toEqual([{ value: 650 }]);
    const term = await created('/taxonomy/term', { vid: 'subject', name: ['N'], revision_id: [700] });
    expect(term['revision_id']).toEqual([{ value: 700 }]);
  });

  it('is an owner, who is the author of the revision, too; without one it is the anonymous visitor', async () => {
    const owner = [expect.objectContaining({ target_id: 3 })];
    expect(await created('/node', { ...object, uid: [3] })).toMatchObject({ uid: owner, revision_uid: owner });
    for (const uid of [[], null, [null], [{ url: '/user/3' }], [0]]) {
      const nobody = [expect.objectContaining({ target_id: 0 })];
      expect(await created('/node', { ...object, uid })).toMatchObject({ uid: nobody, revision_uid: nobody });
    }
    expect(bodyOf(await patchNode({ uid: [] }))['uid']?.[0]?.['target_id']).toBe(0);
  });

  it('is a translation flag; an empty one of the revision is true', async () => {
    expect(
      await created('/node', { ...object, default_langcode: [false], revision_translation_affected: [] }),
    ).toMatchObject({
      default_langcode: [{ value: false }],
      revision_translation_affected: [{ value: true }],
    });
  });

  it('is no computed value, which a PATCH may bring', async () => {
    const description = [{ value: 'D', format: 'plain_text', processed: '<p>D</p>' }];
    const refused = await send('POST', '/taxonomy/term', { vid: 'person', name: ['N'], description });
    expect([refused.status, messageOf(refused)]).toEqual([
      422,
      'Unprocessable Entity: validation failed.\ndescription.0.processed: This value is computed and cannot be set.\n',
    ]);
    expect((await send('PATCH', '/taxonomy/term/40', { vid: 'person', description })).status).toBe(200);
  });

  it('is no language where the vocabulary gives it', async () => {
    const creating = await send('POST', '/taxonomy/term', { vid: 'person', name: ['N'], langcode: ['de'] });
    expect([creating.status, messageOf(creating)]).toEqual([403, "Access denied on creating field 'langcode'."]);
    const updating = await send('PATCH', '/taxonomy/term/40', { vid: 'person', langcode: ['de'] });
    expect([updating.status, messageOf(updating)]).toEqual([403, "Access denied on updating field 'langcode'."]);
    expect((await send('PATCH', '/taxonomy/term/40', { vid: 'person', langcode: ['en'] })).status).toBe(200);
  });

  it('is no parent of another vocabulary, but the root', async () => {
    const refused = await send('POST', '/taxonomy/term', { vid: 'person', name: ['N'], parent: [{ target_id: 27 }] });
    expect(messageOf(refused)).toContain('parent.0.target_id: This entity (taxonomy_term: 27) cannot be referenced.');
    const root = await created('/taxonomy/term', { vid: 'person', name: ['N'], parent: [{ target_id: 0 }] });
    expect(root['parent']).toEqual([{ target_id: null }]);
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

  it.each([
    [['2015', null], []],
    [[null, '2015'], []],
    [['2015', { value: null }], [1]],
    [['2015', {}, []], []],
    // The real site has looked for a value here.
    [[{}, '2015', {}], [0]],
    [[{ value: null }, {}], []],
  ])('of the dates %j drops the items without a value, or refuses them', async (dates, refused) => {
    const response = await patchNode({ field_edtf_date: dates });
    const lines = refused.map((delta) => `field_edtf_date.${delta}:  is not valid EDTF: Cannot parse empty value.\n`);
    if (lines.length > 0) {
      expect([response.status, messageOf(response)]).toEqual([
        422,
        `Unprocessable Entity: validation failed.\n${lines.join('')}`,
      ]);
    } else {
      const kept = dates.filter((date) => date === '2015').map((value) => ({ value }));
      expect([response.status, bodyOf(response)['field_edtf_date']]).toEqual([200, kept]);
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

describe('a body with many faults', () => {
  const paths = { node: '/node', media: '/entity/media', taxonomy_term: '/taxonomy/term' } as const;
  const members = { node: 'type', media: 'bundle', taxonomy_term: 'vid' } as const;
  /** A required field that is left out is null, too. */
  const required = (type: keyof typeof paths, id: string, sent: object): string[] =>
    [...definedBundle(type, id).fields.values()]
      .filter(
        (field) =>
          (field.configured || ['title', 'name'].includes(field.name)) && field.required && !(field.name in sent),
      )
      .map(({ name }) => `${name}: This value should not be null.`);
  const nameOf = (line: string): string => /^[a-z_]+/.exec(line)?.[0] ?? '';

  it.each(orders)('of a new %s %s is answered in the order of the real site', async (type, id, base, configured) => {
    const bundle = definedBundle(type, id);
    const names = `${base} ${configured}`.split(' ');
    await fc.assert(
      fc.asyncProperty(drawnBody(bundle, names), async (drawn) => {
        const sent = sentBody(drawn);
        const lines = [...expectedLines(drawn, names), ...required(type, id, sent)];
        const ordered = names.flatMap((name) => lines.filter((line) => nameOf(line) === name));
        const response = await send('POST', paths[type], { ...sent, [members[type]]: id });
        if (ordered.length === 0) return response.status < 500;
        expect([response.status, messageOf(response)]).toEqual([
          422,
          `Unprocessable Entity: validation failed.\n${ordered
            .slice(0, 50)
            .map((line) => `${line}\n`)
            .join('')}`,
        ]);
        return true;
      }),
      { numRuns: 25 },
    );
  });

  it.each(orders)('knows every field of a %s %s that can be sent', (type, id, base, configured) => {
    const unsettable = /^(nid|mid|tid|changed|revision_timestamp|revision_uid)$/;
    const names = [...definedBundle(type, id).fields.keys()].filter(
      (name) => name !== members[type] && !unsettable.test(name),
    );
    const known = `${base} ${configured}`.split(' ');
    expect(names.filter((name) => !(type === 'taxonomy_term' && name === 'langcode')).sort()).toEqual(known.sort());
  });

  it('is refused for the bundle, then for unknown fields, for unreadable ones, for the account, and for its values last', async () => {
    const wrong = { title: ['x'.repeat(256)], field_model: [] };
    const faults: readonly (readonly [fault: object, status: number, message: string])[] = [
      [
        { type: { target_id: 'islandora_object' } },
        422,
        'Could not determine entity type bundle: "type" field is missing.',
      ],
      [
        { nope: 1 },
        422,
        'Unprocessable Entity: validation failed.\nnope: This field does not exist on islandora_object.\n',
      ],
      [{ field_pid: 'x' }, 422, 'Field values for "field_pid" must use an array structure'],
      [{ sticky: [true] }, 403, "Access denied on creating field 'sticky'."],
      [
        {},
        422,
        'Unprocessable Entity: validation failed.\ntitle.0.value: Title: may not be longer than 255 characters.\nfield_model: This value should not be null.\n',
      ],
    ];
    for (const [index, [, status, message]] of faults.entries()) {
      const later = faults.slice(index).map(([fault]) => fault);
      const body = later.reduceRight((sent, fault) => ({ ...sent, ...fault }), { ...wrong, type: 'islandora_object' });
      const response = await send('POST', '/node', body, 'editor');
      expect([response.status, messageOf(response)]).toEqual([status, message]);
    }
  });
});
