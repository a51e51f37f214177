/** Rule 2: which member is the id of a record, who makes it, and that any text can be one. */
import { expect, it } from '@jest/globals';
import { newWorld, rows, startRemembering } from './support/remembering.ts';
import { del, get, having, keeping, post, put, type Step } from './support/steps.ts';

const key = { 'X-Api-Key': 'k' };
const uuid = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;
const isUuid: unknown = expect.stringMatching(uuid);
const order = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const free = '11111111-2222-4333-8444-555555555555';

rows(
  'Rule 2: whole numbers',
  { document: 'library' },
  {
    'count above all that were ever seen': [
      having(key, post('/books', { title: 'A' }, 201, { id: 8 }, { Location: '/books/8' })),
      having(key, post('/books', { title: 'B' }, 201, { id: 9 })),
      del('/books/9', 204, null),
      having(key, post('/books', { title: 'C' }, 201, { id: 10 })),
      get('/books/9', 404),
    ],
    'the member named like the parameter is the id, before a member id': [
      get('/authors/12', 200, { authorId: 12, id: 'not-this-one' }),
      post('/authors', { name: 'Moore' }, 200, { authorId: 13, name: 'Moore' }),
      get('/authors/13', 200, { authorId: 13, name: 'Moore' }),
      get('/authors/not-this-one', 400),
    ],
    'the name of the parameter without the singular of the path is the id': [
      post('/rooms', { number: 40 }, 201, { number: 40 }, { Location: '/rooms/40' }),
      get('/rooms/40', 200, { number: 40 }),
    ],
    'a number that the client has to send is the client’s: 201, and 409 where it exists': [
      post('/rooms', { number: 40, name: 'One' }, 201),
      post('/rooms', { number: 40, name: 'Two' }, 409),
      get('/rooms/40', 200, { number: 40, name: 'One' }),
    ],
  },
);

rows(
  'Rule 2: UUIDs',
  { document: 'orders' },
  {
    'are made by the world': [
      keeping({ id: '/id' }, post('/v1/orders', { quantity: 2 }, 201, { id: isUuid })),
      get('/v1/orders/<id>', 200, { id: '<id>', quantity: 2 }),
      keeping(
        { id: '/data/customer_id' },
        post('/v1/customers', { name: 'A' }, 201, { data: { customer_id: isUuid } }),
      ),
      get('/v1/customers/<id>', 200, { customer_id: '<id>', name: 'A' }),
    ],
    // open: UUIDs are the world's, and the schema of POST lets the client send one.
    'a UUID that the client may send is the client’s, and 409 where it exists': [
      post('/v1/orders', { id: free, quantity: 2 }, 201, { id: free }),
      get(`/v1/orders/${free}`, 200, { id: free, quantity: 2 }),
      post('/v1/orders', { id: free, quantity: 3 }, 409),
      post('/v1/orders', { id: order, quantity: 3 }, 409),
      get(`/v1/orders/${free}`, 200, { quantity: 2 }),
    ],
    'a UUID that clients only read is never the client’s': [
      keeping(
        { id: '/data/customer_id' },
        post('/v1/customers', { name: 'A', customer_id: free }, 201, {
          data: { customer_id: expect.not.stringContaining(free) },
        }),
      ),
      get(`/v1/customers/${free}`, 404),
      get('/v1/customers/<id>', 200),
    ],
  },
);

rows(
  'Rule 2: texts',
  { document: 'orders' },
  {
    'are made by their pattern, each another one': [
      keeping({ one: 'Location' }, post('/v1/hooks', { url: 'http://a.test/' }, 201, null)),
      keeping({ two: 'Location' }, post('/v1/hooks', { url: 'http://b.test/' }, 201, null)),
      get('<one>', 200, { id: expect.stringMatching(/^hk_[a-z]{6}$/), url: 'http://a.test/' }),
      get('<two>', 200, { id: expect.stringMatching(/^hk_[a-z]{6}$/), url: 'http://b.test/' }),
    ],
  },
);

const oddIds = [
  ...[
    'a/b',
    '/',
    'a%2Fb',
    '100%',
    '%',
    'a b',
    ' ',
    '+',
    'a?b#c',
    'a&b=c',
    '"quoted"',
    "it's",
    '\\',
    '<i>',
    '{id}',
    ':id',
    '*',
  ],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'undefined', 'true', '0', '-1', '007', '1e3'],
  ...['日本語', 'é', 'e\u0301', 'Ω', '😀', '\u200b', 'ß', 'İ', '...', '~main', 'x'.repeat(200)],
];

const oddRow = (id: string): Step[] => {
  const path = `/tags/${encodeURIComponent(id)}`;
  return [
    get(path, 404),
    post('/tags', { name: id, colour: 'red' }, 201, { name: id, colour: 'red' }, { Location: path }),
    get(path, 200, { name: id, colour: 'red' }),
    get('/tags', 200, [{ name: id }]),
    post('/tags', { name: id, colour: 'blue' }, 409),
    put(path, { name: id, colour: 'blue' }, 200, { name: id, colour: 'blue' }),
    del(path, 204, null),
    get(path, 404),
    get('/tags', 200, []),
  ];
};

rows(
  'Rule 2: any text is an id',
  { document: 'weblog' },
  {
    ...Object.fromEntries(oddIds.map((id) => [`${JSON.stringify(id)}: 201, 200, 409, 204, 404`, oddRow(id)])),
    'an id that was deleted is free for a client that sends it: 201': [
      post('/tags', { name: 'x', colour: 'red' }, 201),
      del('/tags/x', 204, null),
      post('/tags', { name: 'x' }, 201, { name: 'x', colour: 'grey' }),
    ],
    'upper and lower case, and two forms of one letter, are apart': [
      ...['A', 'a', 'é', 'e\u0301'].map((name) => post('/tags', { name }, 201)),
      get('/tags', 200, [{ name: 'A' }, { name: 'a' }, { name: 'é' }, { name: 'e\u0301' }]),
    ],
    'a text that POST requires is the client’s, and 409 where it exists': [
      post('/users', { slug: 'cy', name: 'Cy' }, 201, { slug: 'cy', name: 'Cy' }, { Location: '/users/cy' }),
      post('/users', { slug: 'ada', name: 'Another' }, 409),
      get('/users/ada', 200, { name: 'Ada' }),
    ],
    // open: such a record could never be asked for.
    'a text that no address can name, half of a pair of surrogates, is refused, and nothing is stored: 422': [
      post('/tags', '{"name":"a\\ud800"}', [400, 422]),
      get('/tags', 200, []),
      post('/users/ada/posts', '{"slug":"\\udc00","title":"A"}', [400, 422]),
      post('/users', '{"slug":"\\udc00","name":"A"}', [400, 422]),
      get('/users', 200, [{ slug: 'ada' }, { slug: 'bo' }]),
    ],
    'a text that POST requires and does not get: 422': [post('/users', { name: 'Cy' }, 422)],
  },
);

it('The same seed makes the same UUIDs and texts, another seed others', async () => {
  const idsWith = async (seed: string): Promise<unknown[]> => {
    const server = await startRemembering('orders', { seed });
    const world = await newWorld(server);
    const made: unknown[] = [];
    for (const [path, sent] of [
      ['/v1/orders', { quantity: 1 }],
      ['/v1/orders', { quantity: 1 }],
      ['/v1/hooks', { url: 'http://a.test/' }],
    ] as const) {
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(sent) };
      const { headers } = await world.fetch(path, init);
      made.push(headers.get('Location')?.split('/').at(-1));
    }
    await server.close();
    return made;
  };
  const first = await idsWith('a');
  expect(new Set(first).size).toBe(3);
  expect(await idsWith('a')).toEqual(first);
  expect(await idsWith('b')).not.toEqual(first);
});
