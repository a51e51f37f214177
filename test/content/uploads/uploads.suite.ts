/** What an upload promises whatever stores its bytes; run on disk, in memory and in S3. Numbers: test/contract/cases/README.md. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { pngBytes } from '../../support/png.ts';
import { send, type TestServer } from '../../support/server.ts';
import { openSocket } from '../../support/sockets.ts';
import { until } from '../../support/until.ts';
import { contentOf, mediaOf, newNode, storedNames, theMedia, upload, uploadHead } from '../../support/uploads.ts';

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function* piecesOf(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

/** `isClean` tells whether the storage holds no half of an upload. */
export const describeUploads = (
  name: string,
  open: () => Promise<TestServer>,
  isClean: (server: TestServer) => Promise<boolean> = () => Promise.resolve(true),
): void => {
  describe(`An upload into ${name}`, () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await open();
    });
    afterAll(() => server.stop());

    it('U01 stores a PNG as it is and describes it, 201', async () => {
      const node = await newNode(server);
      const bytes = pngBytes(640, 480);
      const headers = { 'Content-Type': 'image/png', 'Content-Location': `public://tests/${node}.png` };
      const made = await upload(server, node, bytes, { type: 'image', headers });
      expect([made.status, made.body.length, made.headers['content-type']]).toEqual([201, 0, undefined]);
      const media = await theMedia(server, node);
      expect(made.headers.location).toBe(server.url + media.path);
      expect([media.file['filesize'], media.file['filemime']]).toEqual([
        [{ value: bytes.length }],
        [{ value: 'image/png' }],
      ]);
      expect([media.record['field_width'], media.record['field_height']]).toEqual([[{ value: 640 }], [{ value: 480 }]]);
      const content = await send(server, 'GET', media.contentPath);
      expect([content.body.equals(bytes), content.headers.etag]).toEqual([true, `"${sha256(bytes)}"`]);
    });

    it('U02 replaces bytes and type and keeps mid, fid, uuid and uri, 204', async () => {
      const node = await newNode(server);
      await upload(server, node, 'before');
      const before = await theMedia(server, node);
      const replaced = await upload(server, node, 'and after', { headers: { 'Content-Type': 'text/csv' } });
      const after = await theMedia(server, node);
      expect([replaced.status, replaced.headers.location, await contentOf(server, node)]).toEqual([
        ...[204, undefined, 'and after'],
      ]);
      for (const name of ['fid', 'uuid', 'uri', 'filename']) expect(after.file[name]).toEqual(before.file[name]);
      expect([after.path, after.file['filesize'], after.file['filemime']]).toEqual([
        ...[before.path, [{ value: 9 }], [{ value: 'text/csv' }]],
      ]);
      const { headers } = await send(server, 'GET', `${after.path}?_format=json`);
      expect(headers['link']).toMatch(/rel="describes"; type="text\/csv"/);
    });

    it('U03 that is aborted at 0, 50 and 99 % leaves no record and no bytes, and the old content', async () => {
      const [fresh, filled] = [await newNode(server), await newNode(server)];
      await upload(server, filled, 'old content');
      const before = await storedNames(server);
      for (const node of [fresh, filled]) {
        for (const share of [0, 0.5, 0.99]) {
          const { socket, all } = openSocket(server.port);
          socket.write(uploadHead(node, ['Content-Length: 200000']));
          socket.write(randomBytes(200_000 * share));
          await new Promise((resolve) => setTimeout(resolve, 30));
          socket.destroy();
          await all;
        }
      }
      await until(async () => (await storedNames(server)).join() === before.join(), 'nothing is left');
      await until(() => isClean(server), 'no half upload is left');
      expect([await mediaOf(server, fresh), await contentOf(server, filled)]).toEqual([[], 'old content']);
      expect(server.errors).toEqual([]);
    });

    it('U06 of nothing is 400, and the old content stays', async () => {
      const node = await newNode(server);
      expect((await upload(server, node, '')).message()).toMatch(/^No bytes were copied to public:/);
      expect(await mediaOf(server, node)).toEqual([]);
      await upload(server, node, 'old');
      const before = await storedNames(server);
      const chunked = await upload(server, node, '', { headers: { 'Transfer-Encoding': 'chunked' } });
      expect([chunked.status, (await upload(server, node, '')).status]).toEqual([400, 400]);
      expect([await contentOf(server, node), await storedNames(server)]).toEqual(['old', before]);
    });

    it('U09 of 20 MB without a length is stored whole', async () => {
      const node = await newNode(server);
      const bytes = randomBytes(20_000_001);
      const made = await upload(server, node, piecesOf(bytes, 300_000), {
        headers: { 'Transfer-Encoding': 'chunked' },
      });
      expect(made.status).toBe(201);
      const media = await theMedia(server, node);
      expect(media.file['filesize']).toEqual([{ value: bytes.length }]);
      expect(sha256((await send(server, 'GET', media.contentPath)).body)).toBe(sha256(bytes));
    });

    it('U03 of more than one part that is aborted leaves nothing', async () => {
      const node = await newNode(server);
      const before = await storedNames(server);
      const { socket, all } = openSocket(server.port);
      socket.write(uploadHead(node, ['Content-Length: 30000000']));
      for (let sent = 0; sent < 20; sent += 1) {
        if (!socket.write(randomBytes(1_000_000))) await new Promise((resolve) => socket.once('drain', resolve));
      }
      socket.destroy();
      await all;
      await until(() => isClean(server), 'no half upload is left', 10_000);
      await until(async () => (await storedNames(server)).join() === before.join(), 'nothing is left');
      expect(await mediaOf(server, node)).toEqual([]);
    });

    it('U14 without a length is cut at the limit with 413, and nothing is left', async () => {
      const node = await newNode(server);
      const before = await storedNames(server);
      const { socket, all } = openSocket(server.port);
      socket.write(uploadHead(node, ['Transfer-Encoding: chunked']));
      const piece = randomBytes(1_000_000);
      const head = `${piece.length.toString(16)}\r\n`;
      for (let sent = 0; sent < 35 && !socket.destroyed; sent += 1) {
        socket.write(head);
        socket.write(piece);
        const isTaken = socket.write('\r\n');
        if (!isTaken) await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
      }
      expect(await all).toMatch(/^HTTP\/1.1 413 [\s\S]*Connection: close/);
      await until(async () => (await storedNames(server)).join() === before.join(), 'nothing is left');
      await until(() => isClean(server), 'no half upload is left');
      expect(await mediaOf(server, node)).toEqual([]);
    });

    it('U18 of 20 that race for one node and term makes one media with one of the bodies', async () => {
      const node = await newNode(server);
      const bodies = Array.from({ length: 20 }, (_, at) => `body ${at} `.repeat(2000));
      const answers = await Promise.all(bodies.map((body) => upload(server, node, body)));
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses).toEqual([201, ...Array.from({ length: 19 }, () => 204)]);
      expect(bodies).toContain(await contentOf(server, node));
    });

    it('U20 to a location that is taken gets a name of its own', async () => {
      const [one, other] = [await newNode(server), await newNode(server)];
      const headers = { 'Content-Location': `public://tests/taken-${one}.txt` };
      const answers = [
        await upload(server, one, 'one', { headers }),
        await upload(server, other, 'other', { headers }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect([await contentOf(server, one), await contentOf(server, other)]).toEqual(['one', 'other']);
      expect((await theMedia(server, other)).file['uri']?.[0]?.value).toBe(`public://tests/taken-${one}_0.txt`);
    });

    it.each(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain'])(
      'U33 of %s is stored byte for byte, also above 100 KB',
      async (contentType) => {
        const node = await newNode(server);
        for (const body of ['{"a": 1}\r\n', `{"long": "${'x'.repeat(200_000)}"}`]) {
          await upload(server, node, body, { headers: { 'Content-Type': contentType } });
          expect(await contentOf(server, node)).toBe(body);
        }
      },
    );

    it('U35 is read back in ranges', async () => {
      const node = await newNode(server);
      await upload(server, node, '0123456789');
      const { contentPath } = await theMedia(server, node);
      const ranged = async (range: string) => {
        const answer = await send(server, 'GET', contentPath, { headers: { Range: range } });
        return [answer.status, answer.body.toString(), answer.headers['content-range']];
      };
      expect(await ranged('bytes=0-0')).toEqual([206, '0', 'bytes 0-0/10']);
      expect(await ranged('bytes=-3')).toEqual([206, '789', 'bytes 7-9/10']);
      expect(await ranged('bytes=8-')).toEqual([206, '89', 'bytes 8-9/10']);
      expect((await ranged('bytes=10-'))[2]).toBe('bytes */10');
    });

    it('U36 that replaces while the content is read gives the whole old or the whole new content', async () => {
      const node = await newNode(server);
      const contents = ['a', 'b'].map((letter) => letter.repeat(3_000_000));
      await upload(server, node, contents[0] ?? '');
      const { contentPath } = await theMedia(server, node);
      const replaced = new AbortController();
      const reading = (async () => {
        const seen = new Set<string>();
        while (!replaced.signal.aborted) {
          const { status, body } = await send(server, 'GET', contentPath);
          seen.add(`${status} ${contents.includes(body.toString()) ? 'whole' : 'mixed'}`);
        }
        return [...seen];
      })();
      for (let at = 1; at < 6; at += 1) await upload(server, node, contents[at % 2] ?? '');
      replaced.abort();
      expect(await reading).toEqual(['200 whole']);
    });
  });
};
