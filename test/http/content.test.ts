/** Stored bytes as they are served: ranges, conditions, names and the safety of uploads. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse as parseDisposition } from 'content-disposition';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';
import { basic, bodyOf, visit } from '../support/requests.ts';

let atoll: TestAtoll;
const editor = basic('editor');
const bytes = Buffer.from('0123456789');
const url = '/sites/default/files/ten.txt';

beforeAll(async () => {
  atoll = await createTestAtoll();
  await store('ten.txt', 'text/plain', 16, bytes).expect(201);
});

const store = (name: string, mediaType: string, term: number, body: Buffer, node = 22) =>
  visit(atoll, editor, 'PUT', `/node/${node}/media/file/${term}`)
    .set({ 'Content-Type': mediaType, 'Content-Location': Buffer.from(`public://${name}`).toString('latin1') })
    .send(body);
const get = (headers: Record<string, string> = {}) => atoll.send('GET', url).set(headers).buffer(true);

describe('ranges', () => {
  it.each([
    ['bytes=0-0', '0', 'bytes 0-0/10'],
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-30', '0123456789', 'bytes 0-9/10'],
    ['bytes=5-999', '56789', 'bytes 5-9/10'],
    ['bytes=1-2,5-6', '12', 'bytes 1-2/10'],
  ])('%s is 206 with "%s"', async (range, text, contentRange) => {
    const response = await get({ Range: range });
    expect([response.status, response.text, response.headers['content-range']]).toEqual([206, text, contentRange]);
    expect(response.headers['content-length']).toBe(String(text.length));
  });

  it.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])('%s is 416 with the size', async (range) => {
    const response = await get({ Range: range });
    expect([response.status, response.headers['content-range']]).toEqual([416, 'bytes */10']);
  });

  it.each(['items=0-1', 'bytes=a-b', 'bytes=', 'bytes=4-2', 'nonsense'])(
    '%s is ignored or refused, never wrong',
    async (range) => {
      const response = await get({ Range: range });
      expect([200, 416]).toContain(response.status);
      if (response.status === 200) expect(response.text).toBe('0123456789');
    },
  );

  it('thousands of overlapping ranges are one answer', async () => {
    const range = `bytes=${Array.from({ length: 1000 }, () => '0-9').join(',')}`;
    const response = await get({ Range: range });
    expect(response.text.length).toBeLessThanOrEqual(10);
  });

  it('are honoured by If-Range for the current bytes only, and not by HEAD', async () => {
    const { headers } = await get();
    const current = { Range: 'bytes=0-1', 'If-Range': String(headers['etag']) };
    expect((await get(current)).status).toBe(206);
    expect((await get({ Range: 'bytes=0-1', 'If-Range': String(headers['last-modified']) })).status).toBe(206);
    expect((await get({ Range: 'bytes=0-1', 'If-Range': '"other"' })).status).toBe(200);
    const head = await atoll.send('HEAD', url).set('Range', 'bytes=0-1');
    expect([head.status, head.headers['content-length']]).toEqual([200, '10']);
  });
});

describe('conditions', () => {
  it('of who has the current bytes are 304 without a body, for GET and HEAD', async () => {
    const { headers } = await get();
    expect(headers['etag']).toMatch(/^"[0-9a-f]{64}"$/);
    for (const condition of [
      { 'If-None-Match': String(headers['etag']) },
      { 'If-None-Match': '*' },
      { 'If-None-Match': `"other", W/${String(headers['etag'])}` },
      { 'If-Modified-Since': String(headers['last-modified']) },
    ]) {
      const response = await get(condition); // each has one member
      expect([response.status, response.text, response.headers['etag']]).toEqual([304, '', headers['etag']]);
      expect((await atoll.send('HEAD', url).set(condition)).status).toBe(304);
    }
  });

  it('are judged for a page that has set them too, to which its browser adds no-cache', async () => {
    const { headers } = await get();
    for (const condition of [
      { 'If-None-Match': String(headers['etag']) },
      { 'If-Modified-Since': String(headers['last-modified']) },
    ]) {
      const response = await get({ ...condition, 'Cache-Control': 'no-cache', Pragma: 'no-cache' });
      expect([response.status, response.text]).toEqual([304, '']);
    }
    expect((await get({ 'If-None-Match': '"other"', 'Cache-Control': 'no-cache' })).status).toBe(200);
  });

  it('of who has other bytes are 200', async () => {
    expect((await get({ 'If-None-Match': '"other"' })).status).toBe(200);
    expect((await get({ 'If-Modified-Since': 'Thu, 01 Jan 1998 00:00:00 GMT' })).status).toBe(200);
    expect(
      (await get({ 'If-None-Match': '"other"', 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' })).status,
    ).toBe(200);
  });

  it('follow a replacement', async () => {
    await store('a.txt', 'text/plain', 17, Buffer.from('one')).expect(201);
    const before = await atoll.send('GET', '/sites/default/files/a.txt');
    atoll.clock.advance(5);
    await store('ignored.txt', 'text/plain', 17, Buffer.from('two')).expect(204);
    const after = await atoll
      .send('GET', '/sites/default/files/a.txt')
      .set('If-None-Match', String(before.headers['etag']));
    expect([after.status, after.text]).toEqual([200, 'two']);
    expect(after.headers['last-modified']).not.toBe(before.headers['last-modified']);
  });
});

describe('uploads that a browser would run', () => {
  it.each([
    ['x.txt', 'text/html'],
    ['x1.txt', 'image/svg+xml'],
    ['x2.txt', 'application/xml'],
    ['x3.txt', 'text/javascript'],
    ['x4.txt', 'application/xhtml+xml'],
    ['x5.txt', 'TEXT/HTML; charset=utf-8'],
  ])('%s, declared as %s, is downloaded, sandboxed and not sniffed', async (name, mediaType) => {
    const body = Buffer.from('<script>alert(1)</script>');
    expect([201, 204]).toContain((await store(name, mediaType, 14, body, 5)).status);
    const media = await bodyOf(visit(atoll, editor, 'GET', '/node/5?_format=json'));
    expect(media).toBeDefined();
    const content = await atoll.send('GET', '/sites/default/files/x.txt').buffer(true);
    expect(content.headers['content-type']?.toLowerCase()).toBe(mediaType.toLowerCase());
    expect(content.headers['content-disposition']).toMatch(/^attachment/);
    expect(content.headers['content-security-policy']).toContain('sandbox');
    expect(content.headers['x-content-type-options']).toBe('nosniff');
  });

  it.each([
    ['/sites/default/files/2019-03/5-Service%20File.jpg', 'inline'],
    [url, 'inline'],
  ])('others are shown: %s', async (path, kind) => {
    const response = await atoll.send('GET', path);
    expect(parseDisposition(String(response.headers['content-disposition'])).type).toBe(kind);
    expect(response.headers['content-security-policy']).toContain('sandbox');
  });
});

describe('names', () => {
  it.each([
    'plain.txt',
    'with "quotes".txt',
    'semi;colon.txt',
    'é.txt',
    '✓ 海.txt',
    "o'brien.txt",
    '100%.txt',
    'a#b?c.txt',
  ])('%s comes back whole from Content-Disposition, and its address works', async (name) => {
    await atoll.reset();
    const created = await store(name, 'text/plain', 15, Buffer.from(name));
    expect(created.status).toBe(201);
    const body = await bodyOf(visit(atoll, editor, 'GET', '/entity/file/67?_format=json'));
    const { filename, uri } = body as { filename: [{ value: string }]; uri: [{ url: string }] }; // checked against the document by the engine
    expect(filename[0].value).toBe(name);
    const content = await atoll.send('GET', uri[0].url).buffer(true);
    expect([content.status, content.text]).toEqual([200, name]);
    expect(parseDisposition(String(content.headers['content-disposition'])).parameters['filename']).toBe(name);
  });
});
