/** Content as it is served: ranges, conditions, names, and what keeps it from running. Numbers: test/contract/cases/README.md. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { OutgoingHttpHeaders } from 'node:http';
import { type Answer, send, startServer, type TestServer } from '../../support/server.ts';
import { newNode, theMedia, upload } from '../../support/uploads.ts';

let server: TestServer;
let path: string;
const content = 'abcdefghijklmnopqrstuvwxyz';
const etag = `"${createHash('sha256').update(content).digest('hex')}"`;

const stored = async (body: string, headers: OutgoingHttpHeaders, type = 'file'): Promise<string> => {
  const node = await newNode(server);
  const made = await upload(server, node, Buffer.from(body), { headers, type });
  if (made.status !== 201) throw new Error(`${made.status} ${made.body.toString()}`);
  return (await theMedia(server, node)).contentPath;
};

beforeAll(async () => {
  // As a site that takes web pages and drawings too.
  server = await startServer({
    onDisk: true,
    siteFile: 'bundles/media.file.yml',
    changeSite: (yaml) => yaml.replace('extensions: [txt,', 'extensions: [txt, html, svg, xml, js,'),
  });
  path = await stored(content, { 'Content-Location': 'public://content/letters.txt' });
});
afterAll(() => server.stop());

const get = (headers: OutgoingHttpHeaders = {}, method = 'GET', at = path): Promise<Answer> =>
  send(server, method, at, { headers, as: null });

describe('Content', () => {
  it('comes whole with length, type, strong ETag, Last-Modified and Accept-Ranges, 200', async () => {
    const answer = await get();
    expect([answer.status, answer.body.toString()]).toEqual([200, content]);
    expect(answer.headers).toMatchObject({
      'content-length': '26',
      'content-type': 'text/plain',
      etag,
      'accept-ranges': 'bytes',
      'cache-control': 'public, no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
    });
    const changed = Date.parse(answer.headers['last-modified'] ?? '');
    expect(Math.abs(Date.now() - changed)).toBeLessThan(60_000);
  });

  it('has on HEAD the headers of GET and no body, whatever range is asked', async () => {
    const headersOf = ({ headers }: Answer) => ({ ...headers, date: undefined });
    const whole = headersOf(await get());
    for (const headers of [{}, { Range: 'bytes=0-1' }]) {
      const answer = await get(headers, 'HEAD');
      expect([answer.status, answer.body.length, headersOf(answer)]).toEqual([200, 0, whole]);
    }
  });

  it.each([
    ['bytes=0-0', 'a', '0-0'],
    ['bytes=0-', content, '0-25'],
    ['bytes=5-7', 'fgh', '5-7'],
    ['bytes=20-99', 'uvwxyz', '20-25'],
    ['bytes=24-', 'yz', '24-25'],
    ['bytes=-2', 'yz', '24-25'],
    ['bytes=-99', content, '0-25'],
    ['BYTES=0-1', 'ab', '0-1'],
    ['bytes=0-0,2-2,4-4', 'a', '0-0'],
    ['bytes=2-4, 3-6', 'cdefg', '2-6'],
  ])('U35 gives the part that %s names, 206', async (range, part, bounds) => {
    const answer = await get({ Range: range });
    expect([answer.status, answer.body.toString()]).toEqual([206, part]);
    expect([answer.headers['content-range'], answer.headers['content-length']]).toEqual([
      ...[`bytes ${bounds}/26`, String(part.length)],
    ]);
    expect([answer.headers.etag, answer.headers['content-type']]).toEqual([etag, 'text/plain']);
  });

  it('U35 of 1,000 overlapping ranges is never more than the content', async () => {
    const answer = await get({ Range: `bytes=${Array.from({ length: 1000 }, () => '0-25').join(',')}` });
    expect([answer.status, answer.body.length]).toEqual([206, 26]);
  });

  it.each(['bytes=26-', 'bytes=26-30', 'bytes=-0'])('U35 has nothing for %s: 416 with the length', async (range) => {
    const answer = await get({ Range: range });
    expect([answer.status, answer.headers['content-range']]).toEqual([416, 'bytes */26']);
    expect(answer.message()).toBe('The requested range is not satisfiable.');
  });

  it.each(['lines=1-2', 'bytes', 'bytes=', 'bytes=x-y', 'bytes=5-2'])(
    'ignores the range %s or refuses it',
    async (range) => {
      const answer = await get({ Range: range });
      expect([200, 416]).toContain(answer.status);
      if (answer.status === 200) expect(answer.body.toString()).toBe(content);
    },
  );

  it('U35 gives the part under If-Range with its own ETag or date, and the whole under others', async () => {
    const { 'last-modified': modified = '' } = (await get()).headers;
    const status = async (validator: string) => (await get({ Range: 'bytes=0-1', 'If-Range': validator })).status;
    expect([await status(etag), await status(modified)]).toEqual([206, 206]);
    expect(await status('"other"')).toBe(200);
    expect(await status(`W/${etag}`)).toBe(200);
    expect(await status('Thu, 01 Jan 1970 00:00:00 GMT')).toBe(200);
  });

  it('is 304 without a body when it has not changed, by ETag before date', async () => {
    const { 'last-modified': modified = '' } = (await get()).headers;
    const old = 'Thu, 01 Jan 1970 00:00:00 GMT';
    const asked: [OutgoingHttpHeaders, number][] = [
      [{ 'If-None-Match': etag }, 304],
      [{ 'If-None-Match': `"x", W/${etag}` }, 304],
      [{ 'If-None-Match': '*' }, 304],
      [{ 'If-None-Match': '"other"' }, 200],
      [{ 'If-Modified-Since': modified }, 304],
      [{ 'If-Modified-Since': old }, 200],
      [{ 'If-None-Match': '"other"', 'If-Modified-Since': modified }, 200],
      [{ 'If-None-Match': etag, 'If-Modified-Since': old }, 304],
      [{ 'If-None-Match': etag, Range: 'bytes=0-1' }, 304],
    ];
    for (const [headers, status] of asked) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await get(headers, method);
        expect([headers, answer.status]).toEqual([headers, status]);
        expect(answer.headers.etag).toBe(etag);
        if (status === 304) expect([answer.body.length, answer.headers['content-length']]).toEqual([0, undefined]);
      }
    }
  });

  it('has another ETag after it was replaced', async () => {
    const node = await newNode(server);
    await upload(server, node, 'one');
    const { contentPath } = await theMedia(server, node);
    const before = (await get({}, 'GET', contentPath)).headers.etag ?? '';
    await upload(server, node, 'two');
    const after = await get({ 'If-None-Match': before, 'If-Range': before, Range: 'bytes=0-0' }, 'GET', contentPath);
    expect([after.status, after.body.toString()]).toEqual([200, 'two']);
    expect(after.headers.etag).not.toBe(before);
  });

  it('is 404 in JSON when there is none', async () => {
    for (const missing of ['/sites/default/files/none.txt', '/sites/default/files/', '/_flysystem/fedora/none.txt']) {
      const answer = await get({}, 'GET', missing);
      expect([answer.status, answer.headers['content-type']]).toEqual([404, 'application/json']);
    }
  });
});

describe('A name', () => {
  it.each([
    ['plain.txt'],
    ['with space.txt'],
    ['quote".txt'],
    ['semi;colon.txt'],
    ['percent%41.txt'],
    ['\u00e9t\u00e9.txt'],
    ['\u2713 done.txt'],
    ["apostrophe'.txt"],
  ])('U32 is given as RFC 6266 has it, so that a reader gets it back: %s', async (name) => {
    const folder = `public://names-${Math.random().toString(36).slice(2)}/`;
    const at = await stored('x', { 'Content-Location': Buffer.from(folder + name).toString('latin1') });
    const answer = await get({}, 'GET', at);
    const header = answer.headers['content-disposition'] ?? '';
    const extended = /filename\*=UTF-8''([^;]+)/.exec(header)?.[1];
    const quoted = /filename="((?:[^"\\]|\\.)*)"|filename=([^;]+)/.exec(header);
    const plain = (quoted?.[1] ?? quoted?.[2] ?? '').replace(/\\(.)/g, '$1');
    expect(extended === undefined ? plain : decodeURIComponent(extended)).toBe(name);
    expect(header).toMatch(/^inline; filename/);
    expect(header).toMatch(/^[\u0020-\u007e]+$/);
  });
});

describe('What could run', () => {
  it.each([
    ['text/html', 'page.html', '<script>1</script>', 'attachment'],
    ['image/svg+xml', 'drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'attachment'],
    ['application/xml', 'data.xml', '<a/>', 'attachment'],
    ['text/javascript', 'code.js', 'alert(1)', 'attachment'],
    ['TEXT/HTML; charset=utf-8', 'upper.html', '<p>', 'attachment'],
    ['application/pdf', 'paper.pdf', '%PDF-1.4', 'inline'],
    ['image/png', 'no-image.txt', '<html><script>1</script>', 'inline'],
    ['image/gif', 'polyglot.txt', 'GIF89a/*', 'inline'],
    ['text/plain; charset=utf-8', 'text.txt', 'text', 'inline'],
    ['image/pngx', 'strange.txt', 'text', 'attachment'],
  ])('U30 U31 is sent as what it was declared, sandboxed: %s', async (type, name, body, disposition) => {
    const at = await stored(body, { 'Content-Type': type, 'Content-Location': `public://run/${name}` });
    const answer = await get({}, 'GET', at);
    expect(answer.body.toString()).toBe(body);
    expect(answer.headers).toMatchObject({
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'content-security-policy': 'sandbox',
    });
    expect(answer.headers['content-disposition']?.split(';')[0]).toBe(disposition);
  });
});

describe('Content of the external scheme', () => {
  it('is for whoever may view a media that uses it, by Basic, and private in caches', async () => {
    const at = await stored('guarded', { 'Content-Location': 'fedora://2019-03/guarded.txt' });
    expect(at).toBe('/_flysystem/fedora/2019-03/guarded.txt');
    const asked = await Promise.all(['admin', 'viewer', 'plain', null].map((as) => send(server, 'GET', at, { as })));
    expect(asked.map(({ status }) => status)).toEqual([200, 200, 403, 401]);
    expect(asked[0]?.headers['cache-control']).toBe('private, no-cache');
    expect(asked[3]?.headers['www-authenticate']).toBe('Basic realm="Contract Site"');
    const unchanged = { 'If-None-Match': asked[0]?.headers.etag };
    expect((await send(server, 'GET', at, { as: 'plain', headers: unchanged })).status).toBe(403);
  });
});
