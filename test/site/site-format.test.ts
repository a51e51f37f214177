/** What the keys of a site do that the default site leaves out: storages, terms, base fields, modules, addresses. */
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
  upload,
  type Changes,
} from './changed-sites.ts';
import type { JsonObject } from '../../src/basics/json.ts';

type Graph = { readonly '@graph': readonly JsonObject[] };

describe('The lists of a site', () => {
  it('are offered where a file declares them, and gone without it', async () => {
    const changes: Changes = {
      'lists/vocabulary.yml': swap(
        ['vid: { field: vid, required: true }', 'kind: vid'],
        ['path: /vocabulary', 'path: /kinds'],
      ),
    };
    const { paths } = await documentOf(await atollWith(changes));
    expect(Object.keys(paths)).not.toContain('/vocabulary');
    expect(paths['/kinds']?.get?.operationId).toBe('listKinds');
  });
});

describe('Several storages', () => {
  const storages = [
    '  fedora: { prefix: /_flysystem/fedora, standard_upload: false, access: guarded }',
    '  private: { prefix: /system/files, access: guarded }',
    '  gs-production: { prefix: /_flysystem/gs-production, access: open }',
    '  gs_production: { prefix: /bucket, access: open }',
  ].join('\n');
  const changes: Changes = {
    'site.yml': swap(['  fedora: { prefix: /_flysystem/fedora, standard_upload: false, access: guarded }', storages]),
    'bundles/media.image.yml': swap(['scheme: fedora', 'scheme: private']),
    'bundles/media.file.yml': swap(
      ['scheme: fedora', 'scheme: gs-production'],
      ['extensions: [', 'extensions: [png, '],
    ),
  };
  const made = atollWith(changes);
  beforeEach(async () => {
    await (await made).reset();
  });

  it('are served each at its own prefix, open or guarded', async () => {
    const atoll = await made;
    await create(atoll, node()).expect(201);
    for (const [use, scheme, prefix] of [
      [16, 'public', '/sites/default/files'],
      [17, 'fedora', '/_flysystem/fedora'],
      [18, 'private', '/system/files'],
      [19, 'gs-production', '/_flysystem/gs-production'],
      [20, 'gs_production', '/bucket'],
    ] as const) {
      await put(atoll, `/node/1/media/image/${use}`, `${scheme}://2024-05/a.png`).expect(201);
      expect((await atoll.send('GET', `${prefix}/2024-05/a.png`, 'admin').expect(200)).body).toEqual(pngBytes());
    }
    await atoll.send('GET', '/_flysystem/gs-production/2024-05/a.png').expect(200);
    await patch(atoll, '/media/3', { bundle: [{ target_id: 'image' }], status: [{ value: false }] }).expect(200);
    await atoll.send('GET', '/system/files/2024-05/a.png').expect(401);
  });

  it('take the files of the fields that name them', async () => {
    const atoll = await made;
    const image = recordOf(await upload(atoll, '/file/upload/media/image/field_media_image', 'a.png').expect(201));
    expect(image['uri']).toEqual([{ value: 'private://2024-05/a.png', url: '/system/files/2024-05/a.png' }]);
    const file = recordOf(await upload(atoll, '/file/upload/media/file/field_media_file', 'a.png').expect(201));
    expect(file['uri']?.[0]?.['value']).toBe('gs-production://2024-05/a.png');
    // Its storage leaves the standard upload to the default one.
    const film = recordOf(await upload(atoll, '/file/upload/media/audio/field_media_audio_file', 'a.mp3').expect(201));
    expect(film['uri']?.[0]?.['value']).toBe('public://2024-05/a.mp3');
  });

  it('are in the document, with operation ids of their own', async () => {
    const { paths } = await documentOf(await made);
    const ids = Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId }) => operationId ?? []),
    );
    expect(new Set(ids).size).toBe(ids.length);
    expect(paths['/sites/default/files/{path}']?.['get']?.operationId).toBe('getPublicContent');
    expect(paths['/_flysystem/fedora/{path}']?.['get']?.operationId).toBe('getExternalContent');
    expect(paths['/system/files/{path}']?.['head']?.operationId).toBe('headPrivateContent');
    expect(paths['/_flysystem/gs-production/{path}']?.['get']?.operationId).toBe('getGsProductionContent');
    expect(paths['/bucket/{path}']?.['get']?.operationId).toBe('getGsProduction2Content');
  });
});

describe('Two open storages', () => {
  const made = atollWith({
    'site.yml': swap([
      'fedora: { prefix: /_flysystem/fedora, standard_upload: false, access: guarded }',
      'fedora: { prefix: /_flysystem/fedora, access: open }',
    ]),
  });

  it.each(['/sites/default/files/a.png', '/_flysystem/fedora/a.png'])(
    'serve what media describe, to everybody: %s',
    async (path) => {
      const atoll = await made;
      await atoll.reset();
      await create(atoll, node()).expect(201);
      await put(atoll, '/node/1/media/image/16', `${path.startsWith('/sites') ? 'public' : 'fedora'}://a.png`).expect(
        201,
      );
      for (const account of ['admin', undefined]) {
        expect((await atoll.send('GET', path, account).expect(200)).body).toEqual(pngBytes());
        await atoll.send('HEAD', path, account).expect(200);
        const links = linksOf(await read(atoll, '/media/1', account ?? 'viewer').expect(200));
        expect(links).toContain(`<http://localhost:8000${path}>; rel="describes"`);
      }
    },
  );
});

describe('The index of files', () => {
  it('knows a source field by its type, whatever its name, and no reference to terms as one', async () => {
    const atoll = await atollWith({
      'site.yml': swap(['standard_upload: false, ', '']),
      'bundles/media.image.yml': (text) =>
        swap([
          'fields:\n',
          'fields:\n  field_media_place: { label: Place, type: entity_reference, target: taxonomy_term }\n',
        ])(text.replaceAll('field_media_image', 'ableplayer_picture')),
    });
    await create(atoll, node()).expect(201);
    await put(atoll, '/node/1/media/image/16', 'fedora://a.png').expect(201);
    await atoll.send('GET', '/_flysystem/fedora/a.png', 'viewer').expect(200);
    // The term has the id of a file that the media does not use.
    const hidden = recordOf(
      await upload(atoll, '/file/upload/media/video/field_media_video_file', 'b.mp4').expect(201),
    );
    const fid = Number(hidden['fid']?.[0]?.['value']);
    await patch(atoll, '/media/1', {
      bundle: [{ target_id: 'image' }],
      field_media_place: [{ target_id: fid }],
    }).expect(200);
    await atoll.send('GET', '/_flysystem/fedora/2024-05/b.mp4', 'viewer').expect(403);
  });
});

describe('The terms of a site', () => {
  const terms = [
    '  - {"tid": 200, "uuid": "00000000-0000-4000-8000-000000000200", "name": "Ships"}',
    '  # A remark.',
    '  - {"tid": 201, "uuid": "00000000-0000-4000-8000-000000000201", "name": "Rigging", "parent": [200], "weight": 3, "langcode": "fr", "description": "<p>Ropes</p>", "format": "plain_text", "fields": {"field_note": [{"value": "a"}, {"value": "b"}]}}',
  ];
  const vocabulary = (lines: readonly string[]) => () =>
    [
      'id: subject',
      'label: Subject',
      'uuid: 919e05c1-a20a-45c4-b0da-1ee422cec673',
      'fields:',
      '  field_note: { label: Note, type: string, cardinality: unlimited }',
      'terms:',
      ...lines,
      '',
    ].join('\n');

  it.each([
    ['as lines of JSON', terms],
    ['as YAML', ['  - { tid: 200, uuid: 00000000-0000-4000-8000-000000000200, name: Ships }', terms[2] ?? '']],
  ])('have any field, parent, weight, language and format, %s', async (_how, lines) => {
    const atoll = await atollWith({ 'vocabularies/subject.yml': vocabulary(lines) });
    expect(recordOf(await read(atoll, '/taxonomy/term/201').expect(200))).toMatchObject({
      langcode: [{ value: 'fr' }],
      name: [{ value: 'Rigging' }],
      weight: [{ value: 3 }],
      parent: [{ target_id: 200, url: '/taxonomy/term/200' }],
      description: [{ value: '<p>Ropes</p>', format: 'plain_text' }],
      field_note: [{ value: 'a' }, { value: 'b' }],
    });
  });

  const refusals = async (lines: readonly string[]): Promise<string[]> => {
    const error: unknown = await siteWith({ 'vocabularies/subject.yml': vocabulary(lines) }).catch(
      (cause: unknown) => cause,
    );
    return String(error)
      .split('\n')
      .map((line) => line.replace(/^.*?subject\.yml/, ''));
  };
  const term = (tid: number, more: object) =>
    `  - ${JSON.stringify({ tid, uuid: `00000000-0000-4000-8000-${String(tid).padStart(12, '0')}`, name: 'x', ...more })}`;

  it('are refused with line, key and remedy, and a cause that many share is told once', async () => {
    expect(await refusals([term(200, { colour: 'red' })])).toEqual([
      ':7: terms.0.colour: is not a known key. Remove it or correct its spelling.',
    ]);
    expect(
      await refusals([
        ...[200, 201, 202].map((tid) => term(tid, { fields: { field_gone: [{ value: 1 }] } })),
        term(203, { parent: [9], langcode: 'xx', format: 'wiki' }),
      ]),
    ).toEqual([
      ': terms.0.fields.field_gone: there is no such field. Add "field_gone" to fields, or remove it. (and so it is with 2 more terms)',
      expect.stringMatching(/^: terms\.3\.langcode: "xx" is not among the languages of site\.yml\./),
      expect.stringMatching(/^: terms\.3\.format: "wiki" is not among text_formats of site\.yml\./),
      ': terms.3.parent: the vocabulary has no term 9. Name a tid of this file.',
    ]);
    expect(await refusals([term(200, {}), term(200, {})])).toEqual([
      expect.stringMatching(/^: terms\.1\.tid: tid 200 is taken by terms\.0\.tid in /),
      expect.stringMatching(/^: terms\.1\.uuid: uuid .* is taken by terms\.0\.uuid in /),
    ]);
  });
});

describe('Base fields', () => {
  it('have the label, rule and default that a bundle gives them', async () => {
    const atoll = await atollWith({
      'bundles/node.islandora_object.yml': swap([
        'fields:\n',
        'base_fields:\n  title: { label: Name of the piece }\n  promote: { default: false }\n  status: { default: [{ value: false }] }\n  revision_log: { required: true }\nfields:\n',
      ]),
    });
    const log = { revision_log: [{ value: 'new' }] };
    const made = recordOf(await create(atoll, node(log)).expect(201));
    expect([made['promote'], made['status']]).toEqual([[{ value: false }], [{ value: false }]]);
    expect(messageOf(await create(atoll, node()).expect(422))).toContain(
      'revision_log: This value should not be null.',
    );
    expect(messageOf(await create(atoll, node({ ...log, title: [{ value: 'x'.repeat(256) }] })).expect(422))).toContain(
      'title.0.value: Name of the piece: may not be longer than 255 characters.',
    );
    expect((await documentOf(atoll)).components.schemas['NodeCreate']?.required).toContain('revision_log');
  });

  it('are refused when a type has none of the name, or when the server sets them', async () => {
    const refusal = siteWith({
      'bundles/media.image.yml': add('base_fields: { colour: {}, changed: { default: 1 } }'),
    });
    await expect(refusal).rejects.toThrow(/base_fields\.colour: no media has such a base field\. Choose from: mid, /);
    await expect(refusal).rejects.toThrow(
      /base_fields\.changed\.default: the server sets this field\. Remove the default\./,
    );
  });

  it('of translation are shown for the types that a site lists', async () => {
    const atoll = await atollWith({ 'site.yml': add('content_translation: [media]') });
    const made = recordOf(await create(atoll, node()).expect(201));
    expect(Object.keys(made).filter((name) => name.startsWith('content_translation'))).toEqual([]);
    expect(recordOf(await read(atoll, '/taxonomy/term/27').expect(200))).not.toHaveProperty('content_translation_uid');
    const { schemas } = (await documentOf(atoll)).components;
    expect(schemas['NodeRecord']?.properties).not.toHaveProperty('content_translation_source');
    expect(schemas['MediaRecord']?.properties).toHaveProperty('content_translation_source');
  });
});

describe('seed_author', () => {
  const authorWith = async (line: string) => {
    const atoll = await atollWith({ 'site.yml': add(line) });
    return recordOf(await read(atoll, '/taxonomy/term/27').expect(200))['content_translation_uid'];
  };

  it('made the terms of the site, unless it is none of its accounts', async () => {
    expect(await authorWith('seed_author: 1')).toMatchObject([{ target_id: 1, url: '/user/1' }]);
    expect(await authorWith('seed_author: 99')).toMatchObject([{ target_id: 0 }]);
  });
});

describe('new_revision', () => {
  it('gives each change a revision of its own, whose author stays that of the one before', async () => {
    const atoll = await atollWith({ 'bundles/node.islandora_object.yml': add('new_revision: true') });
    await create(atoll, node()).expect(201);
    atoll.clock.advance(60);
    const after = recordOf(await patch(atoll, '/node/1', { title: [{ value: 'Another' }] }, 'editor').expect(200));
    expect(after['vid']).toEqual([{ value: 2 }]);
    expect(after['revision_uid']).toMatchObject([{ target_id: 1 }]);
    expect(after['revision_timestamp']).toEqual(after['changed']);
    const same = recordOf(await patch(atoll, '/node/1', { title: [{ value: 'Another' }] }).expect(200));
    expect(same['vid']).toEqual([{ value: 2 }]);
    expect(recordOf(await create(atoll, node()).expect(201))['vid']).toEqual([{ value: 3 }]);
  });

  it('gives new bytes of a media one, too', async () => {
    const atoll = await atollWith({ 'bundles/media.image.yml': add('new_revision: true') });
    await create(atoll, node()).expect(201);
    await put(atoll, '/node/1/media/image/16', 'public://a.png').expect(201);
    await put(atoll, '/media/1/source', 'public://a.png').expect(204);
    const after = recordOf(await read(atoll, '/media/1', 'admin').expect(200));
    expect(after['vid']).toEqual([{ value: 2 }]);
  });
});

describe('media.standalone_url: false', () => {
  const made = atollWith({
    'site.yml': (text) =>
      `${text.replace('media_edit_alias: true', 'media_edit_alias: false')}\nmedia: { standalone_url: false }\n`,
  });

  it('has media at /media/{id}/edit alone, with addresses, links and Location', async () => {
    const atoll = await made;
    await create(atoll, node()).expect(201);
    const uploaded = await put(atoll, '/node/1/media/image/16', 'public://a.png').expect(201);
    expect(uploaded.headers['location']).toBe('http://localhost:8000/media/1/edit');
    expect(messageOf(await read(atoll, '/media/1', 'admin').expect(404))).toBe(
      'No route found for "GET http://localhost:8000/media/1"',
    );
    const answer = await read(atoll, '/media/1/edit', 'admin').expect(200);
    const links = linksOf(answer);
    for (const link of [
      '<http://localhost:8000/media/1/edit>; rel="canonical"',
      '<http://localhost:8000/media/1/edit>; rel="edit-form"',
      '<http://localhost:8000/media/1/source>; rel="edit-media"',
      '<http://localhost:8000/media/1/edit?_format=jsonld>; rel="alternate"',
    ]) {
      expect(links).toContain(link);
    }
    expect(linksOf(await read(atoll, '/node/1', 'admin'))).toContain(
      '<http://localhost:8000/media/1/edit>; rel="related"',
    );
    await patch(atoll, '/media/1/edit', { bundle: [{ target_id: 'image' }], name: [{ value: 'B' }] }).expect(200);
    const graph = JSON.stringify((await atoll.send('GET', '/media/1/edit?_format=jsonld', 'admin').expect(200)).body);
    expect(graph).toContain('"http://localhost:8000/media/1/edit"');
    expect(messageOf(await read(atoll, '/media/9/edit', 'admin').expect(404))).toContain('"/media/{media}/edit"');
    const body = { bundle: [{ target_id: 'image' }], name: [{ value: 'C' }], field_media_image: [{ target_id: 1 }] };
    const second = await create(atoll, body, 'admin', '/entity/media?_format=json').expect(201);
    expect(second.headers['location']).toBe('http://localhost:8000/media/2/edit');
    await atoll.send('DELETE', '/media/1/edit', 'admin').expect(204);
  });

  it('describes that', async () => {
    const { paths } = await documentOf(await made);
    expect(paths).not.toHaveProperty(['/media/{media_id}']);
    expect(paths['/media/{media_id}/edit']?.['patch']?.operationId).toBe('updateMedia');
  });
});

describe('links.headers: false', () => {
  it('answers records with the links of the platform alone', async () => {
    const atoll = await atollWith({ 'site.yml': swap(['  platform: true', '  platform: true\n  headers: false']) });
    await create(atoll, node()).expect(201);
    const links = linksOf(await read(atoll, '/node/1').expect(200));
    expect(links).toContain('rel="canonical"');
    expect(links).not.toMatch(/rel="(tag|related|alternate)"/);
    const { paths } = await documentOf(atoll);
    expect(paths['/node/{node_id}']?.['get']?.responses?.['200']?.headers).toMatchObject({
      Link: { $ref: '#/components/headers/PlatformLink' },
    });
  });
});

describe('modules', () => {
  it('islandora: false takes the uploads by PUT and all links but those of the platform away', async () => {
    const atoll = await atollWith({
      'site.yml': add('modules: { islandora: false }'),
    });
    await create(atoll, node()).expect(201);
    await put(atoll, '/node/1/media/image/16', 'public://a.png').expect(404);
    const file = recordOf(await upload(atoll, '/file/upload/media/image/field_media_image', 'a.png').expect(201));
    const fid = file['fid']?.[0]?.['value'];
    const body = { bundle: [{ target_id: 'image' }], name: [{ value: 'C' }], field_media_image: [{ target_id: fid }] };
    await create(atoll, body, 'admin', '/entity/media?_format=json').expect(201);
    await put(atoll, '/media/1/source', 'public://a.png').expect(404);
    const links = linksOf(await read(atoll, '/media/1', 'admin').expect(200));
    expect(links).toContain('rel="version-history"');
    expect(links).not.toMatch(/rel="(edit-media|describes|tag|related|alternate)"/);
    const { paths } = await documentOf(atoll);
    expect(Object.keys(paths).filter((path) => /source|media_use_term_id/.test(path))).toEqual([]);
  });

  it('metatag shows what it computes, and ignores what is sent', async () => {
    const atoll = await atollWith({ 'site.yml': add('modules: { metatag: true }') });
    const made = recordOf(await create(atoll, node({ metatag: [{ tag: 'x' }] })).expect(201));
    expect(made['metatag']).toEqual([
      { tag: 'meta', attributes: { name: 'title', content: 'A letter | Contract Site' } },
      { tag: 'link', attributes: { rel: 'canonical', href: 'http://localhost:8000/node/1' } },
    ]);
    await read(atoll, '/taxonomy/term/27').expect(200);
    await read(atoll, '/user/2', 'admin').expect(200);
  });
});

describe('jsonld of a bundle', () => {
  it('says which terms give types, and how a record names itself', async () => {
    const atoll = await atollWith({
      'bundles/node.islandora_object.yml': add('jsonld: { types_of: [field_model], self: [schema:url] }'),
      'bundles/media.image.yml': add('jsonld: {}'),
    });
    await create(atoll, node()).expect(201);
    await put(atoll, '/node/1/media/image/16', 'public://a.png').expect(201);
    const subject = async (path: string): Promise<JsonObject | undefined> =>
      (JSON.parse((await atoll.send('GET', `${path}?_format=jsonld`, 'admin').expect(200)).text) as Graph)['@graph'][0]; // checked here
    expect(await subject('/node/1')).toMatchObject({
      '@type': ['http://pcdm.org/models#Object', 'http://purl.org/coar/resource_type/c_c513'],
      'http://schema.org/url': [{ '@id': 'http://localhost:8000/node/1' }],
    });
    const media = await subject('/media/1');
    expect(media?.['@id']).toBe('http://localhost:8000/media/1');
    expect(Object.keys(media ?? {}).filter((name) => name.includes('describedby'))).toEqual([]);
  });

  it('names references of the bundle only', async () => {
    const refusal = siteWith({
      'bundles/media.image.yml': add('jsonld: { types_of: [field_width] }'),
      'bundles/node.islandora_object.yml': add('jsonld: { self: [odd:thing] }'),
    });
    await expect(refusal).rejects.toThrow('jsonld.types_of.0: there is no reference "field_width"');
  });
});
