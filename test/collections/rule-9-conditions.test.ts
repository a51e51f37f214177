/** Rule 9: ETag and conditions, as RFC 9110 §13 has them. The order of refusals, which rule 11 names. */
import { describe, expect, it } from '@jest/globals';
import { newWorld, rows, startRemembering } from './support/remembering.ts';
import { del, get, having, head, keeping, patch, patchAsJson, post, put } from './support/steps.ts';

const key = { 'X-Api-Key': 'k' };
const strong = /^"[^"]+"$/;
const free = '11111111-2222-4333-8444-555555555555';
const keepTag = (path: string) => keeping({ tag: 'ETag' }, get(path, 200, undefined, { ETag: strong }));

rows(
  'Rule 9: ETag and conditions',
  { document: 'library' },
  {
    'is strong, the same for GET and HEAD, and as long as nothing changes': [
      keepTag('/books/1'),
      get('/books/1', 200, undefined, { ETag: '<tag>' }),
      head('/books/1', 200, null, { ETag: '<tag>' }),
      patch('/books/2', { year: 1891 }, 200),
      get('/books/1', 200, undefined, { ETag: '<tag>' }),
    ],
    'is another one after a change': [
      keepTag('/books/1'),
      patch('/books/1', { year: 1913 }, 200),
      having({ 'If-None-Match': '<tag>' }, get('/books/1', 200, { year: 1913 })),
      having({ 'If-Match': '<tag>' }, patch('/books/1', { year: 1914 }, 412)),
      get('/books/1', 200, { year: 1913 }),
    ],
    'If-None-Match: 304 with the ETag and no body, for one of several, for a weak one and for any': [
      keepTag('/books/1'),
      having({ 'If-None-Match': '<tag>' }, get('/books/1', 304, null, { ETag: '<tag>' })),
      having({ 'If-None-Match': '<tag>' }, head('/books/1', 304, null)),
      having({ 'If-None-Match': '"other", <tag>' }, get('/books/1', 304, null)),
      having({ 'If-None-Match': 'W/<tag>' }, get('/books/1', 304, null)),
      having({ 'If-None-Match': '*' }, get('/books/1', 304, null)),
      having({ 'If-None-Match': '"other"' }, get('/books/1', 200, { id: 1 })),
      having({ 'If-None-Match': '*' }, get('/books/99', 404)),
    ],
    'If-Match: writes where it matches, else 412': [
      keepTag('/books/1'),
      having({ 'If-Match': '"other"' }, patch('/books/1', { year: 1913 }, 412)),
      having({ 'If-Match': '"other"', ...key }, put('/books/1', { title: 'A' }, 412)),
      having({ 'If-Match': '"other"' }, del('/books/1', 412)),
      having({ 'If-Match': 'W/<tag>' }, patch('/books/1', { year: 1913 }, 412)),
      get('/books/1', 200, { year: 1912 }, { ETag: '<tag>' }),
      having({ 'If-Match': '"other", <tag>' }, patch('/books/1', { year: 1913 }, 200)),
      having({ 'If-Match': '*' }, patch('/books/1', { year: 1914 }, 200)),
      keepTag('/books/1'),
      having({ 'If-Match': '<tag>', ...key }, put('/books/1', { title: 'A' }, 200)),
      keepTag('/books/1'),
      having({ 'If-Match': '<tag>' }, del('/books/1', 204)),
      having({ 'If-Match': '<tag>' }, del('/books/1', 404)),
    ],
    'If-None-Match refuses a write where it matches: 412 (RFC 9110 §13.1.2)': [
      keepTag('/books/1'),
      having({ 'If-None-Match': '<tag>' }, patch('/books/1', { year: 1913 }, 412)),
      having({ 'If-None-Match': '*' }, del('/books/1', 412)),
      having({ 'If-None-Match': '"other"' }, patch('/books/1', { year: 1913 }, 200)),
    ],
    'If-Match is looked at before If-None-Match (RFC 9110 §13.2.2)': [
      keepTag('/books/1'),
      having({ 'If-Match': '"other"', 'If-None-Match': '<tag>' }, get('/books/1', 412)),
      having({ 'If-Match': '<tag>', 'If-None-Match': '<tag>' }, get('/books/1', 304)),
    ],
    'If-Match acts on GET, too: 412': [
      having({ 'If-Match': '"other"' }, get('/books/1', 412)),
      having({ 'If-Match': '*' }, get('/books/1', 200)),
    ],
    'without conditions nothing is asked for: never 428': [
      patch('/books/1', { year: 1913 }, 200),
      del('/books/1', 204),
    ],
    // open: an answer with the whole record may carry its ETag, and a client saves a request.
    'is that of the answer to a write': [
      having(key, keeping({ tag: 'ETag' }, post('/books', { title: 'A' }, 201, undefined, { ETag: strong }))),
      get('/books/8', 200, undefined, { ETag: '<tag>' }),
      keeping({ tag: 'ETag' }, patch('/books/8', { year: 1913 }, 200)),
      having({ 'If-Match': '<tag>' }, patch('/books/8', { year: 1914 }, 200)),
    ],
  },
);

rows(
  'Rule 9: conditions of a PUT that creates',
  { document: 'orders' },
  {
    'If-None-Match: * creates once: 201, then 412': [
      having({ 'If-None-Match': '*' }, put(`/v1/orders/${free}`, { quantity: 1 }, 201)),
      having({ 'If-None-Match': '*' }, put(`/v1/orders/${free}`, { quantity: 2 }, 412)),
      get(`/v1/orders/${free}`, 200, { quantity: 1 }),
    ],
    'If-Match: * creates nothing: 412': [
      having({ 'If-Match': '*' }, put(`/v1/orders/${free}`, { quantity: 1 }, 412)),
      having({ 'If-Match': '"any"' }, put(`/v1/orders/${free}`, { quantity: 1 }, 412)),
      get(`/v1/orders/${free}`, 404),
    ],
  },
);

rows(
  'Rule 9: singletons',
  { document: 'weblog' },
  {
    'have an ETag as records do: 304 and 412': [
      keepTag('/settings'),
      having({ 'If-None-Match': '<tag>' }, get('/settings', 304, null)),
      having({ 'If-Match': '"other"' }, put('/settings', { theme: 'dark' }, 412)),
      having({ 'If-Match': '<tag>' }, put('/settings', { theme: 'dark' }, 200)),
      having({ 'If-Match': '<tag>' }, patchAsJson('/settings', { size: 1 }, 412)),
    ],
  },
);

/** All that can be wrong with one request. Each status is that of the first fault that is left. */
type Fault = readonly [status: number, wrong: RequestInit, path?: string];
const headersOf = ({ headers }: RequestInit): Record<string, string> => headers as Record<string, string>; // written so below

const right: RequestInit = {
  method: 'PUT',
  headers: { 'X-Api-Key': 'k', 'Content-Type': 'application/json', Accept: 'application/json' },
  body: '{"title":"New"}',
};
const faults: readonly Fault[] = [
  [401, { headers: { 'X-Api-Key': '' } }],
  [415, { headers: { 'Content-Type': 'text/csv' } }],
  [406, { headers: { Accept: 'image/png' } }],
  [400, {}, '?reason=much-too-long'],
  [404, {}, '/books/99'],
  [412, { headers: { 'If-Match': '"other"' } }],
  [422, { body: '{"title":""}' }],
];

const requestWith = (left: readonly Fault[]): [string, RequestInit] => {
  const headers: Record<string, string> = { ...headersOf(right) };
  let body = right.body;
  let path = '/books/1';
  let query = '';
  for (const [, wrong, place] of left) {
    Object.assign(headers, wrong.headers);
    body = wrong.body ?? body;
    if (place?.startsWith('/') === true) path = place;
    else query = place ?? query;
  }
  if (headers['X-Api-Key'] === '') delete headers['X-Api-Key'];
  return [path + query, { method: 'PUT', headers, body: body ?? null }];
};

describe('The order of refusals', () => {
  it('is 401, 415, 406, 400, 404, 412, 422 for each pair of faults, and all of them', async () => {
    const server = await startRemembering('library');
    const world = await newWorld(server);
    const statusOf = async (left: readonly Fault[]): Promise<number> =>
      (await world.fetch(...requestWith(left))).status;
    const wrong: unknown[] = [];
    for (const [at, fault] of faults.entries()) {
      for (const left of [[fault], ...faults.slice(at + 1).map((other) => [fault, other]), faults.slice(at)]) {
        const status = await statusOf(left);
        if (status !== fault[0]) wrong.push([left.map(([each]) => each), status]);
      }
    }
    expect(wrong).toEqual([]);
    expect(await statusOf([])).toBe(200);
    await server.close();
  });
});

rows(
  'The order of refusals, further',
  { document: 'library' },
  {
    'a method that the path lacks is 405 before all others, with Allow': [
      del('/books', 405, undefined, { Allow: /GET.*HEAD.*POST/ }),
      having({ Accept: 'image/png' }, post('/books/99', 'x', 405, undefined, { Allow: /PATCH/ })),
    ],
    'broken JSON is 400 before an absent record': [having(key, put('/books/99', '{"title":', 400))],
  },
);

rows(
  'The order of refusals: the parent first',
  { document: 'weblog' },
  {
    'an absent parent is 404 before a body that does not fit: 404, then 422': [
      post('/users/nobody/posts', { slug: 'A B' }, 404),
      post('/users/ada/posts', { slug: 'A B' }, 422),
      // The document has 422 for a body, and no 400: broken JSON is refused before the parent is looked for.
      post('/users/nobody/posts', '{', 422),
    ],
    'an absent parent is named before an absent record': [
      get('/users/nobody/posts/nothing', 404, undefined, { 'Atoll-Reason': /nobody/ }),
      get('/users/ada/posts/nothing', 404, undefined, { 'Atoll-Reason': /nothing/ }),
    ],
    'a body that does not fit is 422 before an id that exists is 409': [
      post('/users', { slug: 'ada' }, 422),
      post('/users', { slug: 'ada', name: 'A' }, 409),
    ],
  },
);
