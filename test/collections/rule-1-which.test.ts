/** Rule 1: which paths of a document remember, and that all others are mocked as ever. */
import { get, head, listOf, mocked, patch, post, put } from './support/steps.ts';
import { rows } from './support/remembering.ts';

rows(
  'Rule 1: a bare list',
  { document: 'library' },
  {
    'a pair with POST, PUT, PATCH and DELETE remembers': [
      patch('/books/1', { title: 'Tides' }, 200, { id: 1, title: 'Tides' }),
      get('/books/1', 200, { id: 1, title: 'Tides' }),
      get('/books', 200, listOf('title', 'Tides', 'Almanac', 'Harbour lights')),
    ],
    'HEAD is GET without a body': [
      head('/books/1', 200, null, { ETag: /^"/, 'Content-Type': /json/ }),
      head('/books', 200, null, { 'X-Total-Count': '4' }),
      head('/books/99', 404, null),
    ],
    'a pair with GET and POST alone remembers': [
      post('/rooms', { number: 77, name: 'Map room' }, 201, { number: 77, name: 'Map room' }),
      get('/rooms/77', 200, { number: 77, name: 'Map room' }),
    ],
    'the path of the servers leads to the same records': [
      patch('/v1/books/1', { title: 'Tides' }, 200),
      get('/books/1', 200, { title: 'Tides' }),
      get('/v1/books/1', 200, { title: 'Tides' }),
    ],
  },
);

rows(
  'Rule 1: envelopes',
  { document: 'orders' },
  {
    'a list in an object remembers': [
      get('/v1/orders/6f9619ff-8b86-4011-b42d-00c04fc964ff', 200, { status: 'paid', quantity: 1 }),
    ],
    'a pair without POST remembers where PUT writes': [
      put('/v1/carts/mine', { cartId: 'mine', items: ['tea'] }, 200, { cartId: 'mine', items: ['tea'] }),
      get('/v1/carts/mine', 200, { cartId: 'mine', items: ['tea'] }),
    ],
  },
);

rows(
  'Rule 1: paths that are not collections',
  { document: 'weblog' },
  {
    'the extension says false: 201 and 200 of the mock': [
      mocked(post('/visits', { text: 'x' }, 201)),
      mocked(get('/visits', 200)),
      mocked(get('/visits/1', 200)),
    ],
    'GET of one gives no object': [mocked(post('/reports', {}, 201)), mocked(get('/reports/1', 200))],
    'the record has no id': [mocked(post('/events', { what: 'x' }, 201)), mocked(get('/events/1', 200))],
    'two members could be the id': [mocked(post('/twins', { what: 'x' }, 201)), mocked(get('/twins/1', 200))],
    'no operation writes': [mocked(get('/countries', 200)), mocked(get('/countries/1', 200))],
  },
);

rows(
  'Rule 1: the extension decides',
  { document: 'weblog' },
  {
    'by its id and items: the named list has the records, the other is that of the example': [
      get('/drafts', 200, { rows: [{ code: 'd1', text: 'One' }], pinned: [], total: 1 }),
      get('/drafts/d1', 200, { code: 'd1', id: 1, text: 'One' }),
      post('/drafts', { code: 'd2', text: 'Two' }, 201, { code: 'd2', text: 'Two' }),
      get('/drafts', 200, { rows: [{ code: 'd1' }, { code: 'd2', text: 'Two' }], pinned: [], total: 2 }),
    ],
    // open: `parent` names a member, as `id` and `items` do; the parent itself is found by the path.
    'by its parent: the named member has the id of the parent': [
      get('/users/nobody/notes', 404),
      post('/users/nobody/notes', { text: 'x' }, 404),
      post('/users/ada/notes', { text: 'x' }, 201, { id: 1, text: 'x', author: 'ada' }),
      get('/users/ada/notes', 200, [{ id: 1, text: 'x', author: 'ada' }]),
      get('/users/bo/notes', 200, []),
    ],
    // open: nothing at the path can say who is a person.
    'below a path without a collection each address has its own': [
      post('/people/ada/calls', { text: 'x' }, 201, { text: 'x' }),
      get('/people/ada/calls', 200, [{ text: 'x' }]),
      get('/people/bo/calls', 200, []),
    ],
  },
);

const record = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } };
const answer = (schema: unknown, status = 200, type = 'application/json') => ({
  responses: { [status]: { description: 'ok', content: { [type]: { schema } } } },
});
const writing = { requestBody: { content: { 'application/json': { schema: record } } }, ...answer(record, 201) };
const pair = (
  path: string,
  {
    one = record,
    list = { type: 'array', items: record },
    type,
  }: { one?: unknown; list?: unknown; type?: string } = {},
) => ({
  [`${path}/{id}`]: {
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
    get: answer(one, 200, type),
  },
  [path]: { get: answer(list), post: writing },
});
const document = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'Shapes', version: '1' },
  paths: {
    ...pair('/composed', { one: { allOf: [record, { properties: { more: { type: 'string' } } }] } }),
    ...pair('/typed', { type: 'application/vnd.api+json' }),
    ...pair('/two-lists', {
      list: {
        type: 'object',
        properties: { a: { type: 'array', items: record }, b: { type: 'array', items: record } },
      },
    }),
    '/alone/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: answer(record),
      put: { ...writing, ...answer(record) },
    },
    '/search': { get: answer({ type: 'array', items: record }), post: writing },
    ...pair('/a/fixed/path'),
  },
});

rows(
  'Rule 1: other shapes',
  { document, options: { fixture: 'empty' } },
  {
    'a record that is composed': [
      post('/composed', { name: 'x' }, 201, { id: 1 }),
      get('/composed/1', 200, { name: 'x' }),
    ],
    'a media type with +json': [post('/typed', { name: 'x' }, 201, { id: 1 }), get('/typed/1', 200, { name: 'x' })],
    'a path of several segments': [
      post('/a/fixed/path', { name: 'x' }, 201, { id: 1 }),
      get('/a/fixed/path/1', 200, { name: 'x' }),
    ],
    'a path of one record without that of the list is none': [
      mocked(put('/alone/1', { name: 'x' }, 200)),
      mocked(get('/alone/1', 200)),
    ],
    'a list without a path of one record is none': [
      mocked(post('/search', { name: 'x' }, 201)),
      mocked(get('/search', 200)),
    ],
    // open: the list is ambiguous; whether the rest of the pair remembers is not said. "Exactly one array" makes it no collection.
    'a list with two arrays of records is none': [
      mocked(post('/two-lists', { name: 'x' }, 201)),
      mocked(get('/two-lists', 200)),
    ],
  },
);
