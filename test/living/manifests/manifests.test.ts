/** IIIF manifests, and the pictures in them from the image service of the server itself: read by a library of others, and refused. */
import { describe, expect, it } from '@jest/globals';
import { Traverse } from '@iiif/parser';
import { convertPresentation2 } from '@iiif/parser/presentation-2';
import { labelOf } from '../../../src/repository/repository.ts';
import { baseUrl, createTestAtoll } from '../../support/atoll.ts';
import { pngBytes } from '../../support/png.ts';
import { bodyOf, messageOf, basic, cookie, visit } from '../../support/requests.ts';
import { starterSite } from '../starter-site.ts';
import { createStarter, fileOf, mediaOf, nodeOf, put, target } from '../recorded-site.ts';

const atoll = await createStarter();
const [service, image, paged] = [5, 13, 15];

const createNode = async (title: string, fields: object): Promise<number> => {
  const body = { type: [{ target_id: 'islandora_object' }], title: [{ value: title }], ...fields };
  const response = await visit(atoll, basic('admin'), 'POST', '/node?_format=json')
    .set('Content-Type', 'application/json')
    .send(JSON.stringify(body))
    .expect(201);
  return (response.body as { nid: [{ value: number }] }).nid[0].value; // checked against the document by the engine
};

const upload = (node: number, name: string, width: number, height: number) =>
  visit(atoll, basic('admin'), 'PUT', `/node/${node}/media/image/${service}`)
    .set({ 'Content-Type': 'image/png', 'Content-Location': `public://pages/${name}` })
    .send(pngBytes(width, height))
    .expect(201);

/** A book with four pages, and what was uploaded for each. */
const createBook = async (): Promise<{ readonly book: number; readonly pages: readonly number[] }> => {
  await atoll.reset();
  const book = await createNode('A book', { field_model: target(paged) });
  const pages: number[] = [];
  for (const weight of [3, 1, 4, 2]) {
    const member = { field_model: target(image), field_member_of: target(book), field_weight: [{ value: weight }] };
    const page = await createNode(`Page ${weight}`, member);
    await upload(page, `Page ${weight}.png`, 10 * weight, 20 * weight);
    pages.push(page);
  }
  return { book, pages };
};

type Manifest = {
  readonly sequences: readonly [{ readonly canvases: readonly Canvas[] }];
};
type Canvas = {
  readonly label: string;
  readonly seeAlso?: { readonly '@id': string };
  readonly images: readonly [{ readonly resource: Resource }];
};
type Resource = { readonly '@id': string; readonly service: { readonly '@id': string; readonly profile: string } };

const manifestAt = async (path: string): Promise<Manifest> =>
  (await bodyOf(atoll.send('GET', path).expect(200))) as Manifest; // checked against the document by the engine

const pathOf = (address: string): string => {
  expect(address.startsWith(baseUrl)).toBe(true);
  return address.slice(baseUrl.length);
};

/** What the library makes of it: version 3. */
type Resource3 = {
  readonly type?: string;
  readonly width?: number;
  readonly height?: number;
  readonly service?: unknown;
};

describe('The manifest of a book', () => {
  it('is one for a library of others, with a canvas for each page in their order', async () => {
    const { book } = await createBook();
    const written = await manifestAt(`/node/${book}/book-manifest`);
    // The address of a manifest is relative, as on a real site: readers know it from where they got it.
    const manifest = convertPresentation2({
      ...written,
      '@id': `${baseUrl}/node/${book}/book-manifest`,
    });
    const found: Resource3[] = [];
    Traverse.all((resource: Resource3) => void found.push(resource)).traverseUnknown(manifest);
    const sizesOf = (type: string) =>
      found.filter((each) => each.type === type).map(({ width, height }) => [width, height]);
    expect(manifest).toMatchObject({ type: 'Manifest', label: { none: ['A book'] } });
    const sizes = [1, 2, 3, 4].map((weight) => [10 * weight, 20 * weight]);
    expect([sizesOf('Canvas'), sizesOf('Image')]).toEqual([sizes, sizes]);
    for (const { service } of found.filter(({ type }) => type === 'Image'))
      expect(service).toMatchObject([{ '@type': 'ImageService2', profile: 'level0' }]);
  });

  it('leads to the description of each picture and to its bytes', async () => {
    const { book } = await createBook();
    const { sequences } = await manifestAt(`/node/${book}/book-manifest`);
    for (const [at, { images }] of sequences[0].canvases.entries()) {
      const { service: of, '@id': bytes } = images[0].resource;
      const [width, height] = [10 * (at + 1), 20 * (at + 1)];
      expect(of.profile).toBe('http://iiif.io/api/image/2/level0.json');
      expect(await bodyOf(atoll.send('GET', `${pathOf(of['@id'])}/info.json`).expect(200))).toEqual({
        ...{
          '@context': 'http://iiif.io/api/image/2/context.json',
          '@id': of['@id'],
          protocol: 'http://iiif.io/api/image',
        },
        ...{ width, height, sizes: [{ width, height }], profile: ['http://iiif.io/api/image/2/level0.json'] },
      });
      for (const size of ['full', 'max', `${width},`, `${width},${height}`]) {
        const path = pathOf(bytes).replace('/full/full/', `/full/${size}/`);
        const response = await atoll.send('GET', path).expect(200);
        expect([response.get('Content-Type'), response.body]).toEqual(['image/png', pngBytes(width, height)]);
        await atoll.send('HEAD', path).expect(200);
      }
    }
  });

  it('changes with its pages at once', async () => {
    const { book, pages } = await createBook();
    const labels = async () =>
      (await manifestAt(`/node/${book}/book-manifest`)).sequences[0].canvases.map(({ label }) => label);
    expect(await labels()).toEqual(['Page 1.png', 'Page 2.png', 'Page 3.png', 'Page 4.png']);
    await visit(atoll, basic('admin'), 'PATCH', `/node/${pages[0] ?? 0}?_format=json`)
      .set('Content-Type', 'application/json')
      .send(JSON.stringify({ type: [{ target_id: 'islandora_object' }], field_weight: [{ value: 9 }] }))
      .expect(200);
    expect(await labels()).toEqual(['Page 1.png', 'Page 2.png', 'Page 4.png', 'Page 3.png']);
    await visit(atoll, basic('admin'), 'DELETE', `/node/${pages[1] ?? 0}?_format=json`).expect(204);
    expect(await labels()).toEqual(['Page 2.png', 'Page 4.png', 'Page 3.png']);
  });
});

describe('The manifest of the book of a sample', () => {
  it('has its four pages, in a library of others too, and the hOCR of each where the site has a term for it', async () => {
    const site = await starterSite();
    const fields = { name: [{ value: 'hOCR' }], field_external_uri: [{ uri: 'https://discoverygarden.ca/use#hocr' }] };
    const hocr = { vocabulary: 'islandora_media_use', tid: 990, uuid: '5d1f7a55-6f0d-4b0e-9d2c-6b3a4c0f5e29', fields };
    const sample = await createTestAtoll({
      fixture: 'sample',
      site: () => ({ ...site, terms: [...site.terms, hocr] }),
    });
    const { entities } = await sample.world().store.list('node', { offset: 0, limit: 100 });
    const book = entities.find((node) => labelOf(node) === 'Minute book of the Harbour Board, 1903');
    const path = `/node/${book?.id ?? 0}/book-manifest`;
    const written = (await bodyOf(sample.send('GET', path).expect(200))) as Manifest; // checked against the document by the engine
    const found: Resource3[] = [];
    const read = convertPresentation2({ ...structuredClone(written), '@id': `${baseUrl}${path}` });
    Traverse.all((resource: Resource3) => void found.push(resource)).traverseUnknown(read);
    expect(found.filter(({ type }) => type === 'Canvas').map(({ width, height }) => [width, height])).toEqual(
      Array.from({ length: 4 }, () => [1200, 1600]),
    );
    const words = ['Present:', 'letter', 'storm', 'accounts'];
    for (const [at, { seeAlso, images }] of written.sequences[0].canvases.entries()) {
      const { text } = await sample
        .send('GET', pathOf(seeAlso?.['@id'] ?? ''))
        .expect(200)
        .buffer(true);
      expect(text).toContain(`>${words[at] ?? ''}</span>`);
      await sample.send('GET', pathOf(images[0].resource['@id'])).expect(200);
    }
    const page = entities.find((node) => labelOf(node) === 'Minute book of the Harbour Board, 1903, page 1');
    const own = (await bodyOf(sample.send('GET', `/node/${page?.id ?? 0}/manifest`).expect(200))) as Manifest; // checked against the document by the engine
    expect(own.sequences[0].canvases).toHaveLength(1);
  });
});

describe('A manifest', () => {
  it.each([
    [
      '/node/1/manifest',
      'The "node" parameter was not converted for the path "/node/{node}/manifest" (route name: "getNodeManifest")',
    ],
    ['/node/1/book-manifest', ''],
    ['/node/1/book-manifest-original', ''],
  ])(
    'at %s answers 200 without pictures, 403 to Basic, 405 to POST, 406 to another format, 404 without a node, and 403 to Basic all the same',
    async (path, absent) => {
      await atoll.reset();
      await put(atoll, [nodeOf(1, 'Alone')]);
      const empty = await manifestAt(path);
      expect(empty.sequences[0]).not.toHaveProperty('canvases');
      const head = await atoll.send('HEAD', path).expect(200);
      expect(head.get('Content-Type')).toBe('application/json');
      expect(messageOf(await atoll.send('GET', path, 'admin').expect(403))).toContain('authentication method');
      await visit(atoll, await cookie(atoll, 'admin'), 'GET', path).expect(200);
      await atoll.send('POST', path).expect(405);
      expect(messageOf(await atoll.send('GET', `${path}?_format=xml`).expect(406))).toContain(
        'Supported formats: json.',
      );
      expect(messageOf(await atoll.send('GET', path.replace('1', '2')).expect(404))).toBe(absent);
      await atoll.send('GET', path.replace('1', '2'), 'admin').expect(403);
      await atoll.send('GET', path.replace('1', 'one')).expect(404);
    },
  );

  it('is for those with the permission of the view: 403 for others', async () => {
    const closed = await createStarter((living) => ({
      manifests: {
        ...living.manifests,
        views: [
          {
            path: '/node/{node}/manifest',
            of: 'node',
            use: 'x',
            fields: ['field_media_image'],
            permissions: ['access the vault'],
          },
        ],
      },
    }));
    await put(closed, [nodeOf(1, 'Locked')]);
    expect(messageOf(await closed.send('GET', '/node/1/manifest').expect(403))).toBe(
      `The 'access the vault' permission is required.`,
    );
    await visit(closed, await cookie(closed, 'admin'), 'GET', '/node/1/manifest').expect(200);
  });

  it('of a node that is not published is as on a real site: 200 with its title where the view does not check, 404 where it does', async () => {
    await atoll.reset();
    const file = fileOf(7, 'public://a/hidden page.png', 'image/png', [3, 4]);
    const hidden = nodeOf(1, 'A hidden title', { status: [{ value: false }] });
    await put(atoll, [hidden, file, mediaOf(8, 1, service, file, [3, 4])]);
    await atoll.send('GET', '/node/1?_format=json').expect(401);
    const shown = await atoll.send('GET', '/node/1/manifest').expect(200);
    expect(shown.body).toMatchObject({
      label: 'A hidden title',
      sequences: [{ canvases: [{ label: 'hidden page.png' }] }],
    });
    for (const path of ['/node/1/book-manifest', '/node/1/book-manifest-original'])
      expect(messageOf(await atoll.send('GET', path).expect(404))).toBe('');
    const firstView = { path: '/node/{node}/manifest', of: 'node', use: 'x', fields: ['field_media_image'] };
    const closed = await createStarter(({ manifests }) => ({
      manifests: { ...manifests, views: [{ ...firstView, check: true }] },
    }));
    await put(closed, [hidden]);
    expect(messageOf(await closed.send('GET', '/node/1/manifest').expect(404))).toBe('');
    await visit(closed, await cookie(closed, 'admin'), 'GET', '/node/1/manifest').expect(200);
  });

  it('makes its addresses of what comes before the last slash of the one that was asked for', async () => {
    await atoll.reset();
    await put(atoll, [nodeOf(1, 'Alone')]);
    const sequenceOf = async (path: string): Promise<string> => {
      const { text } = await atoll.send('GET', path).expect(200);
      return /"@id":"([^"]*)\/sequence\/normal"/.exec(text)?.[1] ?? '';
    };
    expect(await sequenceOf('/node/1/book-manifest?_format=json')).toBe(`${baseUrl}/node/1`);
    expect(await sequenceOf('/node/1/book-manifest/?_format=json')).toBe(`${baseUrl}/node/1/book-manifest`);
    expect(await sequenceOf('/node/1/book-manifest/')).toBe(`${baseUrl}/node/1`);
  });

  it('has the address of a world in it', async () => {
    await atoll.reset();
    await put(atoll, [nodeOf(1, 'Alone')]);
    await visit(atoll, basic('admin'), 'POST', '/_atoll/worlds')
      .set('Content-Type', 'application/json')
      .send('{"name":"iiif","from":"main"}')
      .expect(201);
    const { text } = await atoll.send('GET', '/~iiif/node/1/manifest').expect(200);
    expect(text).toContain('"@id":"/~iiif/node/1/manifest"');
    expect(text).toContain(`"@id":"${baseUrl}/~iiif/node/1/sequence/normal"`);
  });
});

describe('The image service', () => {
  const address = (file: string, rest: string): string =>
    `/cantaloupe/iiif/2/${encodeURIComponent(`${baseUrl}${file}`)}/${rest}`;

  it('answers 404 for what is not a picture here, and for another size', async () => {
    await createBook();
    const known = '/sites/default/files/pages/Page%201.png';
    await atoll.send('GET', address(known, 'info.json')).expect(200);
    for (const [file, rest] of [
      [known, 'full/5,/0/default.jpg'],
      [known, 'square/full/0/default.jpg'],
      ['/sites/default/files/pages/none.png', 'info.json'],
      ['/elsewhere/none.png', 'full/full/0/default.jpg'],
    ] as const) {
      await atoll.send('GET', address(file, rest)).expect(404);
    }
    await atoll.send('GET', '/cantaloupe/iiif/2/http%3A%2F%2Fother.example%2Fa.png/info.json').expect(404);
    await atoll.send('GET', '/cantaloupe/iiif/2/%2F..%2F..%2Fetc%2Fpasswd/info.json').expect(404);
    await atoll.send('GET', '/cantaloupe/iiif/2/%E0%A4%A/info.json').expect(404);
  });

  it('answers 400 to another quality, and to a format that it does not have', async () => {
    await createBook();
    const known = '/sites/default/files/pages/Page%201.png';
    for (const name of [
      'gray.jpg',
      'default.svg',
      'default.pdf',
      'default.html',
      'default.JPG',
      'default',
      'default.jpgx',
    ])
      await atoll.send('GET', address(known, `full/full/0/${name}`)).expect(400);
  });

  it.each([
    ['image/jpeg', ['jpg', 'jpeg']],
    ['image/png', ['png', 'jpg']],
    ['image/gif', ['gif', 'jpg']],
    ['image/tiff', ['tif', 'tiff', 'jpg']],
    ['image/webp', ['webp', 'jpg']],
    ['image/jp2', ['jp2', 'jpg']],
    ['image/bmp', ['jpg']],
    ['image/svg+xml', ['jpg']],
  ])('answers %s by the names of its format and by that in manifests, 400 to others', async (type, formats) => {
    const every = ['jpg', 'jpeg', 'png', 'gif', 'tif', 'tiff', 'webp', 'jp2'];
    await atoll.reset();
    await upload(await createNode('Alone', { field_model: target(image) }), 'a.png', 3, 4);
    const { entities } = await atoll.world().store.list('file', { offset: 0, limit: 1 });
    await put(
      atoll,
      entities.map((file) => ({ ...file, fields: { ...file.fields, filemime: [{ value: type }] } })),
    );
    const known = '/sites/default/files/pages/a.png';
    const answers = [];
    for (const format of every) {
      const response = await atoll.send('HEAD', address(known, `full/full/0/default.${format}`));
      answers.push([format, response.status, response.status === 400 ? type : response.get('Content-Type')]);
    }
    expect(answers).toEqual(every.map((format) => [format, formats.includes(format) ? 200 : 400, type]));
    const refused = formats.includes('png') ? 'gif' : 'png';
    expect(messageOf(await atoll.send('GET', address(known, `full/full/0/default.${refused}`)))).toBe(
      `/path/quality: must be ${formats.map((format) => `default.${format}`).join(' or ')}`,
    );
  });

  it('takes a path without the host as well', async () => {
    await createBook();
    const path = encodeURIComponent('sites/default/files/pages/Page%201.png');
    await atoll.send('GET', `/cantaloupe/iiif/2/${path}/info.json`).expect(200);
  });

  it('answers 401 and 403 for a guarded picture of a media that is not published', async () => {
    await atoll.reset();
    const file = fileOf(7, 'fedora://a/b.png', 'image/png', [3, 4]);
    const media = mediaOf(8, 1, service, file, [3, 4]);
    await put(atoll, [
      nodeOf(1, 'Hidden'),
      file,
      { ...media, fields: { ...media.fields, status: [{ value: false }] } },
    ]);
    const path = address('/_flysystem/fedora/a/b.png', 'info.json');
    await atoll.send('GET', path).expect(401);
    await atoll.send('GET', path.replace('info.json', 'full/full/0/default.jpg')).expect(401);
    await atoll.send('GET', path, 'admin').expect(200);
    const { sequences } = await manifestAt('/node/1/manifest');
    expect(sequences[0]).not.toHaveProperty('canvases');
  });
});
