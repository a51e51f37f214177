/** The standard upload, `POST /file/upload/{entity_type}/{bundle}/{field_name}`. */
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { pngBytes } from '../support/png.ts';
import { messageOf, recordOf } from '../support/requests.ts';

const atoll = await createTestAtoll();
beforeEach(() => atoll.reset());

const imageField = '/file/upload/media/image/field_media_image?_format=json';
const named = (name: string): string => `file; filename="${name}"`;
const upload = (
  disposition: string | undefined,
  path = imageField,
  as: string | undefined = 'editor',
  on: TestAtoll = atoll,
) => {
  const request = on.send('POST', path, as).set('Content-Type', 'application/octet-stream');
  return (disposition === undefined ? request : request.set('Content-Disposition', disposition)).send(pngBytes());
};

describe('POST /entity/file', () => {
  const create = (as?: string) =>
    atoll.send('POST', '/entity/file?_format=json', as).send({ filename: [{ value: 'x' }] });

  it.each(['admin', 'editor', 'plain'])('answers 403 to %s, as to everybody: files are made by uploads', async (as) => {
    expect(messageOf(await create(as).expect(403))).toBe('');
  });

  it('answers 401 without credentials, 415 without JSON, and other methods with 405', async () => {
    await create().expect(401);
    await atoll.send('POST', '/entity/file', 'admin').set('Content-Type', 'text/plain').send('x').expect(415);
    const { headers } = await atoll.send('GET', '/entity/file?_format=json', 'admin').expect(405);
    expect(headers['allow']).toBe('POST');
  });
});

describe('POST /file/upload/…', () => {
  it('answers 201 without Location: a temporary file of the requester, under the month, its MIME type from its name', async () => {
    const response = await upload(named('a.png')).expect(201);
    expect(response.headers).not.toHaveProperty('location');
    expect(recordOf(response)).toMatchObject({
      uid: [{ target_id: 2 }],
      filename: [{ value: 'a.png' }],
      uri: [{ value: 'public://2024-05/a.png', url: '/sites/default/files/2024-05/a.png' }],
      filemime: [{ value: 'image/png' }],
      filesize: [{ value: pngBytes().length }],
      status: [{ value: false }],
    });
    expect((await atoll.send('GET', '/sites/default/files/2024-05/a.png').expect(200)).body).toEqual(pngBytes());
  });

  it('numbers a name that is taken, in the address and in the name', async () => {
    const names: unknown[] = [];
    for (let count = 0; count < 3; count += 1) {
      const file = recordOf(await upload(named('a.png')).expect(201));
      names.push([file['filename']?.[0]?.['value'], file['uri']?.[0]?.['value']]);
    }
    expect(names).toEqual([
      ['a.png', 'public://2024-05/a.png'],
      ['a_0.png', 'public://2024-05/a_0.png'],
      ['a_1.png', 'public://2024-05/a_1.png'],
    ]);
  });

  it('drops a path before the name, and what other parameters say', async () => {
    const sent: readonly (readonly [string, string])[] = [
      [named('../../etc/b.png'), 'b.png'],
      [named('C:\\pictures\\c.png'), 'c.png'],
      [`file; filename="d.png"; filename*=utf-8''other.png`, 'd.png'],
      [Buffer.from(named('é.png')).toString('latin1'), 'é.png'],
    ];
    for (const [disposition, name] of sent) {
      expect(recordOf(await upload(disposition).expect(201))['filename']).toEqual([{ value: name }]);
    }
  });

  it('does not look at the bytes: three bytes of text are an image to it', async () => {
    const request = atoll.send('POST', imageField, 'editor').set('Content-Type', 'application/octet-stream');
    const response = await request.set('Content-Disposition', named('a.png')).send('abc').expect(201);
    expect(recordOf(response)).toMatchObject({ filemime: [{ value: 'image/png' }], filesize: [{ value: 3 }] });
  });

  it.each([
    [
      undefined,
      /^"Content-Disposition" header is required\. A file name in the format "filename=FILENAME" must be provided\.$/,
    ],
    [
      'file; filename=""',
      /^No filename found in "Content-Disposition" header\. A file name in the format "filename=FILENAME" must be provided\.$/,
    ],
    ['', /^No filename found/],
    ['file; filename=a.png', /^No filename found/],
    ['file; not_a_filename="a.png"', /^No filename found/],
    ['file; filename=".."', /^No filename found/],
    ['file; filename="a/"', /^No filename found/],
    [
      Buffer.from([...Buffer.from('file; filename="'), 0xff, ...Buffer.from('.png"')]).toString('latin1'),
      /^No filename found/,
    ],
    [
      'file; filename*="a.png"',
      /^The extended "filename\*" format is currently not supported in the "Content-Disposition" header\.$/,
    ],
  ])('answers the Content-Disposition %j with 400', async (disposition, text) => {
    expect(messageOf(await upload(disposition).expect(400))).toMatch(text);
  });

  it('answers an empty body with 201 and keeps a file without bytes', async () => {
    const request = atoll.send('POST', imageField, 'editor').set('Content-Type', 'application/octet-stream');
    const response = await request.set('Content-Disposition', named('a.png')).expect(201);
    expect(recordOf(response)).toMatchObject({ filename: [{ value: 'a.png' }], filesize: [{ value: 0 }] });
    const content = await atoll.send('GET', '/sites/default/files/2024-05/a.png').expect(200);
    expect([content.headers['content-length'], content.body]).toEqual(['0', Buffer.alloc(0)]);
  });

  it.each([
    ['b.cgi.png', 'b.cgi_.png'],
    ['b.photo.PNG', 'b.photo_.PNG'],
    ['b.photo.js.old.png', 'b.photo_.js_.old_.png'],
    ['b.jpg.v2.final10.png', 'b.jpg.v2.final10.png'],
    ['b..png', 'b..png'],
    ['.png', '.png'],
    ['b.png"; filename="c.png', 'b.png"; filename="c.png'],
  ])('stores %s as %s, so that no web server takes it for a program', async (sent, stored) => {
    expect(recordOf(await upload(named(sent)).expect(201))['filename']).toEqual([{ value: stored }]);
  });

  it('answers 415 for any other Content-Type', async () => {
    const request = atoll.send('POST', imageField, 'editor').set('Content-Disposition', named('a.png'));
    const response = await request.set('Content-Type', 'image/png').send(pngBytes()).expect(415);
    expect(messageOf(response)).toBe('No route found that matches "Content-Type: image/png"');
  });

  it.each(['/file/upload/media/image/nope', '/file/upload/media/nope/nope', '/file/upload/nope/image/nope'])(
    'answers 404 for %s',
    async (path) => {
      expect(messageOf(await upload(named('a.png'), path).expect(404))).toBe('Field "nope" does not exist');
    },
  );

  it('answers 403 for a field that holds no files, and without the permission to create what it belongs to', async () => {
    expect(messageOf(await upload(named('a.png'), '/file/upload/media/image/name').expect(403))).toBe(
      '"name" is not a file field',
    );
    expect(messageOf(await upload(named('a.png'), imageField, 'plain').expect(403))).toBe(
      "The following permissions are required: 'administer media' OR 'create media' OR 'create image media'.",
    );
  });

  it('answers 422 for an extension that the field does not take, and for a name that is too long', async () => {
    expect(messageOf(await upload(named('a.exe')).expect(422))).toBe(
      'Unprocessable Entity: file validation failed.\nOnly files with the following extensions are allowed: png gif jpg jpeg.',
    );
    expect(messageOf(await upload(named(`${'a'.repeat(240)}.png`)).expect(422))).toBe(
      "Unprocessable Entity: file validation failed.\nThe file's name exceeds the 240 characters limit. Rename the file and try again.",
    );
    await upload(named(`${'a'.repeat(236)}.png`)).expect(201);
    await upload(named('A.PNG')).expect(201);
  });

  it('answers 408 when the body stops arriving', async () => {
    const impatient = await createTestAtoll({
      site: (site) => ({ ...site, uploads: { ...site.uploads, idleSeconds: 0.1 } }),
    });
    const server = createServer((request, response) => void impatient.app(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // it listens on TCP
    const started = httpRequest({
      ...{ host: '127.0.0.1', port, path: imageField, method: 'POST', auth: 'editor:editor' },
      headers: {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': named('a.png'),
        'Content-Length': '100',
      },
    });
    started.on('error', () => undefined).write('abc');
    const [response] = (await once(started, 'response')) as [IncomingMessage]; // what the event carries
    expect(response.statusCode).toBe(408);
    started.destroy();
    server.closeAllConnections();
    server.close();
  });
});

describe('A temporary file in a guarded storage', () => {
  it('is shown and served to who uploaded it, and to nobody else until a media uses it', async () => {
    const guarded = await createTestAtoll({ site: (site) => ({ ...site, defaultScheme: 'fedora' }) });
    const file = recordOf(await upload(named('a.png'), imageField, 'editor', guarded).expect(201));
    const paths = [
      `/entity/file/${String(file['fid']?.[0]?.['value'])}?_format=json`,
      '/_flysystem/fedora/2024-05/a.png',
    ];
    for (const path of paths) {
      await guarded.send('GET', path, 'editor').expect(200);
      await guarded.send('GET', path, 'viewer').expect(403);
      await guarded.send('GET', path).expect(401);
    }
    const body = {
      bundle: [{ target_id: 'image' }],
      name: [{ value: 'n' }],
      field_media_image: [{ target_id: file['fid']?.[0]?.['value'] }],
    };
    await guarded.send('POST', '/entity/media', 'editor').send(body).expect(201);
    for (const path of paths) await guarded.send('GET', path, 'viewer').expect(200);
  });
});
