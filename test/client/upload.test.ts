/** Uploads through the client, from everything that bytes can come in. Browsers have a test of their own. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  basic,
  bearer,
  bodyOf,
  createClient,
  linksNamed,
  plainOf,
  upload,
  uploadFile,
  type AtollClient,
  type Progress,
  type UploadBody,
} from '../../src/client/client.ts';
import { fileSource } from '../../src/client/file-source.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { createClock } from '../support/atoll.ts';

const clock = createClock();
let server: TestServer;
let admin: AtollClient;
let folder: string;
beforeAll(async () => {
  server = await startServer({ clock });
  admin = createClient({ baseUrl: server.url, authentication: basic('admin', 'islandora') });
  folder = await mkdtemp(join(tmpdir(), 'atoll-client-'));
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
  expect(server.errors).toEqual([]);
});

const newNode = async (): Promise<number> =>
  plainOf(
    (await admin.POST('/node', { body: bodyOf('node', { type: 'islandora_object', title: 'U', field_model: 24 }) }))
      .data,
  ).nid;

/** Three megabytes, no two of which are alike. */
const bytes = Uint8Array.from({ length: 3_000_000 }, (_, index) => (index * 31 + (index >> 8)) % 256);

/** A stream of pieces of 64 KiB. */
const streamOf = (all: Uint8Array): ReadableStream<Uint8Array> => {
  let at = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at >= all.length) controller.close();
      else controller.enqueue(all.slice(at, (at += 65_536)));
    },
  });
};

/** The bytes that a media has now, as its `describes` link leads to them. */
const contentOf = async (media: string | undefined): Promise<Uint8Array> => {
  const read = await admin.open({ target: media ?? '', rel: 'related' });
  const content = await admin.follow(read, 'describes');
  return new Uint8Array(await (content?.data as Blob).arrayBuffer());
};

const to = (node: number) => ({ node, mediaType: 'file', use: 16 });
const location = 'public://client/data.txt';

describe('an upload to a node', () => {
  it.each<[string, () => Promise<UploadBody>]>([
    ['a Blob', async () => new Blob([bytes])],
    ['a byte array', async () => bytes],
    ['a stream', async () => streamOf(bytes)],
    ['a stream of a known size', async () => ({ stream: () => streamOf(bytes), size: bytes.length })],
    [
      'a path',
      async () => {
        await writeFile(join(folder, 'data.txt'), bytes);
        return fileSource(join(folder, 'data.txt'), 'text/plain');
      },
    ],
  ])('of %s makes a media with 201 and replaces its file with 204, and says where', async (_what, body) => {
    const node = await newNode();
    const made = await upload(admin, { to: to(node), body: await body(), location });
    expect([made.response.status, made.created, made.media]).toEqual([
      201,
      true,
      expect.stringContaining(`${server.url}/media/`),
    ]);
    expect(Buffer.compare(await contentOf(made.media), bytes)).toBe(0);
    const replaced = await upload(admin, { to: to(node), body: new Uint8Array([1, 2, 3]) });
    expect([replaced.response.status, replaced.created, replaced.media]).toEqual([204, false, made.media]);
    expect([...(await contentOf(made.media))]).toEqual([1, 2, 3]);
  });

  it.each<[string, () => UploadBody, number | undefined]>([
    ['a Blob', () => new Blob([bytes]), bytes.length],
    ['a stream', () => streamOf(bytes), undefined],
  ])('tells of its progress: %s, 201', async (_what, body, total) => {
    const steps: Progress[] = [];
    await upload(admin, { to: to(await newNode()), body: body(), location, onProgress: (step) => steps.push(step) });
    expect(steps.length).toBeGreaterThan(10);
    expect(steps.map(({ sent }) => sent)).toEqual(steps.map(({ sent }) => sent).toSorted((a, b) => a - b));
    expect(steps.at(-1)).toEqual({ sent: bytes.length, total });
  });

  describe('of a blob of jsdom, which only its FileReader can read,', () => {
    /** jsdom has no `stream`, and before version 27 no `arrayBuffer`. */
    class ForeignFile {
      readonly size = bytes.length;
      readonly type = 'text/csv';
      readonly name = 'data.csv';
      readonly slice = (): this => this;
    }
    class ReadableFile extends ForeignFile {
      readonly arrayBuffer = async (): Promise<ArrayBuffer> => bytes.slice().buffer;
    }
    class FileReader {
      onload: () => void = () => undefined;
      result: ArrayBuffer | undefined;
      readAsArrayBuffer(file: ForeignFile): void {
        this.result = file.size === bytes.length ? bytes.slice().buffer : undefined;
        setImmediate(() => this.onload());
      }
    }
    const globals = globalThis as { FileReader?: unknown };
    beforeAll(() => {
      globals.FileReader = FileReader;
    });
    afterAll(() => {
      delete globals.FileReader;
    });

    it.each([
      ['as it is', ForeignFile],
      ['with an arrayBuffer', ReadableFile],
    ])('%s sends its bytes, its type and its progress: 201, 204', async (_what, Foreign) => {
      const node = await newNode();
      const body = (): UploadBody => new Foreign() as unknown as Blob; // as a page in jsdom has it
      const { media } = await upload(admin, { to: to(node), body: body(), location });
      expect(Buffer.compare(await contentOf(media), bytes)).toBe(0);
      const read = await admin.open({ target: media ?? '', rel: 'related' });
      expect(linksNamed(read.links, 'describes')[0]?.type).toBe('text/csv');
      const steps: Progress[] = [];
      const again = { to: to(node), body: body(), onProgress: (step: Progress) => steps.push(step) };
      expect((await upload(admin, again)).response.status).toBe(204);
      expect(steps.at(-1)).toEqual({ sent: bytes.length, total: bytes.length });
      expect(Buffer.compare(await contentOf(media), bytes)).toBe(0);
    });

    it('names the file that it uploads without a media: 201', async () => {
      const body = new ForeignFile() as unknown as Blob; // as above
      const target = { entityType: 'media', bundle: 'file', field: 'field_media_file' };
      const made = await uploadFile(admin, { to: target, body, name: 'data.txt' });
      expect(plainOf(made.data).filesize).toBe(bytes.length);
    });
  });

  it('gives the type of the bytes, or that of the body: 201', async () => {
    const typeOf = async (body: UploadBody, type?: string): Promise<string | null> => {
      const { media } = await upload(admin, {
        to: to(await newNode()),
        body,
        location,
        ...(type === undefined ? {} : { type }),
      });
      const read = await admin.open({ target: media ?? '', rel: 'related' });
      return linksNamed(read.links, 'describes')[0]?.type ?? null;
    };
    expect(await typeOf(new Blob(['x'], { type: 'text/csv' }))).toBe('text/csv');
    expect(await typeOf(new Blob(['x'], { type: 'text/csv' }), 'text/plain')).toBe('text/plain');
    expect(await typeOf(new Uint8Array([1]))).toBe('application/octet-stream');
  });

  it('keeps a name in any script: 201', async () => {
    const node = await newNode();
    const { media } = await upload(admin, {
      to: to(node),
      body: new Blob(['x']),
      location: 'public://briefe/Grüße 林.txt',
    });
    const read = await admin.open({ target: media ?? '', rel: 'related' });
    expect(linksNamed(read.links, 'describes')[0]?.target).toBe(
      `${server.url}/sites/default/files/briefe/Gr%C3%BC%C3%9Fe%20%E6%9E%97.txt`,
    );
  });

  it('that replaced says not where, when the server does not list the media of a node: 204', async () => {
    const node = await newNode();
    await upload(admin, { to: to(node), body: new Blob(['x']), location });
    const client = createClient({
      baseUrl: server.url,
      authentication: basic('admin', 'islandora'),
      fetch: (request) =>
        request.method === 'GET' ? Promise.resolve(new Response('', { status: 404 })) : fetch(request),
    });
    const { response, created, media } = await upload(client, { to: to(node), body: new Blob(['y']) });
    expect([response.status, created, media]).toEqual([204, false, undefined]);
  });

  it('that is refused throws: 400 without a location, 401, 404, also with a large body that was not read', async () => {
    const node = await newNode();
    const large = new Blob(Array.from({ length: 20 }, () => bytes));
    await expect(upload(admin, { to: to(node), body: new Blob(['x']) })).rejects.toMatchObject({
      status: 400,
      message: 'Missing Content-Location header',
    });
    const visitor = createClient({ baseUrl: server.url });
    await expect(upload(visitor, { to: to(node), body: new Blob(['x']), location })).rejects.toMatchObject({
      status: 401,
    });
    await expect(upload(admin, { to: to(9999), body: large, location })).rejects.toMatchObject({ status: 404 });
    await expect(upload(admin, { to: to(9999), body: streamOf(bytes), location })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('is sent again with another token after a 403, when it can be read again: 201', async () => {
    const started = clock.now();
    const client = createClient({
      baseUrl: server.url,
      authentication: bearer(basic('admin', 'islandora'), () => started),
    });
    const node = await newNode();
    await upload(client, { to: to(node), body: new Uint8Array([1]), location });
    clock.advance(8000);
    expect((await upload(client, { to: to(node), body: new Uint8Array([2]) })).response.status).toBe(204);
    clock.advance(8000);
    await expect(upload(client, { to: to(node), body: streamOf(new Uint8Array([3])) })).rejects.toMatchObject({
      status: 403,
    });
  });

  it('is given up when its signal says so', async () => {
    const giveUp = new AbortController();
    const sending = upload(admin, {
      ...{ to: to(await newNode()), body: streamOf(bytes), location, signal: giveUp.signal },
      onProgress: ({ sent }) => {
        if (sent > 1_000_000) giveUp.abort(new Error('enough'));
      },
    });
    await expect(sending).rejects.toThrow('enough');
  });
});

describe('an upload to a media', () => {
  it('replaces its file with 204, by its id and by its edit-media link', async () => {
    const { media } = await upload(admin, { to: to(await newNode()), body: bytes, location });
    const id = Number(media?.split('/').at(-1));
    const replaced = await upload(admin, { to: { media: id }, body: new Uint8Array([7]) });
    expect([replaced.created, replaced.media, ...(await contentOf(media))]).toEqual([false, media, 7]);
    const [edit] = linksNamed((await admin.open({ target: media ?? '', rel: 'related' })).links, 'edit-media');
    const again = await upload(admin, { to: { target: edit?.target ?? '' }, body: new Uint8Array([8]) });
    expect([again.media, ...(await contentOf(media))]).toEqual([media, 8]);
  });
});

describe('the standard upload', () => {
  const field = { entityType: 'media', bundle: 'file', field: 'field_media_file' };

  it('makes a file with 201, which a media can use', async () => {
    const { data } = await uploadFile(admin, { to: field, body: new Blob(['x']), name: 'Grüße "林".txt' });
    const file = plainOf(data);
    expect([file.filename, file.filesize]).toEqual(['Grüße _林_.txt', 1]);
    const body = bodyOf('media', {
      bundle: 'file',
      name: 'With a file',
      field_media_file: { id: file.fid, display: true },
    });
    expect((await admin.POST('/entity/media', { body })).response.status).toBe(201);
  });

  it('takes the name of the body: 201', async () => {
    await writeFile(join(folder, 'named.txt'), 'x');
    const { data } = await uploadFile(admin, { to: field, body: await fileSource(join(folder, 'named.txt')) });
    expect(plainOf(data).filename).toBe('named.txt');
  });

  it('that is refused throws: 422 for its extension, 404 for its field', async () => {
    const body = new Blob(['x']);
    await expect(uploadFile(admin, { to: field, body, name: 'x.exe' })).rejects.toMatchObject({ status: 422 });
    const nowhere = { ...field, field: 'field_no' };
    await expect(uploadFile(admin, { to: nowhere, body, name: 'x.txt' })).rejects.toMatchObject({ status: 404 });
  });
});

it('A path that is not there is no body', async () => {
  await expect(fileSource(join(folder, 'nothing.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
});
