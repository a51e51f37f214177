/** The upload cases that need one kind of storage only. Numbers: test/contract/cases/README.md. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { pngBytes } from '../../support/png.ts';
import { send, startServer, type TestServer } from '../../support/server.ts';
import { exchangeText, openSocket } from '../../support/sockets.ts';
import { until } from '../../support/until.ts';
import {
  bytesRead,
  contentOf,
  mediaOf,
  newNode,
  storedNames,
  theMedia,
  upload,
  uploadHead,
  uploadPath,
} from '../../support/uploads.ts';
import { hangMs } from '../../support/hang.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    onDisk: true,
    changeSite: (yaml) =>
      yaml.replace(
        /limits: .*/,
        'limits: { json_bytes: 1048576, upload_bytes: 2000000000, uploads: { idle: 1, min_bytes_per_second: 1000 } }',
      ),
  });
});
afterAll(() => server.stop());

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('Content while it is replaced', () => {
  it('U04 stays the old content, whole, until the new one is complete', async () => {
    const node = await newNode(server);
    await upload(server, node, 'old content');
    const { contentPath } = await theMedia(server, node);
    const { socket, all } = openSocket(server.port);
    socket.write(uploadHead(node, ['Content-Length: 8000', 'Connection: close']));
    for (let piece = 0; piece < 8; piece += 1) {
      expect((await send(server, 'GET', contentPath)).body.toString()).toBe('old content');
      socket.write('n'.repeat(1000));
      await pause(30);
    }
    expect(await all).toMatch(/^HTTP\/1.1 204/);
    expect((await send(server, 'GET', contentPath)).body.toString()).toBe('n'.repeat(8000));
  });

  it('U05 stays when the replacement fails at its end', async () => {
    const node = await newNode(server);
    await upload(server, node, 'old content');
    const before = await storedNames(server);
    const answer = await exchangeText(
      server.port,
      `${uploadHead(node, ['Transfer-Encoding: chunked'])}5\r\nhello\r\nNONSENSE\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1.1 400/);
    const { store } = server.world;
    const { path } = await theMedia(server, node);
    // Gone after the bytes have begun to arrive: the decision falls when they have.
    const { socket, all } = openSocket(server.port);
    socket.write(
      uploadHead(node, ['Content-Length: 10', 'Connection: close']).replace(uploadPath(node), `${path}/source`),
    );
    socket.write('12345');
    await pause(50);
    const key = `media:${Number(path.slice('/media/'.length))}` as const;
    const [media] = await store.getMany([key]);
    await store.transact([key], () => ({ changes: [{ remove: key }], result: undefined }));
    socket.write('67890');
    expect(await all).toMatch(/^HTTP\/1.1 404/);
    if (media !== undefined) await store.transact([key], () => ({ changes: [{ put: media }], result: undefined }));
    expect([await contentOf(server, node), await storedNames(server)]).toEqual(['old content', before]);
  });
});

describe('A body', () => {
  it('U07 that is shorter than announced is an abort when the client leaves, and 408 when it falls silent', async () => {
    const node = await newNode(server);
    const before = await storedNames(server);
    const { socket, all } = openSocket(server.port);
    socket.end(`${uploadHead(node, ['Content-Length: 1000'])}only this`);
    await all;
    const began = Date.now();
    const answer = await exchangeText(server.port, `${uploadHead(node, ['Content-Length: 1000'])}only this`);
    expect(answer).toMatch(/^HTTP\/1.1 408 [\s\S]*Connection: close[\s\S]*"The upload brought less than 1000 bytes/);
    expect(Date.now() - began).toBeLessThan(hangMs);
    await until(async () => (await storedNames(server)).join() === before.join(), 'nothing is left');
    expect(await mediaOf(server, node)).toEqual([]);
  });

  it('U08 that is longer than announced is cut there, and its rest is no request', async () => {
    const node = await newNode(server);
    const victim = await newNode(server);
    const rest = `DELETE /node/${victim}?_format=json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    const answer = await exchangeText(server.port, `${uploadHead(node, ['Content-Length: 5'])}hello${rest}`);
    // It has no credentials of its own, so what is taken for a second request may do nothing.
    expect([...answer.matchAll(/HTTP\/1.1 (\d+)/g)].map(([, status]) => status)).toEqual(['201', '401']);
    expect(await contentOf(server, node)).toBe('hello');
    expect((await send(server, 'GET', `/node/${victim}?_format=json`)).status).toBe(200);
    const nonsense = await exchangeText(server.port, `${uploadHead(node, ['Content-Length: 5'])}helloand more\r\n\r\n`);
    expect(nonsense).toMatch(/HTTP\/1.1 400 [\s\S]*Connection: close/);
  });

  it('U10 with 1 MB of chunk extensions is refused, with 10,000 tiny chunks and trailers it is fine', async () => {
    const node = await newNode(server);
    const head = uploadHead(node, ['Transfer-Encoding: chunked', 'Connection: close']);
    const began = process.cpuUsage();
    expect(await exchangeText(server.port, `${head}1;${'x'.repeat(1_000_000)}\r\na\r\n0\r\n\r\n`)).toMatch(
      /^HTTP\/1.1 4\d\d/,
    );
    const tiny = '1\r\na\r\n'.repeat(10_000);
    const trailers = '0\r\nX-Trailer: ignored\r\nContent-Type: text/html\r\n\r\n';
    expect(await exchangeText(server.port, head + tiny + trailers)).toMatch(/^HTTP\/1.1 201/);
    expect(process.cpuUsage(began).user).toBeLessThan(hangMs * 1000);
    const { file } = await theMedia(server, node);
    expect([file['filesize'], file['filemime']]).toEqual([[{ value: 10_000 }], [{ value: 'text/plain' }]]);
  });

  it('U11 that waits for 100 Continue is told the refusal at once, or 100 and then 201', async () => {
    const node = await newNode(server);
    const expecting = (lines: string[], as?: string): Promise<string> =>
      exchangeText(server.port, uploadHead(node, ['Expect: 100-continue', ...lines], as));
    const length = 'Content-Length: 5';
    expect(await expecting([length], 'nobody')).toMatch(/^HTTP\/1.1 403/);
    expect(await expecting(['Content-Length: 3000000000'])).toMatch(/^HTTP\/1.1 413/);
    expect(await expecting([length, 'Content-Location: public://b.txt'])).toMatch(/^HTTP\/1.1 400/);
    const { socket, all } = openSocket(server.port);
    socket.write(uploadHead(node, ['Expect: 100-continue', length, 'Connection: close']));
    socket.once('data', () => socket.write('hello'));
    expect(await all).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 201/);
  });

  it.each([
    ['401', 1, undefined],
    ['403', 1, 'viewer'],
    ['404', 999_999, 'admin'],
    ['413', 1, 'admin'],
  ])('U12 that nobody wants is answered with %s at once and is not read', async (status, node, as) => {
    const length = status === '413' ? 3_000_000_000 : 1_000_000_000;
    const head = uploadHead(node, [`Content-Length: ${length}`], as).replace(
      as === undefined ? /Authorization.*\r\n/ : '',
      '',
    );
    let answer = '';
    const read = await bytesRead(async () => {
      const { socket, all } = openSocket(server.port);
      socket.write(head);
      const piece = Buffer.alloc(1_000_000);
      // Ignores the answer and goes on sending until the connection is cut.
      for (let sent = 0; sent < 1000 && !socket.destroyed; sent += 1) {
        if (!socket.write(piece)) await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
      }
      answer = await all;
    });
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*Connection: close`));
    expect(read).toBeLessThan(1_000_000);
  });

  it.each([
    ['403', (head: string) => head],
    ['414', (head: string) => head.replace('PUT /', `PUT /${'x'.repeat(5000)}/`)],
    ['400', (head: string) => head.replace('Content-Type', 'Content-Type: text/html\r\nContent-Type')],
  ])('U12 that nobody wants is told so with %s, however much its client still sends', async (status, changed) => {
    const head = changed(uploadHead(1, ['Content-Length: 1000000000'], 'viewer'));
    const piece = Buffer.alloc(1_000_000);
    const refused = Array.from({ length: 20 }, () => {
      const { socket, all } = openSocket(server.port);
      const goOn = (): void => {
        if (!socket.destroyed && socket.write(piece)) setImmediate(goOn);
        else socket.once('drain', goOn);
      };
      socket.write(head);
      goOn();
      return all;
    });
    expect((await Promise.all(refused)).map((answer) => answer.slice(0, 12))).toEqual(
      refused.map(() => `HTTP/1.1 ${status}`),
    );
  });

  it('U13 that is announced too large is 413 before anything is stored', async () => {
    const node = await newNode(server);
    const before = await storedNames(server);
    const answer = await exchangeText(server.port, uploadHead(node, ['Content-Length: 2000000001']));
    expect([answer.slice(0, 12), await storedNames(server)]).toEqual(['HTTP/1.1 413', before]);
  });

  it('U16 at a steady pace may last longer than the idle time', async () => {
    const node = await newNode(server);
    const slowly = async function* (): AsyncGenerator<Uint8Array> {
      for (let piece = 0; piece < 5; piece += 1) {
        await pause(300);
        yield Buffer.alloc(1000, 'x');
      }
    };
    const made = await upload(server, node, slowly(), { headers: { 'Content-Length': '5000' } });
    expect([made.status, (await contentOf(server, node)).length]).toEqual([201, 5000]);
  });

  it('U17 that trickles is cut by the minimum rate, and a silent one by the idle rule', async () => {
    const [node, silent] = [await newNode(server), await newNode(server)];
    const before = await storedNames(server);
    const { socket, all } = openSocket(server.port);
    socket.write(uploadHead(node, ['Content-Length: 100000']));
    const ofSilent = exchangeText(server.port, uploadHead(silent, ['Content-Length: 5']));
    const trickle = setInterval(() => socket.write('x'.repeat(50)), 100);
    expect(await all).toMatch(/^HTTP\/1.1 408 [\s\S]*less than 1000 bytes a second/);
    clearInterval(trickle);
    expect(await ofSilent).toMatch(/408 [\s\S]*no progress for 1 seconds/);
    await until(async () => (await storedNames(server)).join() === before.join(), 'nothing is left');
  });

  it('U18 U19 is one of 50 for the same place or of 20 for 20 places: all are stored', async () => {
    const node = await newNode(server);
    const bodies = Array.from({ length: 50 }, (_, number) => `${number} `.repeat(1000 + number));
    const answers = await Promise.all(bodies.map((body) => upload(server, node, body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(49);
    expect(bodies).toContain(await contentOf(server, node));
    const nodes = await Promise.all(Array.from({ length: 20 }, () => newNode(server)));
    const made = await Promise.all(nodes.map((one) => upload(server, one, `of ${one}`)));
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await Promise.all(nodes.map((one) => contentOf(server, one)))).toEqual(nodes.map((one) => `of ${one}`));
  });

  it('U34 that is encoded is 415, and a part of one is 400', async () => {
    const node = await newNode(server);
    const headers = (more: Record<string, string>) => ({ headers: more });
    expect((await upload(server, node, 'x', headers({ 'Content-Encoding': 'gzip' }))).status).toBe(415);
    expect((await upload(server, node, 'x', headers({ 'Content-Range': 'bytes 0-0/1' }))).status).toBe(400);
    expect(await mediaOf(server, node)).toEqual([]);
    expect((await upload(server, node, 'x', headers({ 'Content-Encoding': 'identity' }))).status).toBe(201);
  });

  it('U43 whose client leaves after the last byte is committed once', async () => {
    const node = await newNode(server);
    for (const leave of ['end', 'destroy'] as const) {
      const { socket, all } = openSocket(server.port);
      // Node drops what a request has not read yet when its client leaves. "100 Continue" says that the body is read.
      socket.write(uploadHead(node, ['Expect: 100-continue', 'Content-Length: 5']));
      await once(socket, 'data');
      socket.write('hello');
      await pause(20);
      socket[leave]();
      await all;
      await until(async () => (await mediaOf(server, node)).length === 1, 'the media is there');
    }
    // The upload of the client that has just left may be stored after this one.
    await until(async () => {
      expect((await upload(server, node, 'again')).status).toBe(204);
      return (await contentOf(server, node)) === 'again';
    }, 'the content is that of the last upload');
  });
});

describe('The way to an upload', () => {
  const put = (path: string, as: string | null = 'admin') =>
    send(server, 'PUT', path, {
      as,
      body: 'x',
      headers: { 'Content-Type': 'text/plain', 'Content-Location': 'public://u37.txt' },
    });

  it('U37 is 404 for what does not exist, whoever asks', async () => {
    for (const as of ['admin', 'viewer', null]) {
      for (const path of ['/node/999999/media/file/16', '/node/1/media/nope/16', '/node/1/media/file/99999']) {
        expect((await put(path, as)).status).toBe(404);
      }
    }
  });

  it('U38 replaces a media of another type than the path names', async () => {
    const node = await newNode(server);
    const headers = { 'Content-Type': 'image/png', 'Content-Location': `public://u38/${node}.png` };
    await upload(server, node, pngBytes(), { type: 'image', headers });
    const before = await theMedia(server, node);
    expect((await upload(server, node, 'text')).status).toBe(204);
    const after = await theMedia(server, node);
    // What the new bytes do not say stays.
    expect([after.path, after.record['bundle'], after.record['field_width']]).toEqual([
      ...[before.path, before.record['bundle'], before.record['field_width']],
    ]);
  });

  it('U46 is closed to whoever may not edit the media that stands there, and makes no second one', async () => {
    const node = await newNode(server);
    await upload(server, node, 'the admin’s');
    expect((await upload(server, node, 'x', { as: 'viewer' })).status).toBe(403);
    expect(await contentOf(server, node)).toBe('the admin’s');
    expect(await mediaOf(server, node)).toHaveLength(1);
  });

  it('U42 has a second door with the same rules: PUT of a media’s source', async () => {
    const node = await newNode(server);
    await upload(server, node, 'old');
    const { path } = await theMedia(server, node);
    const source = (body: string, headers: Record<string, string>, as: string | null = 'admin') =>
      send(server, 'PUT', `${path}/source`, { body, headers, as });
    const text = { 'Content-Type': 'text/plain' };
    expect((await source('', text)).status).toBe(400);
    expect((await source('x', {})).message()).toBe('Missing Content-Type header');
    expect((await source('x', text, null)).status).toBe(401);
    expect((await source('x', text, 'viewer')).status).toBe(403);
    expect((await source('x', { ...text, 'Content-Encoding': 'gzip' })).status).toBe(415);
    expect(await contentOf(server, node)).toBe('old');
    expect((await source('new', text)).status).toBe(204);
    expect(await contentOf(server, node)).toBe('new');
    const head = uploadHead(node, ['Content-Length: 3000000000']).replace(uploadPath(node), `${path}/source`);
    const read = await bytesRead(async () => expect(await exchangeText(server.port, head)).toMatch(/^HTTP\/1.1 413/));
    expect(read).toBeLessThan(10_000);
  });
});
