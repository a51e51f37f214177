/** Records as plain objects and back: each kind of field, all records of the starter fixture, and what the server makes of them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parse } from 'yaml';
import { defaultFields } from '../../src/client/generated/default-fields.ts';
import {
  basic,
  bodyOf,
  createClient,
  kindOf,
  plainOf,
  readSiteFields,
  type AtollClient,
  type components,
  type NewRecord,
  type PlainNode,
} from '../../src/client/client.ts';
import { createClock, root } from '../support/atoll.ts';
import { someOf } from '../support/long-run.ts';
import { startServer, type TestServer } from '../support/server.ts';

const clock = createClock();
let server: TestServer;
let admin: AtollClient;
beforeAll(async () => {
  server = await startServer({ clock });
  admin = createClient({ baseUrl: server.url, authentication: basic('admin', 'islandora') });
});
afterAll(async () => {
  await server.stop();
  expect(server.errors).toEqual([]);
});

const readNode = async (node_id: number) =>
  (await admin.GET('/node/{node_id}', { params: { path: { node_id } } })).data;
const readMedia = async (media_id: number) =>
  (await admin.GET('/media/{media_id}', { params: { path: { media_id } } })).data;

const idsTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

const islandoraObject = 'islandora_object';

describe('a record as a plain object', () => {
  it('has values, lists, dates and references in place of lists of items', async () => {
    const { data } = await admin.POST('/node', {
      body: bodyOf('node', {
        type: islandoraObject,
        title: 'Plain',
        field_model: 24,
        field_extent: ['1 item', '2 pages'],
        field_member_of: [{ id: 1 }],
      }),
    });
    const node: PlainNode = plainOf(data);
    const title: string = node.title;
    const pid: string | null = node.field_pid;
    const changed: Date = node.changed;
    const extents: string[] = node.field_extent;
    expect([title, pid, extents, node.type, node.status]).toEqual([
      'Plain',
      null,
      ['1 item', '2 pages'],
      islandoraObject,
      true,
    ]);
    expect(changed.toISOString()).toBe('2024-05-01T12:00:00.000Z');
    expect(node.field_model).toEqual({
      id: 24,
      type: 'taxonomy_term',
      uuid: expect.any(String),
      url: '/taxonomy/term/24',
    });
    expect(node.field_member_of.map(({ id }) => id)).toEqual([1]);
    expect(node.field_subject).toEqual([]);
  });

  it('keeps what a reference to a file carries, and the path of a file', async () => {
    const image = plainOf(await readMedia(17));
    const width: number | null | undefined = image.field_media_image?.width;
    expect([image.field_media_image?.type, typeof width, image.thumbnail?.alt]).toEqual([
      'file',
      'number',
      expect.anything(),
    ]);
    const file_id = image.field_media_image?.id ?? 0;
    const file = plainOf((await admin.GET('/entity/file/{file_id}', { params: { path: { file_id } } })).data);
    const size: number | null = file.filesize;
    expect([size, file.uri]).toEqual([
      expect.any(Number),
      { value: expect.stringMatching(/^\w+:\/\//), url: expect.stringMatching(/^\//) },
    ]);
  });

  it('shows links, formatted text and vocabularies of terms', async () => {
    const term = plainOf((await admin.GET('/taxonomy/term/{term_id}', { params: { path: { term_id: 16 } } })).data);
    const uri: string | undefined = term.field_external_uri?.uri;
    expect([term.name, term.vid, uri, term.description?.value]).toEqual([
      'Original File',
      'islandora_media_use',
      'http://pcdm.org/use#OriginalFile',
      'The file an object was first deposited with',
    ]);
    const { data } = await admin.GET('/taxonomy/term/{term_id}', { params: { path: { term_id: 27 } } });
    expect(data.description).toEqual([{ value: null, format: null, processed: '' }]);
    expect(plainOf(data)).toMatchObject({ description: null });
  });

  it('is known by its kind', async () => {
    const user = (await admin.GET('/user/{user_id}', { params: { path: { user_id: 1 } } })).data;
    expect([kindOf(await readNode(1)), kindOf(await readMedia(1)), kindOf(user)]).toEqual(['node', 'media', 'user']);
    expect([kindOf(null), kindOf('x'), kindOf([]), kindOf({ '@graph': [] })]).toEqual(Array(4).fill(undefined));
    expect(plainOf(user).roles).toEqual(['administrator', 'fedoraadmin']);
  });

  it('loses nothing of a field that the document does not know', () => {
    const record = {
      nid: [{ value: 1 }],
      field_own: [{ value: 1 }, { value: 2 }],
      field_pair: [{ lat: 1, lng: 2 }],
      odd: 'x',
    };
    expect(plainOf(record)).toEqual({ nid: 1, field_own: [1, 2], field_pair: { lat: 1, lng: 2 }, odd: 'x' });
  });
});

describe('a plain object as a body', () => {
  it('takes short forms, empties with null and leaves out what is undefined', () => {
    const body = bodyOf('node', {
      type: islandoraObject,
      title: 'T',
      field_model: { uuid: '9c1d1a6e-5a0d-4a3f-8ee1-1e4f4e1b5f10' },
      field_member_of: [1, { id: 2 }],
      field_linked_agent: [{ id: 5, rel_type: 'relators:aut' }],
      field_pid: null,
      field_rights: [],
      field_subject: undefined,
      created: new Date('2024-05-01T12:00:00.789Z'),
      changed: '2024-05-01T12:00:00+00:00',
    });
    expect(body).toEqual({
      type: [{ target_id: 'islandora_object' }],
      title: [{ value: 'T' }],
      field_model: [{ target_uuid: '9c1d1a6e-5a0d-4a3f-8ee1-1e4f4e1b5f10' }],
      field_member_of: [{ target_id: 1 }, { target_id: 2 }],
      field_linked_agent: [{ target_id: 5, rel_type: 'relators:aut' }],
      field_pid: [],
      field_rights: [],
      created: [{ value: '2024-05-01T12:00:00+00:00' }],
      changed: [{ value: '2024-05-01T12:00:00+00:00' }],
    });
  });

  it('takes texts, links and items as they are', () => {
    const term = bodyOf('term', {
      vid: 'islandora_models',
      name: 'Boats',
      description: 'Of wood',
      field_external_uri: 'http://x/',
    });
    expect(term).toEqual({
      vid: [{ target_id: 'islandora_models' }],
      name: [{ value: 'Boats' }],
      description: [{ value: 'Of wood' }],
      field_external_uri: [{ uri: 'http://x/' }],
    });
    const items = bodyOf('media', { bundle: 'image', name: { value: 'N' }, field_media_image: { id: 3, alt: 'A' } });
    expect(items.name).toEqual([{ value: 'N' }]);
    expect(items.field_media_image).toEqual([{ target_id: 3, alt: 'A' }]);
  });

  it('does not compile with a misspelt field, a wrong value or a list for one value', () => {
    // @ts-expect-error -- misspelt
    bodyOf('node', { type: islandoraObject, titel: 'x' });
    // @ts-expect-error -- a number is no title
    bodyOf('node', { type: islandoraObject, title: 5 });
    // @ts-expect-error -- one value
    bodyOf('node', { type: islandoraObject, title: ['x'] });
    // @ts-expect-error -- several values
    bodyOf('node', { type: islandoraObject, field_member_of: 1 });
    // @ts-expect-error -- a field of another bundle
    bodyOf('media', { bundle: 'image', field_media_file: 3 });
    bodyOf('media', { bundle: Math.random() > 1 ? 'image' : 'file', field_media_file: 3 });
    bodyOf('media', { bundle: 'of another site', field_media_file: 3 });
    // @ts-expect-error -- files cannot be written
    expect(bodyOf('file', {})).toEqual({});
    const create = (body: components['schemas']['NodeCreate']) => body;
    // @ts-expect-error -- a new node needs a model
    create(bodyOf('node', { type: islandoraObject, title: 'x' }));
    // @ts-expect-error -- nor will one do that may be undefined
    create(bodyOf('node', { type: islandoraObject, title: 'x', field_model: Math.random() > 1 ? 24 : undefined }));
  });

  it('does not compile as a new record with the fields of another bundle, or without a required one', () => {
    const right: NewRecord<'media', 'image'> = {
      ...{ bundle: [{ target_id: 'image' }], name: [{ value: 'A' }], field_media_image: [{ target_id: 3 }] },
    };
    expect(right.bundle).toEqual([{ target_id: 'image' }]);
    const named = { name: right.name };
    // @ts-expect-error -- an image is needed
    const without: NewRecord<'media', 'image'> = { bundle: [{ target_id: 'image' }], ...named };
    // @ts-expect-error -- another bundle
    const other: NewRecord<'media', 'image'> = { ...right, bundle: [{ target_id: 'file' }] };
    // @ts-expect-error -- a field of another bundle
    const foreign: NewRecord<'media', 'image'> = { ...right, field_media_file: [{ target_id: 3 }] };
    // @ts-expect-error -- two values in one
    const twice: NewRecord<'media', 'image'> = { ...right, name: [{ value: 'A' }, { value: 'B' }] };
    // @ts-expect-error -- no bundle
    const unknown = (body: NewRecord<'media', 'scan'>) => body;
    expect([without, other, foreign, twice, unknown]).toHaveLength(5);
  });

  it('of a record as it was read changes nothing with 200, for every node and every media of the fixture', async () => {
    clock.advance(60);
    const nodes = await Promise.all(someOf(idsTo(30)).map(readNode));
    for (const before of nodes) {
      const { response, data } = await admin.PATCH('/node/{node_id}', {
        params: { path: { node_id: before.nid[0].value } },
        body: bodyOf('node', plainOf(before)),
      });
      expect([response.status, data]).toEqual([200, before]);
    }
    const medias = await Promise.all(someOf(idsTo(63)).map(readMedia));
    for (const before of medias) {
      const { response, data } = await admin.PATCH('/media/{media_id}', {
        params: { path: { media_id: before.mid[0].value } },
        body: bodyOf('media', plainOf(before)),
      });
      expect([response.status, data]).toEqual([200, before]);
    }
  });

  it('changes a reference whose id was changed, though the old uuid stood beside it, with 200', async () => {
    const node = plainOf(await readNode(3));
    const model = { ...node.field_model, id: 23 };
    const { data } = await admin.PATCH('/node/{node_id}', {
      params: { path: { node_id: 3 } },
      body: bodyOf('node', { type: node.type, field_model: model }),
    });
    expect(plainOf(data).field_model?.id).toBe(23);
  });

  it('gives back every text, number, list and time', () => {
    const time = fc
      .date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true })
      .map((date) => new Date(Math.floor(date.getTime() / 1000) * 1000));
    const plain = fc.record({
      type: fc.constant(islandoraObject),
      title: fc.string({ unit: 'grapheme' }),
      status: fc.boolean(),
      field_extent: fc.array(fc.string()),
      field_pid: fc.option(fc.string()),
      field_model: fc.option(fc.record({ id: fc.nat() })),
      field_member_of: fc.array(fc.record({ id: fc.nat() })),
      field_linked_agent: fc.array(fc.record({ id: fc.nat(), rel_type: fc.string() })),
      created: time,
    });
    const pattern = { format: 'Y-m-d\\TH:i:sP' };
    fc.assert(
      fc.property(plain, (given) => {
        const { created, ...body } = bodyOf('node', given);
        const record = { nid: [{ value: 1 }], ...body, created: created.map((item) => ({ ...item, ...pattern })) };
        expect(plainOf(record)).toEqual({ nid: 1, ...given });
      }),
      { numRuns: 200 },
    );
  });
});

describe('the fields of a site', () => {
  const document: unknown = parse(readFileSync(join(root, 'openapi.yaml'), 'utf8'));

  it('are read from its document: those of the default site are the generated ones', () => {
    expect(readSiteFields(document)).toEqual(defaultFields);
  });

  it('are the same in the document that a running server serves with 200', async () => {
    const served: unknown = await (await admin.fetch(`${server.url}/openapi.json`)).json();
    expect(readSiteFields(served)).toEqual(defaultFields);
  });

  it('decide how many values a field holds and what a number is', () => {
    const items = { $ref: '#/components/schemas/Ref' };
    const site = readSiteFields({
      components: {
        schemas: {
          NodeRecord: {
            allOf: [
              { properties: { nid: { maxItems: 1 } } },
              { properties: { field_a: { items }, field_b: { items: { oneOf: [items] }, maxItems: 1 } } },
            ],
          },
          Ref: { properties: { target_id: {} } },
        },
      },
    });
    expect(site.node).toEqual({ many: ['field_a'], references: ['field_a', 'field_b'], links: [] });
    expect(plainOf({ nid: [{ value: 1 }], field_a: [{ target_id: 1 }] }, site)).toEqual({
      nid: 1,
      field_a: [{ id: 1 }],
    });
    expect(readSiteFields(null).node).toEqual({ many: [], references: [], links: [] });
  });
});
