/** What bounds an upload: the site's limits, and how much of an image is looked at. Numbers: test/contract/cases/README.md. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { pngBytes } from '../../support/png.ts';
import { send, type ServerOptions, startServer, type TestServer } from '../../support/server.ts';
import { openSocket } from '../../support/sockets.ts';
import { contentOf, mediaOf, newNode, storedNames, theMedia, upload, uploadHead } from '../../support/uploads.ts';
import { hangMs } from '../../support/hang.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ onDisk: true });
});
afterAll(() => server.stop());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('An image', () => {
  const dimensionsOf = async (bytes: Uint8Array, name: string): Promise<unknown[]> => {
    const node = await newNode(server);
    const headers = { 'Content-Type': 'image/png', 'Content-Location': `public://u40/${node}-${name}` };
    const began = process.cpuUsage();
    expect((await upload(server, node, bytes, { type: 'image', headers })).status).toBe(201);
    expect(process.cpuUsage(began).user).toBeLessThan(hangMs * 1000);
    const { record } = await theMedia(server, node);
    const item = record['field_media_image']?.[0] as { width: unknown; height: unknown }; // contract: Media
    return [item.width, item.height, record['field_width'], record['field_height']];
  };
  const found = (width: number, height: number) => [width, height, [{ value: width }], [{ value: height }]];
  const empty = [null, null, [], []];

  /** A JPEG whose frame header comes after `padding` bytes of application data. */
  const jpeg = (width: number, height: number, padding: number): Buffer => {
    const segments: Buffer[] = [];
    for (let left = padding; left > 0; left -= 60_000) {
      const length = Math.min(left, 60_000);
      const head = Buffer.from([0xff, 0xe2, 0, 0]);
      head.writeUInt16BE(length + 2, 2);
      segments.push(head, Buffer.alloc(length));
    }
    const frame = Buffer.from([0xff, 0xc0, 0, 17, 8, 0, 0, 0, 0, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1]);
    frame.writeUInt16BE(height, 5);
    frame.writeUInt16BE(width, 7);
    return Buffer.concat([Buffer.from([0xff, 0xd8]), ...segments, frame, Buffer.from([0xff, 0xd9])]);
  };

  it('U40 is measured by its header and never decoded', async () => {
    const huge = pngBytes(40, 30);
    huge.writeUInt32BE(65_535, 16);
    huge.writeUInt32BE(65_535, 20);
    expect(await dimensionsOf(huge, 'huge.png')).toEqual(found(65_535, 65_535));
    expect(await dimensionsOf(jpeg(300, 200, 100_000), 'exif.jpg')).toEqual(found(300, 200));
  });

  it('U40 whose size cannot be read within 256 KiB has none', async () => {
    expect(await dimensionsOf(jpeg(300, 200, 400_000), 'long.jpg')).toEqual(empty);
    expect(await dimensionsOf(jpeg(300, 200, 100).subarray(0, 60), 'cut.jpg')).toEqual(empty);
    expect(await dimensionsOf(Buffer.from('plain text'), 'text.png')).toEqual(empty);
    expect(await dimensionsOf(Buffer.concat([pngBytes().subarray(0, 8), Buffer.alloc(16)]), 'zero.png')).toEqual(empty);
    expect(await dimensionsOf(randomBytes(5000), 'noise.gif')).toEqual(empty);
  });

  it.each([
    ['audio', 'mp3', 'audio.png'],
    ['video', 'mp4', 'video.png'],
    ['file', 'pdf', 'generic.png'],
  ])('has itself as thumbnail; %s has a generic icon of 180 × 180', async (type, extension, icon) => {
    const node = await newNode(server);
    await upload(server, node, 'bytes', {
      type,
      headers: { 'Content-Location': `public://icons/${node}.${extension}` },
    });
    const { record } = await theMedia(server, node);
    expect(record['thumbnail']?.[0]).toMatchObject({ alt: '', width: 180, height: 180 });
    const fid = record['thumbnail']?.[0]?.target_id ?? 0;
    const file = (await send(server, 'GET', `/entity/file/${fid}?_format=json`)).json();
    expect(file['uri']?.[0]?.value).toBe(`public://media-icons/generic/${icon}`);
  });
});

describe('The limits', () => {
  const withLimits = async (
    changeSite: (yaml: string) => string,
    test: (one: TestServer) => Promise<void>,
    options: ServerOptions = {},
  ) => {
    const one = await startServer({ onDisk: true, changeSite, ...options });
    try {
      await test(one);
    } finally {
      await one.stop();
    }
  };
  const limits = (uploads: string) => (yaml: string) =>
    yaml.replace(/limits: .*/, `limits: { json_bytes: 1048576, upload_bytes: 1000, uploads: { ${uploads} } }`);

  it('U41 keep the free-space floor: 507, and nothing is kept', () =>
    withLimits(
      limits('free_bytes: 900000000000000'),
      async (one) => {
        const before = await storedNames(one);
        const node = await newNode(one);
        expect((await upload(one, node, 'x')).status).toBe(507);
        expect([await mediaOf(one, node), await storedNames(one)]).toEqual([[], before]);
      },
      { fixture: 'empty' },
    ));

  it('let uploads wait above the parallel limit', () =>
    withLimits(limits('at_once: 1, idle: 2'), async (one) => {
      const [slow, quick] = [await newNode(one), await newNode(one)];
      const { socket, all } = openSocket(one.port);
      socket.write(uploadHead(slow, ['Expect: 100-continue', 'Content-Length: 10', 'Connection: close']));
      await once(socket, 'data');
      socket.write('12345');
      let isDone = false;
      const waiting = upload(one, quick, 'quick').then(({ status }) => {
        isDone = true;
        return status;
      });
      await pause(300);
      expect(isDone).toBe(false);
      socket.write('67890');
      expect(await all).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201/);
      expect(await waiting).toBe(201);
    }));

  it('do not count the time in which the server itself was held up: 201', () =>
    withLimits(limits('idle: 1'), async (one) => {
      const node = await newNode(one);
      const { socket, all } = openSocket(one.port);
      socket.write(uploadHead(node, ['Expect: 100-continue', 'Content-Length: 5', 'Connection: close']));
      socket.once('data', () => {
        socket.write('hello');
        for (const end = performance.now() + 1500; performance.now() < end;);
      });
      expect(await all).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201/);
    }));

  it('may be lower for a media type: 413 with and without a length', () =>
    withLimits(
      (yaml) => yaml.replace('icon: generic.png }', 'icon: generic.png, max_bytes: 10 }'),
      async (one) => {
        const node = await newNode(one);
        const chunked = { headers: { 'Transfer-Encoding': 'chunked' } };
        expect((await upload(one, node, '12345678901')).status).toBe(413);
        expect((await upload(one, node, '12345678901', chunked)).status).toBe(413);
        expect((await upload(one, node, '1234567890')).status).toBe(201);
        expect((await upload(one, node, '12345678901')).status).toBe(413);
        expect(await contentOf(one, node)).toBe('1234567890');
      },
      { siteFile: 'bundles/media.file.yml' },
    ));

  it.each([
    ['idle: 0', 'limits.uploads.idle: must be at least 1'],
    ['at_once: many', 'limits.uploads.at_once: must be'],
    ['speed: 1', 'limits.uploads.speed: is not a known key'],
  ])('are checked at the start: %s', async (uploads, message) => {
    await expect(startServer({ changeSite: limits(uploads) })).rejects.toThrow(message);
  });
});
