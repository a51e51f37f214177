/**
 * The front-end team's document of `system/team-document` once more, with a memory: post, read, list, page, patch, delete, 404. The answers
 * were decided before anything was run. Its 35 requests are asked without a memory (`openapi/team-document.test.ts`).
 */
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeOwnServers } from '../documents/support/own-document.ts';
import { documentFile } from '../system/team-document/judge.mjs';
import { newWorld, rows, startRemembering } from './support/remembering.ts';
import { del, get, having, head, keeping, listOf, mocked, patchAsJson, post } from './support/steps.ts';

const document = readFileSync(documentFile, 'utf8');
const url = 'http://localhost:8000/node/9';

rows(
  'The team’s document with a memory',
  { document },
  {
    'list: it begins with the example of one bookmark, and counts it': [
      get('/bookmarks', 200, [{ id: 1, kind: 'page', title: 'From examples' }], { 'X-Total-Count': '1' }),
      head('/bookmarks', 200, null, { 'X-Total-Count': '1' }),
    ],
    'read: the example, with an ETag': [
      keeping({ tag: 'ETag' }, get('/bookmarks/1', 200, { id: 1, title: 'From examples' }, { ETag: /^"/ })),
      having({ 'If-None-Match': '<tag>' }, get('/bookmarks/1', 304, null)),
    ],
    'post, read, list: what was posted is there, with its id, its address and its defaults': [
      post(
        '/bookmarks',
        { kind: 'image', url },
        201,
        { id: 2, kind: 'image', url, title: 'Untitled' },
        { Location: '/bookmarks/2' },
      ),
      get('/bookmarks/2', 200, { id: 2, kind: 'image', url, title: 'Untitled' }),
      get('/bookmarks', 200, [{ id: 1 }, { id: 2, kind: 'image' }], { 'X-Total-Count': '2' }),
      post('/bookmarks', { kind: 'page', url, title: null }, 201, { id: 3, title: null }),
      get('/bookmarks/3', 200, { title: null }),
    ],
    'post: an id that clients only read is passed over': [
      post('/bookmarks', { kind: 'page', url, id: 1 }, 201, { id: 2 }),
      get('/bookmarks/1', 200, { title: 'From examples' }),
    ],
    'post: what the schema refuses is not stored: 422 and 415': [
      post(
        '/bookmarks',
        { kind: 'page' },
        422,
        { title: expect.any(String) },
        { 'Content-Type': /^application\/problem\+json/ },
      ),
      post('/bookmarks', { kind: 'page', url, title: 'too long' }, 422),
      post('/bookmarks', { kind: 'page', url, colour: 'red' }, 422),
      having({ 'Content-Type': 'text/plain' }, post('/bookmarks', 'x', 415)),
      get('/bookmarks', 200, listOf('id', 1), { 'X-Total-Count': '1' }),
    ],
    'list: a parameter that no member is like does not filter, and all are checked as ever': [
      get('/bookmarks?tag=a&tag=b', 200, listOf('id', 1)),
      // open: `ids` is like `id`, and a list means any of them.
      get('/bookmarks?ids=1,8', 200, listOf('id', 1)),
      get('/bookmarks?ids=7,8', 200, []),
      get('/bookmarks?tag=z', [400, 422]),
      get('/bookmarks?page=-1', [400, 422]),
    ],
    'patch: the path has no such method: 405': [
      patchAsJson('/bookmarks/1', { title: 'x' }, 405, undefined, { Allow: /DELETE.*GET.*HEAD|GET.*DELETE/ }),
    ],
    'delete, 404: what was deleted is gone, and its id is not given again': [
      post('/bookmarks', { kind: 'page', url }, 201, { id: 2 }),
      del('/bookmarks/2', 204, null),
      get('/bookmarks/2', 404, { title: expect.any(String) }),
      del('/bookmarks/2', 404),
      get('/bookmarks', 200, listOf('id', 1), { 'X-Total-Count': '1' }),
      post('/bookmarks', { kind: 'page', url }, 201, { id: 3 }),
    ],
    '404: one that never was': [get('/bookmarks/99', 404), del('/bookmarks/99', 404), get('/bookmarks/0', [400, 422])],
    // open: a record has one form; another media type is the example of the document.
    'read as text/csv: the mock answers': [
      mocked(having({ Accept: 'text/csv' }, get('/bookmarks/1', 200, undefined, { 'Content-Type': /^text\/csv/ }))),
    ],
    'what is no collection is mocked as ever': [
      mocked(get('/search?q=ab', 200)),
      mocked(post('/annotations', { kind: 'text', text: 'x' }, 201, { id: 9 })),
      post('/annotations', { kind: 'text' }, 422, { title: expect.any(String) }),
    ],
  },
);

describe('The team’s list with a memory', () => {
  afterEach(closeOwnServers);
  it('page: the pages from 0 on have every bookmark once, in order, each with the whole count and the way to the next', async () => {
    const server = await startRemembering(document);
    const { fetch, url: base } = await newWorld(server);
    const headers = { 'Content-Type': 'application/json' };
    for (let made = 0; made < 120; made += 1)
      await fetch('/bookmarks', { method: 'POST', headers, body: JSON.stringify({ kind: 'page', url }) });
    const seen: number[] = [];
    for (let page = 0; page < 200; page += 1) {
      const response = await fetch(`/bookmarks?page=${page}`);
      const ids = ((await response.json()) as { id: number }[]).map(({ id }) => id);
      expect([page, response.status, response.headers.get('X-Total-Count')]).toEqual([page, 200, '121']);
      seen.push(...ids);
      const next = /<([^>]*)>; *rel="?next/.exec(response.headers.get('Link') ?? '')?.[1];
      if (seen.length >= 121 || ids.length === 0) {
        expect(next).toBeUndefined();
        break;
      }
      expect(new URL(next ?? '', `${base}/bookmarks`).href).toBe(`${base}/bookmarks?page=${page + 1}`);
    }
    expect(seen).toEqual(Array.from({ length: 121 }, (_each, at) => at + 1));
    expect((await fetch('/bookmarks')).headers.get('X-Total-Count')).toBe('121');
  });
});
