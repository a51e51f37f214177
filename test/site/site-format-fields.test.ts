/** What the keys of a site do that the default site leaves out: aliases, sources of media, access to fields, text formats. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { pngBytes } from '../support/png.ts';
import { messageOf, recordOf } from '../support/requests.ts';
import {
  add,
  atollWith,
  create,
  documentOf,
  linksOf,
  node,
  patch,
  put,
  read,
  siteWith,
  swap,
} from './changed-sites.ts';

describe('modules.path', () => {
  const made = atollWith({
    'site.yml': add('modules: { path: true }'),
    'roles/editor.yml': swap(['  - create media\n', '  - create media\n  - administer taxonomy\n']),
  });
  beforeEach(async () => {
    await (await made).reset();
  });
  const alias = (text: string | null, pid?: number | null) => ({
    path: [{ alias: text, ...(pid === undefined ? {} : { pid }) }],
  });

  it('shows a path on nodes, media and terms, and takes one without an alias from everybody', async () => {
    const atoll = await made;
    const empty = [{ alias: null, pid: null, langcode: 'en' }];
    for (const path of [[], null, empty, [{ alias: '' }], [{ langcode: 'en' }]]) {
      const record = recordOf(await create(atoll, node({ path }), 'editor').expect(201));
      expect(record['path']).toEqual(empty);
    }
    const term = { vid: [{ target_id: 'subject' }], name: [{ value: 'Ropes' }], path: empty };
    expect(recordOf(await create(atoll, term, 'editor', '/taxonomy/term?_format=json').expect(201))['path']).toEqual(
      empty,
    );
    await patch(atoll, '/node/1', { path: empty, title: [{ value: 'B' }] }, 'editor').expect(200);
    expect((await documentOf(atoll)).components.schemas['NodeRecord']?.required).toContain('path');
  });

  it('takes an alias with the permission, and answers by it', async () => {
    const atoll = await made;
    expect(messageOf(await create(atoll, node(alias('/letters/1')), 'editor').expect(403))).toBe(
      "Access denied on creating field 'path'.",
    );
    const created = await create(atoll, node(alias('/letters/1'))).expect(201);
    expect(created.headers['location']).toBe('http://localhost:8000/letters/1');
    const record = recordOf(created);
    expect(record['path']).toEqual([{ alias: '/letters/1', pid: 1, langcode: 'en' }]);
    expect(recordOf(await read(atoll, '/letters/1').expect(200))['nid']).toEqual([{ value: 1 }]);
    await atoll.send('HEAD', '/letters/1?_format=json').expect(200);
    expect(linksOf(await read(atoll, '/node/1'))).toContain('<http://localhost:8000/letters/1>; rel="canonical"');
    await read(atoll, '/letters/2').expect(404);
    expect(messageOf(await create(atoll, node(alias('letters'))).expect(422))).toContain(
      'path.0.alias: The alias path has to start with a slash.',
    );
    expect(messageOf(await patch(atoll, '/node/1', alias('/node/first'), 'editor').expect(403))).toBe(
      "Access denied on updating field 'path'. The following permissions are required: 'create url aliases' OR 'administer url aliases'.",
    );
    await patch(atoll, '/node/1', { path: record['path'] }, 'editor').expect(200);
    await patch(atoll, '/node/1', alias('/node/first')).expect(200);
    await read(atoll, '/letters/1').expect(404);
    await read(atoll, '/node/first').expect(200);
    await patch(atoll, '/node/1', alias(null)).expect(200);
    await read(atoll, '/node/first').expect(200);
    await patch(atoll, '/node/1', alias('', 1)).expect(200);
    await read(atoll, '/node/first').expect(404);
  });

  it('of two records leads to the one that took it last', async () => {
    const atoll = await made;
    for (const id of [1, 2]) {
      await create(atoll, node(alias('/letters/1'))).expect(201);
      expect(recordOf(await read(atoll, '/letters/1').expect(200))['nid']).toEqual([{ value: id }]);
    }
    await patch(atoll, '/node/2', alias('/letters/2')).expect(200);
    expect(recordOf(await read(atoll, '/letters/1').expect(200))['nid']).toEqual([{ value: 1 }]);
  });

  it('is the record of the alias, whichever of the two was sent', async () => {
    const atoll = await made;
    const aliasRecord = async (pid: number) =>
      recordOf(await read(atoll, `/entity/path_alias/${pid}`, 'admin').expect(200));
    await create(atoll, node(alias('/letters/1'))).expect(201);
    expect(await aliasRecord(1)).toMatchObject({
      ...{ path: [{ value: '/node/1' }], alias: [{ value: '/letters/1' }], langcode: [{ value: 'en' }] },
    });
    await patch(atoll, '/node/1', alias('/letters/one')).expect(200);
    expect(await aliasRecord(1)).toMatchObject({ alias: [{ value: '/letters/one' }] });
    const english = { langcode: [{ value: 'en' }] };
    const second = { path: [{ value: '/node/1' }], alias: [{ value: '/letters/uno' }], ...english };
    await create(atoll, second, 'admin', '/entity/path_alias?_format=json').expect(201);
    const shown = recordOf(await read(atoll, '/letters/one').expect(200));
    expect(shown['path']).toEqual([{ alias: '/letters/uno', pid: 2, langcode: 'en' }]);
    await patch(atoll, '/node/1', alias(null, 2)).expect(200);
    await read(atoll, '/letters/uno').expect(404);
    expect(recordOf(await read(atoll, '/node/1'))['path']).toEqual([{ alias: '/letters/one', pid: 1, langcode: 'en' }]);
    await read(atoll, '/entity/path_alias/2', 'admin').expect(404);
    await atoll.send('DELETE', '/node/1', 'admin').expect(204);
    await read(atoll, '/letters/one').expect(404);
  });

  it('is taken without an alias with a new term by a site without the module, too', async () => {
    const atoll = await atollWith({});
    const term = { vid: [{ target_id: 'subject' }], name: [{ value: 'Ropes' }] };
    const path = '/taxonomy/term?_format=json';
    const shown = recordOf(await create(atoll, { ...term, path: [{ alias: null }] }, 'admin', path).expect(201));
    expect(shown).not.toHaveProperty('path');
    await create(atoll, { ...term, path: [{ alias: '/ropes' }] }, 'admin', path).expect(422);
    await create(atoll, node({ path: [] })).expect(422);
  });
});

describe('The source of a media', () => {
  it('fills the fields of its field_map, and without a name there keeps the name', async () => {
    const atoll = await atollWith({
      'bundles/media.image.yml': swap(
        ['fields:\n', 'fields:\n  field_bytes: { label: Bytes, type: string }\n'],
        ['icon: generic.png }', 'icon: generic.png, field_map: { filesize: field_bytes, width: field_width } }'],
      ),
    });
    await create(atoll, node()).expect(201);
    await put(atoll, '/node/1/media/image/16', 'public://a.png').expect(201);
    const first = recordOf(await read(atoll, '/media/1', 'admin').expect(200));
    expect(first).toMatchObject({
      name: [{ value: 'a.png' }],
      field_bytes: [{ value: String(pngBytes().length) }],
      field_file_size: [],
      field_mime_type: [],
      field_height: [],
    });
    expect(first['field_width']).toHaveLength(1);
    await patch(atoll, '/media/1', { bundle: [{ target_id: 'image' }], name: [{ value: 'Mine' }] }).expect(200);
    await put(atoll, '/media/1/source', 'public://a.png').expect(204);
    expect(recordOf(await read(atoll, '/media/1', 'admin'))['name']).toEqual([{ value: 'Mine' }]);
  });

  const remote = [
    'entity_type: media',
    'id: remote_video',
    'label: Remote video',
    'uuid: 00000000-0000-4000-8000-00000000aaaa',
    'fields:',
    '  field_media_oembed_video: { label: Address, type: string, required: true }',
    '  field_media_of: { label: Media of, type: entity_reference, target: node }',
    'source: { field: field_media_oembed_video, kind: oembed, icon: video.png }',
  ].join('\n');

  it('can be an address, which makes a media without a file', async () => {
    const atoll = await atollWith({ 'bundles/media.remote_video.yml': () => remote });
    const body = (address: string) => ({
      bundle: [{ target_id: 'remote_video' }],
      name: [{ value: 'A film' }],
      field_media_oembed_video: [{ value: address }],
    });
    const path = '/entity/media?_format=json';
    const film = 'https://www.youtube.com/watch?v=abc';
    const made = recordOf(await create(atoll, body(film), 'admin', path).expect(201));
    expect(made).toMatchObject({ name: [{ value: 'A film' }], field_media_oembed_video: [{ value: film }] });
    expect(made['thumbnail']).toMatchObject([{ url: expect.stringContaining('/media-icons/generic/video.png') }]);
    expect(messageOf(await create(atoll, body('a film'), 'admin', path).expect(422))).toContain(
      'field_media_oembed_video: The given URL does not match any known oEmbed providers.',
    );
    await atoll.send('GET', '/media/1?_format=jsonld', 'admin').expect(200);
    await create(atoll, node()).expect(201);
    await put(atoll, '/node/1/media/remote_video/16', 'public://a.png').expect(404);
    await put(atoll, '/media/1/source', 'public://a.png').expect(404);
  });
});

describe('The access of a field', () => {
  const made = atollWith({
    'bundles/node.islandora_object.yml': swap([
      'fields:\n',
      [
        'fields:',
        '  field_secret: { label: Secret, type: string, access: private }',
        '  field_price: { label: Price, type: string, access: custom }',
        '  field_buyer: { label: Buyer, type: entity_reference, target: node, access: custom }',
        '',
      ].join('\n'),
    ]),
    'roles/editor.yml': swap([
      '  - create media\n',
      '  - create media\n  - view field_price\n  - create field_price\n',
    ]),
  });
  beforeEach(async () => {
    await (await made).reset();
  });
  const secrets = { field_secret: [{ value: 's' }], field_price: [{ value: '5' }] };

  it('private: its owner and administrators see and change it', async () => {
    const atoll = await made;
    await create(atoll, node(secrets), 'editor').expect(201);
    const seen = async (as?: string) => Object.keys(recordOf(await read(atoll, '/node/1', as).expect(200)));
    expect(await seen('editor')).toEqual(expect.arrayContaining(['field_secret', 'field_price']));
    expect(await seen('admin')).toEqual(expect.arrayContaining(['field_secret', 'field_price', 'field_buyer']));
    expect(await seen()).not.toContain('field_secret');
    await create(atoll, node(secrets), 'admin').expect(201);
    const others = Object.keys(recordOf(await read(atoll, '/node/2', 'editor').expect(200)));
    expect(others).toContain('field_price');
    expect(others).not.toContain('field_secret');
    // Whoever does not see it cannot find it out.
    for (const guess of ['s', 't']) {
      expect(messageOf(await patch(atoll, '/node/2', { field_secret: [{ value: guess }] }, 'editor').expect(403))).toBe(
        "Access denied on updating field 'field_secret'.",
      );
    }
    expect((await documentOf(atoll)).components.schemas['NodeRecord']?.required).not.toContain('field_secret');
  });

  it('custom: the permissions of its name decide', async () => {
    const atoll = await made;
    await create(atoll, node(), 'admin').expect(201);
    await create(atoll, node({ field_buyer: [{ target_id: 1 }] }), 'editor').expect(403);
    await create(atoll, node({ ...secrets, field_buyer: [{ target_id: 1 }] }), 'admin').expect(201);
    await patch(atoll, '/node/2', { field_price: [{ value: '5' }] }, 'editor').expect(200);
    await patch(atoll, '/node/2', { field_price: [{ value: '6' }] }, 'editor').expect(403);
    expect(linksOf(await read(atoll, '/node/2', 'admin'))).toContain('title="Buyer"');
    expect(linksOf(await read(atoll, '/node/2', 'editor'))).not.toContain('title="Buyer"');
  });
});

describe('text_formats by name', () => {
  it('show HTML as it is where they say so', async () => {
    const atoll = await atollWith({
      'site.yml': swap(['text_formats: [plain_text]', 'text_formats: { plain_text: {}, full_html: { html: true } }']),
    });
    const described = async (format: string | null) => {
      const description = [{ value: '<b>x</b>\r\n', format }];
      const term = { vid: [{ target_id: 'subject' }], name: [{ value: 'Ropes' }], description };
      const made = recordOf(await create(atoll, term, 'admin', '/taxonomy/term?_format=json').expect(201));
      return made['description']?.[0]?.['processed'];
    };
    expect(await described('full_html')).toBe('<b>x</b>\n');
    expect(await described('plain_text')).toBe('<p>&lt;b&gt;x&lt;/b&gt;</p>\n');
  });

  it('gives roles the right to use them', async () => {
    const atoll = await atollWith({
      'site.yml': swap([
        'text_formats: [plain_text]',
        'text_formats: { plain_text: { label: Plain }, basic_html: { label: HTML, roles: [editor] } }',
      ]),
      'roles/editor.yml': swap(['  - create media\n', '  - create media\n  - create terms in subject\n']),
      'roles/viewer.yml': swap(['permissions:', 'permissions:\n  - create terms in subject']),
    });
    const term = {
      vid: [{ target_id: 'subject' }],
      name: [{ value: 'Ropes' }],
      description: [{ value: '<b>x</b>', format: 'basic_html' }],
    };
    await create(atoll, term, 'editor', '/taxonomy/term?_format=json').expect(201);
    await create(atoll, term, 'viewer', '/taxonomy/term?_format=json').expect(422);
    const unknown = siteWith({
      'site.yml': swap(['text_formats: [plain_text]', 'text_formats: { a: { roles: [poet] } }']),
    });
    await expect(unknown).rejects.toThrow(/text_formats\.a\.roles: there is no role "poet"\./);
  });
});
