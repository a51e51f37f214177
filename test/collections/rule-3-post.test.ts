/** Rule 3: what POST stores, what it answers, and what it does not store. */
import { expect } from '@jest/globals';
import { now, rows } from './support/remembering.ts';
import { absent, del, get, having, keeping, listOf, mocked, post } from './support/steps.ts';

const key = { 'X-Api-Key': 'k' };
const isDate: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);

rows(
  'Rule 3: a record',
  { document: 'library' },
  {
    'has defaults, an id and the members of the server: 201': [
      having(
        key,
        post(
          '/books',
          { title: 'Logbook' },
          201,
          {
            id: 8,
            title: 'Logbook',
            status: 'available',
            tags: [],
            lent: false,
            shelf: 'Z-9',
            addedAt: now,
            updatedAt: now,
          },
          { Location: '/books/8', 'Content-Type': /^application\/json/ },
        ),
      ),
      get('/books/8', 200, { id: 8, title: 'Logbook', status: 'available', tags: [], shelf: 'Z-9', addedAt: now }),
      get('/books?limit=5', 200, listOf('id', 1, 2, 3, 7, 8), { 'X-Total-Count': '5' }),
    ],
    'has what was sent in place of defaults, null too': [
      having(
        key,
        post('/books', { title: 'Log', author: null, tags: ['x'], status: 'lent', lent: true }, 201, {
          ...{ id: 8, author: null, tags: ['x'], status: 'lent', lent: true, year: absent },
        }),
      ),
      get('/books/8', 200, { author: null, tags: ['x'], status: 'lent' }),
    ],
    'ignores members that clients only read, and an id among them does not conflict': [
      having(
        key,
        post('/books', { id: 1, title: 'Log', shelf: 'X-1', addedAt: '1999-01-01T00:00:00Z' }, 201, {
          ...{ id: 8, title: 'Log', shelf: 'Z-9', addedAt: now },
        }),
      ),
      get('/books/1', 200, { title: 'Tide tables' }),
    ],
    'does not show members that clients only write, and is not found by them': [
      having(key, post('/books', { title: 'Log', note: 'secret words' }, 201, { id: 8, note: absent })),
      get('/books/8', 200, { id: 8, note: absent }),
      get('/books?page=2', 200, [{ id: 7 }, { id: 8, note: absent }]),
      get('/books?q=secret', 200, []),
    ],
    'keeps members that the schema does not name': [
      having(
        key,
        post('/books', { title: 'Log', more: { deep: [1, null, 'x'] } }, 201, { more: { deep: [1, null, 'x'] } }),
      ),
      get('/books/8', 200, { more: { deep: [1, null, 'x'] } }),
    ],
    'is not stored where the body is refused: 401, 415, 400 and 422': [
      post('/books', { title: 'Log' }, 401),
      having({ ...key, 'Content-Type': 'text/csv' }, post('/books', 'title', 415)),
      having(key, post('/books', '{"title":', 400)),
      having(key, post('/books', { title: '' }, 422)),
      get('/books?limit=5', 200, listOf('id', 1, 2, 3, 7)),
      having(key, post('/books', { title: 'Log' }, 201, { id: 8 })),
    ],
    // open: the member is neither sent nor marked, and is required of the record: only the server can give it.
    'has a date that is required and that clients cannot send, by the clock of the world': [
      post('/authors', { name: 'Moore' }, 200, { authorId: 13, name: 'Moore', joined: now }),
    ],
  },
);

rows(
  'Rule 3: a record that does not fit',
  { document: 'library' },
  {
    'is answered by the mock, which says why, and is not stored': [
      mocked(
        post('/authors', { name: 'A name of more than twenty letters' }, 200, undefined, { 'Atoll-Reason': /name/ }),
      ),
      get('/authors', 200, [{ authorId: 12 }]),
      mocked(post('/authors', { name: 'A', address: { town: 5 } }, 200, undefined, { 'Atoll-Reason': /town/ })),
      get('/authors', 200, [{ authorId: 12 }]),
      post('/authors', { name: 'Moore', address: { town: 'Cork' } }, 200, { name: 'Moore', address: { town: 'Cork' } }),
    ],
  },
);

rows(
  'Rule 3: the body as documented',
  { document: 'orders' },
  {
    'the id alone, with the record behind it': [
      keeping(
        { id: '/id', place: 'Location' },
        post('/v1/orders', { quantity: 2, note: 'fast' }, 201, { id: expect.any(String), quantity: absent }),
      ),
      get('<place>', 200, { id: '<id>', quantity: 2, note: 'fast', status: 'open', created_at: now }),
      get('/v1/orders?limit=9', 200, { total: 4 }),
    ],
    // The example of an answer beats that of a member (OpenAPI 3.1 §4.8.14), so it is gold and not silver.
    'an envelope, with the members of the server': [
      keeping(
        { id: '/data/customer_id', place: 'Location' },
        post('/v1/customers', { name: 'Quay', password: 'p' }, 201, {
          data: { name: 'Quay', tier: 'gold', password: absent },
        }),
      ),
      get('<place>', 200, { customer_id: '<id>', name: 'Quay', tier: 'gold', password: absent }),
    ],
    'none, with Location': [
      keeping({ place: 'Location' }, post('/v1/hooks', { url: 'http://a.test/' }, 201, null)),
      get('<place>', 200, { url: 'http://a.test/' }),
    ],
    'a record that does not fit is the mock’s: 201, with the reason': [
      mocked(post('/v1/orders', { quantity: 0 }, 201, { id: expect.any(String) }, { 'Atoll-Reason': /quantity/ })),
      mocked(post('/v1/orders', { quantity: 1, note: 'much too long' }, 201, undefined, { 'Atoll-Reason': /note/ })),
      get('/v1/orders?limit=9', 200, { total: 3 }),
    ],
    'a body that its own schema refuses is a refusal: 422, in the form of the document': [
      post('/v1/orders', { quantity: 'two' }, 422, { error: { message: expect.stringContaining('quantity') } }),
      post('/v1/orders', { quantity: 2, colour: 'red' }, 422),
      get('/v1/orders?limit=9', 200, { total: 3 }),
    ],
  },
);

const schemas = {
  Box: {
    type: 'object',
    required: ['id', 'name', 'state', 'weight'],
    properties: {
      id: { type: 'integer', readOnly: true },
      name: { type: 'string' },
      state: { type: 'string', readOnly: true, enum: ['fresh', 'old'] },
      weight: { type: 'number', readOnly: true },
      madeOn: { type: 'string', format: 'date', readOnly: true },
      opened: { type: 'string', format: 'date-time' },
      size: { type: 'object', properties: { unit: { type: 'string', default: 'cm' }, width: { type: 'number' } } },
      links: { type: 'array', readOnly: true, items: { type: 'string' } },
    },
  },
};
const box = { $ref: '#/components/schemas/Box' };
const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Boxes', version: '1' },
  paths: {
    '/boxes': {
      get: { responses: { 200: { description: 'ok', ...json({ type: 'array', items: box }) } } },
      post: {
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: box },
            'application/x-www-form-urlencoded': { schema: box },
          },
        },
        responses: { 202: { description: 'later', ...json(box) }, 400: { description: 'no' } },
      },
    },
    '/boxes/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { 200: { description: 'ok', ...json(box) } } },
      delete: { responses: { default: { description: 'gone or not' } } },
    },
  },
  components: { schemas },
});

rows(
  'Rule 3: other documents',
  { document, options: { fixture: 'empty' } },
  {
    'the first documented success is the status: 202': [
      post('/boxes', { name: 'A' }, 202, { id: 1, name: 'A' }),
      get('/boxes/1', 200, { id: 1, name: 'A' }),
    ],
    'members of the server without an example are samples that fit': [
      post('/boxes', { name: 'A' }, 202, { state: expect.stringMatching(/^(fresh|old)$/), weight: expect.any(Number) }),
      get('/boxes/1', 200, { state: expect.stringMatching(/^(fresh|old)$/), weight: expect.any(Number) }),
    ],
    'a date-time that clients write is not filled in': [
      post('/boxes', { name: 'A' }, 202, { opened: absent }),
      post('/boxes', { name: 'B', opened: '2001-01-01T00:00:00Z' }, 202, { opened: '2001-01-01T00:00:00Z' }),
    ],
    // open: a default deep inside counts where its object was sent, as in any body.
    'defaults deep inside are those of what was sent': [
      post('/boxes', { name: 'A', size: { width: 2 } }, 202, { size: { width: 2, unit: 'cm' } }),
      post('/boxes', { name: 'B' }, 202, { size: absent }),
    ],
    'a form makes a record as JSON does': [
      having(
        { 'Content-Type': 'application/x-www-form-urlencoded' },
        post('/boxes', 'name=A+box&opened=2001-01-01T00%3A00%3A00Z', 202, { id: 1, name: 'A box' }),
      ),
      get('/boxes/1', 200, { name: 'A box', opened: isDate }),
    ],
    // open: DELETE has no documented success but `default`.
    'DELETE with `default` alone deletes: 204 or 200': [
      post('/boxes', { name: 'A' }, 202, { id: 1 }),
      del('/boxes/1', [200, 204]),
      get('/boxes/1', 404),
    ],
  },
);
