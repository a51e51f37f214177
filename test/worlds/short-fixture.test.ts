/** Short fixtures: what is made of a file, what it is refused for, and how the program takes it. */
import { judgedBy } from '../support/judged-by.ts';
import { execFileSync } from 'node:child_process';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { labelOf, targetIds } from '../../src/repository/repository.ts';
import { loadSite } from '../support/site-sources.ts';
import { ConfigurationError } from '../../src/basics/configuration-error.ts';
import { type FixtureContent, ownFixture, readShort } from '../../src/server/server-application.ts';
import { readDirectory } from '../../src/server/worlds/read-fixture.ts';
import { writeExport } from '../../src/storage/storage-export.ts';
import { createTestAtoll, readFixture, root, starter } from '../support/atoll.ts';
import { runHere } from '../support/command.ts';
import { withDirectory } from '../support/program.ts';
import { send, startServer } from '../support/server.ts';
import { pngBytes as png } from '../support/png.ts';
import { firstValue, type Entity } from '../../src/openapi/openapi-records.ts';

const site = await loadSite(join(root, 'data/site'));

const letters = `date: 2024-03-01T00:00:00Z
objects:
  - title: A letter
    model: image
    member_of: letters
    fields: { field_description: [{ value: Found in a drawer. }] }
    files:
      - { path: letter.png }
      - { path: letter.txt, use: Extracted Text, uri: 'public://words.txt' }
  - { name: letters, title: Letters of the harbour, model: Collection }
  - { title: A draft, model: Binary, published: false, owner: editor, member_of: [Letters of the harbour] }
`;

const written = async (folder: string, text: string, name = 'my.yaml'): Promise<string> => {
  await writeFile(join(folder, 'letter.png'), png(3, 2));
  await writeFile(join(folder, 'letter.txt'), 'Dear reader');
  await writeFile(join(folder, name), text);
  return join(folder, name);
};

const expanded = (text: string, name?: string): Promise<FixtureContent> =>
  withDirectory(async (folder) => readShort(await written(folder, text, name), judgedBy(site), root));

const termCalled = (name: string): number | undefined =>
  site.terms.find(({ fields }) => fields['name']?.[0]?.['value'] === name)?.tid;

const only = (content: FixtureContent, type: Entity['type']): Entity[] =>
  [...content.entities].filter((entity) => entity.type === type);

describe('A short fixture', () => {
  it('becomes nodes, media and files as uploads make them', async () => {
    const content = await expanded(letters);
    const nodes = only(content, 'node');
    expect(nodes.map((node) => [node.id, labelOf(node), targetIds(node, 'field_member_of')])).toEqual([
      [1, 'Letters of the harbour', []],
      [2, 'A letter', [1]],
      [3, 'A draft', [1]],
    ]);
    expect(nodes.map((node) => [firstValue(node, 'status'), targetIds(node, 'uid')[0]])).toEqual([
      [true, 1],
      [true, 1],
      [false, site.accounts.find(({ name }) => name === 'editor')?.uid],
    ]);
    expect(firstValue(nodes[1] as Entity, 'field_description')).toBe('Found in a drawer.'); // there are three
    const [image, text] = only(content, 'media');
    expect([image?.bundle, text?.bundle, image && targetIds(image, 'field_media_of')]).toEqual(['image', 'file', [2]]);
    const files = only(content, 'file').map((file) => [firstValue(file, 'uri'), firstValue(file, 'filemime')]);
    expect(files).toEqual([
      ['fedora://2024-03/letter.png', 'image/png'],
      ['public://media-icons/generic/generic.png', 'image/png'],
      ['public://words.txt', 'text/plain'],
    ]);
    expect(only(content, 'file')[0]?.blob).toMatchObject({ width: 3, height: 2, size: png(3, 2).length });
  });

  it('says when and by whom, by names of terms, and what no upload can say of a media', async () => {
    const content = await expanded(`uuids: museum
objects:
  - title: A letter
    model: Image
    owner: editor
    date: 2019-03-12T10:00:00Z
    revised: { date: 2021-09-02T14:21:09Z, owner: admin }
    fields:
      field_rights: [CC BY 4.0, { value: In copyright }]
      field_subject: [Harbours, { term: Storms }]
    files:
      - { path: letter.txt, use: Extracted Text }
      - { path: letter.png, use: Extracted Text, same_use: true, alt: Handwriting, published: false }
  - { title: Another, model: Image }
`);
    const [letter, another] = only(content, 'node');
    const [text, image] = only(content, 'media');
    const seconds = (date: string): number => Date.parse(date) / 1000;
    expect(letter?.fields).toMatchObject({
      vid: [{ value: 3 }],
      created: [{ value: seconds('2019-03-12T10:00:00Z') }],
      changed: [{ value: seconds('2021-09-02T14:21:09Z') }],
      revision_timestamp: [{ value: seconds('2021-09-02T14:21:09Z') }],
      revision_uid: [{ target_id: site.accounts.find(({ name }) => name === 'admin')?.uid }],
      field_rights: [{ value: 'CC BY 4.0' }, { value: 'In copyright' }],
      field_subject: ['Harbours', 'Storms'].map((term) => ({ target_id: termCalled(term) })),
    });
    expect(another && [firstValue(another, 'created'), firstValue(another, 'vid')]).toEqual([site.seedTime, 2]);
    expect([text, image].map((media) => media && firstValue(media, 'created'))).toEqual([
      seconds('2019-03-12T10:01:00Z'),
      seconds('2019-03-12T10:02:00Z'),
    ]);
    expect(text && targetIds(text, 'field_media_use')).toEqual(image && targetIds(image, 'field_media_use'));
    expect(image?.fields).toMatchObject({ status: [{ value: false }], field_media_image: [{ alt: 'Handwriting' }] });
    expect(only(content, 'file').map((file) => firstValue(file, 'filename'))).toEqual([
      'letter.txt',
      'generic.png',
      'letter.png',
    ]);
    const renamed = await expanded('uuids: museum\nobjects:\n  - { title: Renamed, model: Image }\n');
    expect(only(renamed, 'node')[0]?.uuid).toBe(letter?.uuid);
  });

  it('can be a folder with its files, such as a copy of the starter fixture', () =>
    withDirectory(async (folder) => {
      await cp(starter, join(folder, 'copy'), { recursive: true });
      const { records, bytes } = await ownFixture(root, join(folder, 'copy'), judgedBy(site));
      const { entities, blobs } = await readFixture(starter);
      expect([...records.entities]).toEqual([...entities]);
      expect(await bytes.keys()).toEqual(await blobs.keys());
      const ended = await runHere(['fixture', 'expand', join(folder, 'copy'), '--to', join(folder, 'long')]);
      expect(ended).toMatchObject({ code: 0, error: '' });
      expect([...(await readDirectory(join(folder, 'long'), judgedBy(site))).entities]).toEqual([...entities]);
    }));

  it('becomes the same records each time, whether it is YAML or JSON, and others do not change them', async () => {
    const [first, again] = [await expanded(letters), await expanded(letters)];
    expect([...again.entities]).toEqual([...first.entities]);
    const json = { objects: [{ title: 'A draft', model: 'Binary', published: false, owner: 'editor' }] };
    const alone = await expanded(JSON.stringify(json), 'my.json');
    expect(only(alone, 'node')[0]?.uuid).toBe(only(first, 'node')[2]?.uuid);
    expect(firstValue(only(alone, 'node')[0] as Entity, 'created')).toBe(site.seedTime); // there is one
  });

  it.each([
    ['objects: [', 1, /is not valid YAML/],
    ['objects:\n  - { model: Image }\n', 2, /objects\.0: must have required property "title"/],
    ['objects:\n  - title: A\n    model: Image\n    colour: red\n', 4, /objects\.0\.colour: is not a known key/],
    ['objects:\n  - title: A\n    model: Image\n    published: perhaps\n', 4, /published: must be boolean/],
    ['objects:\n  - title: A\n    model: Painting\n', 3, /no term "Painting"\. Choose from: Audio, Binary, Collection/],
    ['objects:\n  - title: A\n    model: Image\n    member_of: B\n', 4, /no object is called "B"/],
    [
      'objects:\n  - { title: A, model: Image, member_of: B }\n  - { title: B, model: Image, member_of: A }\n',
      3,
      /back/,
    ],
    ['objects:\n  - { title: A, model: Image }\n  - { title: A, model: Image }\n', 3, /"A" is taken/],
    ['objects:\n  - title: A\n    model: Image\n    owner: nobody\n', 4, /no account "nobody"/],
    ['objects:\n  - title: A\n    model: Image\n    fields: { field_nope: [{ value: 1 }] }\n', 4, /field_nope/],
    ['objects:\n  - title: A\n    model: Image\n    files:\n      - { path: none.png }\n', 5, /there is no such file/],
    ['objects:\n  - title: A\n    model: Image\n    files:\n      - { path: . }\n', 5, /no media type allows/],
    [
      'objects:\n  - title: A\n    model: Image\n    files: [{ path: letter.png, uri: "public://../../x.png" }]\n',
      4,
      /traversal/,
    ],
    [
      'objects:\n  - title: A\n    model: Image\n    files: [{ path: letter.png }, { path: letter.txt }]\n',
      4,
      /another file of this object has the same use/,
    ],
  ])('%j is refused in line %i', async (text, line, message) => {
    const error: unknown = await expanded(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as ConfigurationError).flaw).toMatchObject({ line }); // see the line above
    expect((error as ConfigurationError).message).toMatch(message);
  });

  const collections = `collections:
  books:
    - { id: b-2, title: Two }
    - { id: 40, title: Forty }
    - { title: No id }
    - only a text
  moods: { calm: { level: 1 }, "": null, a/b: [1, { deep: true }] }
  none: []
`;
  const stored = (content: FixtureContent) =>
    only(content, 'collection_record').map(({ id, bundle, fields }) => [
      ...[id, bundle],
      ...[fields['id']?.[0]?.['value'], fields['value']?.[0]?.['value']],
    ]);

  it('has the records of collections in their order, which have begun', async () => {
    const content = await expanded(collections);
    expect(stored(content)).toEqual([
      [1, 'books', 'b-2', { id: 'b-2', title: 'Two' }],
      [2, 'books', '40', { id: 40, title: 'Forty' }],
      [3, 'books', '3', { title: 'No id' }],
      [4, 'books', '4', 'only a text'],
      [5, 'moods', 'calm', { level: 1 }],
      [6, 'moods', '', null],
      [7, 'moods', 'a/b', [1, { deep: true }]],
    ]);
    expect(content.counters).toMatchObject({
      ...{ collection_record: 7, 'collection_record:books': 40 },
      ...{ 'collection_begun:books': 1, 'collection_begun:moods': 1, 'collection_begun:none': 1 },
    });
    const both = await expanded(`${letters}${collections}`);
    expect([only(both, 'node').length, stored(both)]).toEqual([3, stored(content)]);
  });

  it.each([
    [
      'collections:\n  books: { a: .nan }\n',
      2,
      'collections.books.a: A record of a collection is JSON, and this one is NaN.',
    ],
    ['collections:\n  books: 7\n', 2, 'collections.books: must be object,array.'],
    ['date: 2024-03-01T00:00:00Z\n', 1, '(the whole file): must have required property'],
  ])('%j is refused with the line', async (text, line, message) => {
    const refused = expanded(text);
    await expect(refused).rejects.toThrow(ConfigurationError);
    await expect(refused).rejects.toThrow(`my.yaml:${line}: ${message}`);
  });

  it('is what `atoll fixture expand` writes out, and `atoll check` finds whole', () =>
    withDirectory(async (folder) => {
      const file = await written(folder, letters);
      const long = join(folder, 'long');
      const ended = await runHere(['fixture', 'expand', file, '--to', long]);
      expect([ended.code, ended.out, ended.error]).toEqual([0, `Wrote 8 records to ${long}.\n`, '']);
      expect(await runHere(['check', '--data', long])).toMatchObject({ code: 0, error: '' });
      const node: unknown = JSON.parse(await readFile(join(long, 'node/2.json'), 'utf8'));
      const content = await readShort(file, judgedBy(site), root);
      expect(node).toMatchObject({ uuid: only(content, 'node')[1]?.uuid, bundle: 'islandora_object' });
    }));

  it('fills a world, which serves the bytes of its files', () =>
    withDirectory(async (folder) => {
      const { entities, counters, blobs } = await readShort(await written(folder, letters), judgedBy(site), root);
      const open = { records: { entities, counters }, bytes: blobs };
      const atoll = await createTestAtoll({ fixture: 'empty', open });
      const node = await atoll.send('GET', '/node/2?_format=json', 'admin').expect(200);
      expect(node.body).toMatchObject({ title: [{ value: 'A letter' }] });
      const bytes = await atoll.send('GET', '/_flysystem/fedora/2024-03/letter.png', 'admin').expect(200);
      expect(bytes.body).toEqual(Buffer.from(png(3, 2)));
    }));
});

describe('A fixture that is named at the start', () => {
  /** An export of a short fixture, in which one record is changed. */
  const broken = async (folder: string, name: string, from: RegExp, to: string): Promise<string> => {
    const long = join(folder, 'long');
    const { entities, counters, blobs } = await readShort(await written(folder, letters), judgedBy(site), root);
    await writeExport(long, { entities: [...entities], counters, blobsOf: () => blobs }, () => undefined);
    const file = join(long, name);
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(from);
    await writeFile(file, text.replace(from, to));
    return long;
  };

  it.each([
    ['an unknown bundle', 'node/1.json', /islandora_object/, 'islandora_thing', /no node bundle "islandora_thing"/],
    ['no uuid', 'node/1.json', /"uuid".*\n/, '', /node:1: uuid:/],
    ['an unknown field', 'node/1.json', /field_model/, 'field_nope', /field_nope: the bundle .* no such field/],
    ['a place outside', 'file/1.json', /fedora:\/\//, 'fedora://../../', /file:1: uri: .* is not a place for a file/],
    ['an unknown scheme', 'file/1.json', /fedora:/, 'private:', /file:1: uri: the site has no storage "private"/],
    ['missing bytes', 'file/1.json', /"key": "/, '"key": "x', /file:1: its bytes .* are missing/],
    ['other bytes', 'file/1.json', /"sha256": "./, '"sha256": "', /file:1: blob.sha256/],
  ])('is refused for %s, in one line', (_fault, name, from, to, says) =>
    withDirectory(async (folder) => {
      const long = await broken(folder, name, from, to);
      const error: unknown = await readDirectory(long, judgedBy(site)).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ConfigurationError);
      expect((error as ConfigurationError).message.split('\n')).toEqual([expect.stringMatching(says)]); // see above
    }),
  );

  it.each([
    ['a field', 'node/1.json', '"field_model"', '"field_nope"', 'node:1: field_nope: the bundle'],
    ['a member', 'node/1.json', '"uuid": "', '"uuid": "x', 'node:1: uuid: '],
    ['bytes', 'file/1.json', '"key": "', '"key": "x', 'file:1: its bytes '],
  ])('is refused with the file and the line of %s, also by an import', (what, name, from, to, says) =>
    withDirectory(async (folder) => {
      const long = await broken(folder, name, new RegExp(from), to);
      const text = (await readFile(join(long, name), 'utf8')).split('\n');
      const line = text.findIndex((each) => each.includes(what === 'bytes' ? '"blob": {' : to)) + 1;
      await expect(readDirectory(long, judgedBy(site))).rejects.toThrow(`fit the site: ${name} line ${line}, ${says}`);
      const { error } = await runHere(['import', '--from', long, '--data', join(folder, 'data')]);
      expect(error).toContain(`1 fault, the first: ${name} line ${line}, ${says}`);
    }),
  );

  it('is refused with a FIFO among its records or bytes, and does not keep its reader waiting', () =>
    withDirectory(async (folder) => {
      const long = await broken(folder, 'node/1.json', /islandora/, 'islandora');
      const blob = join(long, 'blobs', (await readdir(join(long, 'blobs')))[0] ?? '');
      await rm(blob);
      execFileSync('mkfifo', [blob]);
      await expect(readDirectory(long, judgedBy(site))).rejects.toThrow(/its bytes .* are missing/);
      await rm(join(long, 'node/1.json'));
      execFileSync('mkfifo', [join(long, 'node/1.json')]);
      await expect(readDirectory(long, judgedBy(site))).rejects.toThrow(
        /node\/1\.json: cannot be read as JSON: it is a FIFO\. /,
      );
      const imported = await runHere(['import', '--from', long, '--data', join(folder, 'data')]);
      expect([imported.code, imported.error.trim().split('\n')]).toEqual([2, [expect.stringMatching(/it is a FIFO/)]]);
    }));

  it.each([
    ['fedora://../../', /file:1: uri: "fedora:\/\/\.\.\/\.\.\/2024-03\/letter\.png" is not a place for a file/],
    ['private://', /file:1: uri: the site has no storage "private", only public, fedora\. Add it to its site\.yml/],
  ])('is not imported with a file at %s, and one line says so', (uri, says) =>
    withDirectory(async (folder) => {
      const long = await broken(folder, 'file/1.json', /fedora:\/\//, uri);
      const { code, error } = await runHere(['import', '--from', long, '--data', join(folder, 'data')]);
      expect([code, error.trim().split('\n')]).toEqual([4, [expect.stringMatching(says)]]);
      expect(await readdir(folder)).not.toContain('data');
    }),
  );

  it('starts a server as a short fixture, and ends with 2, file and line when it is wrong', () =>
    withDirectory(async (folder) => {
      const serve = ['serve', '--memory', '--port', '0', '--fixture'];
      const file = await written(folder, letters);
      const server = await startServer({ fixture: file });
      expect((await send(server, 'GET', '/node/2?_format=json')).status).toBe(200);
      await server.stop();
      const wrong = await written(folder, letters.replace('model: image', 'model: picture'));
      const { code, error } = await runHere([...serve, wrong]);
      expect([code, error]).toEqual([
        2,
        expect.stringMatching(/my\.yaml:4: objects\.0\.model: there is no term "picture"/),
      ]);
      await broken(folder, 'node/1.json', /islandora_object/, 'islandora_thing');
      const long = await runHere([...serve, join(folder, 'long')]);
      expect([long.code, long.error.trim().split('\n')]).toEqual([2, [expect.stringMatching(/islandora_thing/)]]);
    }));
});
