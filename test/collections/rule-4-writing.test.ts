/** Rule 4: PUT, PATCH and DELETE. RFC 7396 and RFC 6902 say what a patch does. */
import { expect } from '@jest/globals';
import { now, rows } from './support/remembering.ts';
import { absent, del, get, having, jsonPatch, listOf, patch, patchAsJson, post, put } from './support/steps.ts';

const key = { 'X-Api-Key': 'k' };
const one = '/v1/orders/3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const free = '11111111-2222-4333-8444-555555555555';

rows(
  'Rule 4: PUT',
  { document: 'library' },
  {
    'replaces what clients write: 200': [
      having(key, put('/books/2', { title: 'New' }, 200, { id: 2, title: 'New', author: absent, year: absent })),
      get('/books/2', 200, { id: 2, title: 'New', author: absent, year: absent }),
      get('/books', 200, listOf('id', 1, 2, 3), { 'X-Total-Count': '4' }),
    ],
    'leaves what clients only read': [
      having(
        key,
        put('/books/2', { title: 'New', shelf: 'X-1', addedAt: '1999-01-01T00:00:00Z' }, 200, {
          ...{ shelf: 'A-2', addedAt: '2020-01-02T00:00:00Z' },
        }),
      ),
      get('/books/2', 200, { shelf: 'A-2', addedAt: '2020-01-02T00:00:00Z' }),
    ],
    // open: the issue names the clock for POST alone; a user expects "updated" to move, and "added" not to.
    'moves the time of the last change to the clock of the world': [
      having(key, put('/books/2', { title: 'New' }, 200, { updatedAt: now, addedAt: '2020-01-02T00:00:00Z' })),
      patch('/books/1', { title: 'New' }, 200, { updatedAt: now, addedAt: '2020-01-01T00:00:00Z' }),
    ],
    'takes the id of the address in the body: 200': [
      having(key, put('/books/2', { id: 2, title: 'New' }, 200, { id: 2 })),
    ],
    // open: clients only read this id, and elsewhere such a member is passed over.
    'refuses another id in the body: 422': [
      having(key, put('/books/2', { id: 3, title: 'New' }, 422)),
      get('/books/2', 200, { title: 'Almanac' }),
      get('/books/3', 200, { title: 'Harbour lights' }),
    ],
    'refuses a record that is absent, as there is POST and no 201: 404': [
      having(key, put('/books/99', { title: 'New' }, 404)),
      get('/books/99', 404),
    ],
    'refuses a body that does not fit: 422': [
      having(key, put('/books/2', { author: 'X' }, 422)),
      get('/books/2', 200, { title: 'Almanac', author: 'Moore' }),
    ],
  },
);

rows(
  'Rule 4: PUT that creates',
  { document: 'orders' },
  {
    'where 201 is documented: 201, then 200': [
      put(`/v1/orders/${free}`, { quantity: 2 }, 201, { id: free, quantity: 2 }),
      get(`/v1/orders/${free}`, 200, { id: free, quantity: 2, created_at: now }),
      put(`/v1/orders/${free}`, { quantity: 3 }, 200, { id: free, quantity: 3, created_at: now }),
      get('/v1/orders?limit=9', 200, { total: 4 }),
    ],
    'where there is no POST: the documented 200, and once': [
      get('/v1/carts/x', 404),
      put('/v1/carts/x', { cartId: 'x', items: ['a'] }, 200, { cartId: 'x', items: ['a'] }),
      put('/v1/carts/x', { cartId: 'x' }, 200, { cartId: 'x', items: absent }),
      get('/v1/carts/x', 200, { cartId: 'x', items: absent }),
    ],
    'and not where there is POST and no 201: 404': [
      put(`/v1/customers/${free}`, { name: 'A' }, 404),
      get(`/v1/customers/${free}`, 404),
    ],
    'another id in the body is a refusal, absent or there: 422': [
      put(one, { id: free, quantity: 2 }, 422),
      put(`/v1/orders/${free}`, { id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', quantity: 2 }, 422),
      put('/v1/carts/x', { cartId: 'y' }, 422),
      get(`/v1/orders/${free}`, 404),
      get('/v1/carts/x', 404),
      get(one, 200, { quantity: 5 }),
    ],
  },
);

rows(
  'Rule 4: PATCH with a merge patch',
  { document: 'library' },
  {
    'sets and removes members, and leaves the others: 200': [
      patch('/books/1', { author: null, year: 1913 }, 200, { id: 1, title: 'Tide tables', author: absent, year: 1913 }),
      get('/books/1', 200, { author: absent, year: 1913, tags: ['sea'], shelf: 'A-1' }),
    ],
    'changes nothing by an empty patch: 200': [patch('/books/1', {}, 200, { title: 'Tide tables', author: 'Byrne' })],
    'is refused where the result does not fit, although the patch does: 422': [
      patch('/books/1', { title: null }, 422),
      patch('/books/1', { year: 1000 }, 422),
      get('/books/1', 200, { title: 'Tide tables', year: 1912 }),
    ],
    'is refused where the patch does not fit its schema: 422': [patch('/books/1', { year: 'old' }, 422)],
    // open: as PUT.
    'is refused for another id: 422': [patch('/books/1', { id: 2 }, 422), get('/books/1', 200, { id: 1 })],
    'is refused for a record that is absent: 404': [patch('/books/99', { year: 1913 }, 404)],
    // open: `application/json` at PATCH says nothing of its meaning, and clients merge.
    'as plain JSON merges objects deep inside': [
      patchAsJson('/authors/12', { address: { town: 'Cork', street: 'Quay' } }, 200, { name: 'Anne Byrne' }),
      patchAsJson('/authors/12', { address: { street: null } }, 200, { address: { town: 'Cork', street: absent } }),
      get('/authors/12', 200, { name: 'Anne Byrne', address: { town: 'Cork', street: absent } }),
    ],
  },
);

const lines = [{ sku: 'a' }, { sku: 'b' }];

rows(
  'Rule 4: PATCH by media type',
  { document: 'orders' },
  {
    'a merge patch replaces lists': [
      patch(one, { lines }, 200, { lines }),
      patch(one, { lines: [{ sku: 'c' }] }, 200, { lines: [{ sku: 'c' }] }),
      patch(one, { lines: [1, 2, 3, 4] }, 422),
      patch(one, { lines: [{ sku: 'a' }, { sku: 'b' }, { sku: 'c' }, { sku: 'd' }] }, 422),
      get(one, 200, { lines: [{ sku: 'c' }] }),
    ],
    'JSON patch carries out its operations in order (RFC 6902)': [
      patch(one, { lines }, 200),
      jsonPatch(one, [{ op: 'add', path: '/lines/-', value: { sku: 'c' } }], 200, {
        lines: listOf('sku', 'a', 'b', 'c'),
      }),
      jsonPatch(one, [{ op: 'remove', path: '/lines/0' }], 200, { lines: listOf('sku', 'b', 'c') }),
      jsonPatch(one, [{ op: 'move', from: '/lines/1', path: '/lines/0' }], 200, { lines: listOf('sku', 'c', 'b') }),
      jsonPatch(one, [{ op: 'copy', from: '/lines/0/sku', path: '/note' }], 200, { note: 'c' }),
      jsonPatch(one, [{ op: 'replace', path: '/quantity', value: 9 }], 200, { quantity: 9 }),
      jsonPatch(one, [{ op: 'add', path: '/a~1b~0c', value: 1 }], 200, { 'a/b~c': 1 }),
      get(one, 200, { quantity: 9, note: 'c', lines: listOf('sku', 'c', 'b'), 'a/b~c': 1 }),
    ],
    'JSON patch goes on after a test that holds, and is nothing without operations: 200': [
      jsonPatch(
        one,
        [
          { op: 'test', path: '/quantity', value: 5 },
          { op: 'replace', path: '/quantity', value: 6 },
        ],
        200,
        {
          quantity: 6,
        },
      ),
      jsonPatch(one, [], 200, { quantity: 6 }),
    ],
    // open: RFC 5789 §2.2 calls a patch that the state does not allow a conflict, 409; many answer 422.
    'JSON patch is refused as a whole where a test fails or a member is missing': [
      jsonPatch(
        one,
        [
          { op: 'replace', path: '/quantity', value: 6 },
          { op: 'test', path: '/status', value: 'paid' },
        ],
        [409, 422],
      ),
      jsonPatch(
        one,
        [
          { op: 'replace', path: '/quantity', value: 6 },
          { op: 'remove', path: '/nothing' },
        ],
        [409, 422],
      ),
      jsonPatch(one, [{ op: 'remove', path: '/toString' }], [409, 422]),
      jsonPatch(one, [{ op: 'copy', from: '/toString', path: '/note' }], [409, 422]),
      get(one, 200, { quantity: 5, status: 'open' }),
    ],
    'JSON patch that is none is refused: 400 or 422': [
      jsonPatch(one, { op: 'remove', path: '/note' }, [400, 422]),
      jsonPatch(one, [{ op: 'grow', path: '/note' }], [400, 422]),
      jsonPatch(one, [{ op: 'add', path: '/note' }], [400, 422]),
      jsonPatch(one, [{ op: 'remove', path: 'note' }], [400, 422]),
      get(one, 200, { quantity: 5 }),
    ],
    'JSON patch is refused where the result does not fit: 422': [
      jsonPatch(one, [{ op: 'replace', path: '/quantity', value: 0 }], 422),
      jsonPatch(one, [{ op: 'remove', path: '/quantity' }], 422),
      jsonPatch(one, [{ op: 'replace', path: '/id', value: free }], 422),
      jsonPatch(one, [{ op: 'replace', path: '', value: [] }], 422),
      get(one, 200, { quantity: 5 }),
    ],
    'another media type is refused: 415': [patchAsJson(one, { quantity: 6 }, 415), get(one, 200, { quantity: 5 })],
    'a merge patch with another id is refused: 422': [patch(one, { id: free }, 422), patch(one, { id: null }, 422)],
  },
);

rows(
  'Rule 4: DELETE',
  { document: 'library' },
  {
    'is the documented success, then 404, for GET, PUT, PATCH and DELETE': [
      del('/books/2', 204, null),
      get('/books/2', 404),
      del('/books/2', 404),
      patch('/books/2', { year: 1900 }, 404),
      having(key, put('/books/2', { title: 'A' }, 404)),
      get('/books', 200, listOf('id', 1, 3, 7), { 'X-Total-Count': '3' }),
    ],
    // open: 200 with a body: the record that went.
    'answers the record that it has deleted where that is documented: 200': [
      del('/authors/12', 200, { authorId: 12, name: 'Anne Byrne' }),
      get('/authors/12', 404),
      get('/authors', 200, []),
    ],
  },
);

rows(
  'Rule 4: DELETE elsewhere',
  { document: 'orders' },
  {
    'is 202 where that is documented, and 404 in the form of the document': [
      del(one, 202),
      del(one, 404, { error: { message: expect.any(String) } }),
      get('/v1/orders?limit=9', 200, { total: 2 }),
    ],
    'answers the example of its body where the body is not a record: 200': [
      del('/v1/customers/9b2d0b4c-6f0e-4b58-8b64-0a4d2f3d6a01', 200, { deleted: true }),
      get('/v1/customers', 200, { items: [], total_count: 0 }),
      post('/v1/customers', { name: 'A' }, 201),
    ],
  },
);
