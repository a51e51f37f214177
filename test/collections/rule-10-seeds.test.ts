/** Rule 10: the records with which a collection begins. */
import { describe, expect, it } from '@jest/globals';
import { documentWith, newWorld, rows, startRemembering, type RememberingOptions } from './support/remembering.ts';
import { get, having, listOf, mocked, post } from './support/steps.ts';

const key = { 'X-Api-Key': 'k' };

rows(
  'Rule 10: without a fixture',
  { document: 'library' },
  {
    'the list’s first example': [get('/books?limit=5', 200, listOf('id', 1, 2, 3, 7))],
    'else the example of one': [
      get('/authors', 200, [{ authorId: 12, name: 'Anne Byrne', joined: '2019-05-05T10:00:00Z' }]),
    ],
  },
);

rows(
  'Rule 10: the first of several examples',
  { document: 'orders' },
  {
    'of a list in an envelope': [get('/v1/orders?limit=9', 200, { data: listOf('quantity', 5, 1, 3), total: 3 })],
    'else the example of one': [get('/v1/customers', 200, { items: [{ name: 'Harbour office', tier: 'gold' }] })],
  },
);

rows(
  'Rule 10: the fixture "empty"',
  { document: 'library', options: { fixture: 'empty' } },
  {
    'has none, and counts from 1': [
      get('/books', 200, [], { 'X-Total-Count': '0' }),
      get('/authors', 200, []),
      having(key, post('/books', { title: 'A' }, 201, { id: 1 })),
    ],
  },
);

rows('Rule 10: an empty example', { document: 'weblog' }, { 'gives no records': [get('/tags', 200, [])] });

const fixture = `collections:
  books:
    - { id: 40, title: Of a fixture, author: Byrne }
    - { id: 12, title: Another }
  authors: []
`;

rows(
  'Rule 10: collections of a fixture',
  { document: 'library', options: { fixture: 'fixture.yaml' }, files: { 'fixture.yaml': fixture } },
  {
    'come in their order, in place of the examples': [
      get('/books', 200, [{ id: 40, title: 'Of a fixture' }, { id: 12 }], { 'X-Total-Count': '2' }),
      having(key, post('/books', { title: 'A' }, 201, { id: 41 })),
      get('/authors', 200, []),
    ],
    // open: a collection that the fixture does not name begins as without a fixture.
    'leave others as they begin without one': [get('/rooms', 200, [{}, {}, {}])],
  },
);

/** The names are those of the start's table. */
const nested = `collections:
  users: [{ slug: ada, name: Ada }, { slug: a/b, name: Slashed }]
  users/posts:
    - { slug: one, userSlug: a/b, title: Of the fixture }
    - { slug: one, userSlug: ada, title: Of Ada }
  users/posts/comments:
    - { id: 10, slug: one, user_slug: a/b, text: Of the fixture }
`;

rows(
  'Rule 10: nested collections of a fixture',
  { document: 'weblog', options: { fixture: 'fixture.yaml' }, files: { 'fixture.yaml': nested } },
  {
    'are below the parents that they name': [
      get('/users', 200, listOf('slug', 'ada', 'a/b')),
      get('/users/a%2Fb/posts', 200, [{ slug: 'one', title: 'Of the fixture' }]),
      get('/users/ada/posts', 200, [{ slug: 'one', title: 'Of Ada' }]),
      get('/users/a%2Fb/posts/one/comments', 200, [{ id: 10, text: 'Of the fixture' }]),
      get('/users/ada/posts/one/comments', 200, []),
      post('/users/a%2Fb/posts/one/comments', { text: 'x' }, 201, { id: 11 }),
      get('/users/a%2Fb/posts/one/comments/10', 200, { text: 'Of the fixture' }),
    ],
  },
);

const startsWith = async (document: string, options: RememberingOptions = {}, files = {}) => {
  const server = await startRemembering(document, options, files);
  const world = await newWorld(server);
  const lists: Record<string, unknown> = {};
  for (const path of ['/books?limit=5', '/rooms']) lists[path] = await (await world.fetch(path)).json();
  const said = server.errors.map(String).join('\n');
  await server.close();
  return { rooms: lists['/rooms'] as { number: number }[], books: lists['/books?limit=5'] as { id: number }[], said };
};

describe('Rule 10: records that a document does not give', () => {
  it('are three samples that fit, the same by one seed', async () => {
    const { rooms } = await startsWith('library', { seed: 'a' });
    expect(rooms).toHaveLength(3);
    expect(new Set(rooms.map(({ number }) => number)).size).toBe(3);
    for (const { number } of rooms) expect(Number.isInteger(number) && number >= 1).toBe(true);
    expect((await startsWith('library', { seed: 'a' })).rooms).toEqual(rooms);
  });

  it('are others by another seed', async () => {
    // open: the ids of whole numbers may be 1, 2, 3 in any case; a name is drawn.
    const named = documentWith('library', 'required: [number]', 'required: [number, name]');
    const [a, b] = [await startsWith(named, { seed: 'a' }), await startsWith(named, { seed: 'b' })];
    expect(a.rooms).toHaveLength(3);
    expect(a.rooms).not.toEqual(b.rooms);
  });
});

describe('Rule 10: a record that does not fit', () => {
  const lineOf = (text: string, words: string): number =>
    text.split('\n').findIndex((line) => line.includes(words)) + 1;

  it('is left out of an example, with file and line', async () => {
    const text = documentWith(
      'library',
      'author: Moore\n                  year: 1890',
      'author: Moore\n                  year: 3',
    );
    const { books, said } = await startsWith(text);
    expect(books).toMatchObject([{ id: 1 }, { id: 3 }, { id: 7 }]);
    expect(said).toContain(`api.yaml:${lineOf(text, '- id: 2')}`);
  });

  it('is left out of a fixture, with file and line', async () => {
    const text = fixture.replace('title: Another', 'title: ""');
    const { books, said } = await startsWith('library', { fixture: 'fixture.yaml' }, { 'fixture.yaml': text });
    expect(books).toMatchObject([{ id: 40 }]);
    expect(said).toContain(`fixture.yaml:${lineOf(text, 'title: ""')}`);
  });

  // open: a fixture with objects is refused for what is wrong with it, too.
  it('is left out, or refuses the start, where its id is there already, with file and line', async () => {
    const text = fixture.replace('id: 12', 'id: 40');
    const outcome = await startsWith('library', { fixture: 'fixture.yaml' }, { 'fixture.yaml': text }).then(
      ({ books, said }) => {
        expect(books).toMatchObject([{ id: 40, title: 'Of a fixture' }]);
        return said;
      },
      String,
    );
    expect(outcome).toContain(`fixture.yaml:${lineOf(text, 'Another')}`);
  });

  it('of a collection that is not there is refused, or told with its line', async () => {
    const text = `${fixture}  bocks: [{ id: 1, title: A }]\n`;
    const outcome = await startsWith('library', { fixture: 'fixture.yaml' }, { 'fixture.yaml': text }).then(
      ({ said }) => said,
      String,
    );
    expect(outcome).toContain('bocks');
  });
});

rows(
  '--stateless',
  { document: 'library', options: { stateless: true } },
  {
    'remembers nothing: all answers are those of the mock': [
      mocked(having(key, post('/books', { title: 'A' }, 201))),
      mocked(get('/books/99', 200)),
      mocked(get('/books', 200, listOf('id', 1, 2, 3, 7))),
      mocked(get('/authors', 200)),
    ],
  },
);
