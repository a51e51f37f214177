/** Rule 5: the members of a list. Rule 6: what the parameters of a query do. */
import { expect } from '@jest/globals';
import { rows } from './support/remembering.ts';
import { absent, del, get, keeping, listOf, post } from './support/steps.ts';

const one = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const two = '6f9619ff-8b86-4011-b42d-00c04fc964ff';
const three = 'a3bb189e-8bf9-4888-9912-ace4e6543002';

rows(
  'Rule 5: an envelope with a cursor',
  { document: 'orders' },
  {
    'has its page of records, the total before paging, whether there is more, and the rest from the example': [
      keeping(
        { cursor: '/next_cursor' },
        get('/v1/orders', 200, {
          ...{
            data: listOf('id', one, two),
            total: 3,
            hasMore: true,
            next_cursor: expect.any(String),
            currency: 'EUR',
          },
        }),
      ),
      get('/v1/orders?cursor=<cursor>', 200, { data: [{ id: three }], total: 3, hasMore: false, next_cursor: null }),
    ],
    'counts what the filter leaves': [
      get('/v1/orders?status=paid', 200, { data: [{ id: two }], total: 1, hasMore: false, next_cursor: null }),
      get('/v1/orders?status=paid,sent', 200, { data: listOf('id', two, three), total: 2, hasMore: false }),
    ],
    'keeps the filter beside the cursor': [
      keeping(
        { cursor: '/next_cursor' },
        get('/v1/orders?status=open,sent&limit=1', 200, { data: [{ id: one }], total: 2 }),
      ),
      get('/v1/orders?status=open,sent&limit=1&cursor=<cursor>', 200, { data: [{ id: three }], hasMore: false }),
    ],
    // open: a cursor that was given before stays right when what it has passed is deleted.
    'goes on behind a record that was deleted': [
      keeping({ cursor: '/next_cursor' }, get('/v1/orders?limit=1', 200, { data: [{ id: one }] })),
      del(`/v1/orders/${one}`, 202),
      get('/v1/orders?limit=1&cursor=<cursor>', 200, { data: [{ id: two }] }),
    ],
    // open: the value was never given as a cursor.
    'refuses a cursor that is none: 400': [get('/v1/orders?cursor=%00nonsense', 400)],
    'is empty without records': [
      ...[one, two, three].map((id) => del(`/v1/orders/${id}`, 202)),
      get('/v1/orders', 200, { data: [], total: 0, hasMore: false, next_cursor: null, currency: 'EUR' }),
    ],
    'has new records at its end': [
      keeping({ id: '/id' }, post('/v1/orders', { quantity: 1 }, 201)),
      get('/v1/orders?limit=10', 200, { data: listOf('id', one, two, three, '<id>'), total: 4 }),
    ],
  },
);

const named = (...names: string[]) => names.map((name) => post('/v1/customers', { name }, 201));
const hooks = (...names: string[]) => names.map((name) => post('/v1/hooks', { url: `http://${name}.test/` }, 201));
const urls = (...names: string[]): unknown => listOf('url', ...names.map((name) => `http://${name}.test/`));

rows(
  'Rule 5: addresses of the next and the previous page',
  { document: 'orders', options: { fixture: 'empty' } },
  {
    'by offset: echoed, with addresses that lead there': [
      ...named('a', 'b', 'c', 'd', 'e'),
      keeping(
        { next: '/next' },
        get('/v1/customers?limit=2', 200, {
          items: listOf('name', 'a', 'b'),
          total_count: 5,
          offset: 0,
          limit: 2,
          previous: null,
        }),
      ),
      keeping(
        { next: '/next', previous: '/previous' },
        get('<next>', 200, { items: listOf('name', 'c', 'd'), offset: 2, limit: 2 }),
      ),
      get('<previous>', 200, { items: listOf('name', 'a', 'b'), previous: null }),
      get('<next>', 200, { items: [{ name: 'e' }], offset: 4, next: null }),
    ],
    'by offset: the default of the schema is echoed': [
      ...named('a'),
      get('/v1/customers', 200, {
        items: [{ name: 'a' }],
        total_count: 1,
        offset: 0,
        limit: 20,
        next: null,
        previous: null,
      }),
    ],
    'by page: echoed, with addresses that lead there': [
      ...hooks('a', 'b', 'c', 'd', 'e'),
      keeping(
        { next: '/next' },
        get('/v1/hooks', 200, { results: urls('a', 'b'), count: 5, page: 1, page_size: 2, previous: null }),
      ),
      keeping({ next: '/next', previous: '/previous' }, get('<next>', 200, { results: urls('c', 'd'), page: 2 })),
      get('<previous>', 200, { results: urls('a', 'b') }),
      get('<next>', 200, { results: urls('e'), page: 3, next: null }),
      get('/v1/hooks?page=2&page_size=3', 200, { results: urls('d', 'e'), page: 2, page_size: 3 }),
    ],
    'a page behind the last is empty: 200': [
      ...hooks('a'),
      get('/v1/hooks?page=9', 200, { results: [], count: 1, page: 9, next: null }),
      get('/v1/customers?offset=99', 200, { items: [], total_count: 0, offset: 99 }),
    ],
    'more than the maximum, or less than one: 400': [
      get('/v1/hooks?page_size=4', 400),
      get('/v1/hooks?page=0', 400),
      get('/v1/customers?limit=51', 400),
      get('/v1/customers?offset=-1', 400),
    ],
    'a list without parameters has all': [get('/v1/carts', 200, { carts: [], count: 0 })],
  },
);

rows(
  'Rule 6: filters',
  { document: 'library' },
  {
    'a parameter like a member: equals': [
      get('/books?author=Byrne', 200, listOf('id', 1, 3), { 'X-Total-Count': '2' }),
      get('/books?author=byrne', 200, []),
      get('/books?author=Byr', 200, []),
      get('/books?year=1890', 200, listOf('id', 2, 7)),
      get('/books?lent=true', 200, listOf('id', 3)),
      get('/books?lent=false', 200, listOf('id', 1, 2, 7)),
    ],
    'a list: any of them': [
      get('/books?status=lost&status=lent', 200, listOf('id', 2, 3)),
      get('/books?status=lost', 200, listOf('id', 2)),
      // open: the member is a list, too: one in common is enough.
      get('/books?tags=sky', 200, listOf('id', 2, 7)),
      get('/books?tags=sky,sea', 200, listOf('id', 1, 2, 7)),
    ],
    'several parameters: all of them': [
      get('/books?author=Byrne&year=1931', 200, listOf('id', 3)),
      get('/books?author=Byrne&year=1890', 200, []),
      get('/books?author=Byrne&q=lights', 200, listOf('id', 3)),
    ],
    'q and search: contained': [
      get('/books?q=lights', 200, listOf('id', 3)),
      get('/books?q=arbour', 200, listOf('id', 3)),
      get('/books?q=Byrne', 200, listOf('id', 1, 3)),
      get('/authors?search=Byrne', 200, listOf('authorId', 12)),
      get('/authors?search=nobody', 200, []),
    ],
    // open: letters of either case.
    'q: contained whatever the case': [
      get('/books?q=HARBOUR', 200, listOf('id', 3)),
      get('/books?q=%C3%B3%20n%C3%A9ill', 200, listOf('id', 7)),
    ],
    // open: texts in lists.
    'q: contained in a text of a list': [get('/books?q=sky', 200, listOf('id', 2, 7))],
    'q is plain text, not an expression': [
      get('/books?q=.*', 200, []),
      get('/books?q=%25', 200, []),
      get('/books?q=', 200, listOf('id', 1, 2, 3)),
    ],
    'a declared parameter that no member is like filters nothing, nor does one that is not declared': [
      get('/books?borrowedBefore=2020-01-01', 200, listOf('id', 1, 2, 3)),
      get('/books?title=Almanac', 200, listOf('id', 1, 2, 3)),
      get('/books?id=2', 200, listOf('id', 1, 2, 3)),
    ],
    'what a write changes is filtered as it is now': [
      del('/books/1', 204),
      get('/books?author=Byrne', 200, listOf('id', 3), { 'X-Total-Count': '1' }),
    ],
  },
);

rows(
  'Rule 6: pages, headers and order',
  { document: 'library' },
  {
    'the default and the maximum of the schema': [
      get('/books', 200, listOf('id', 1, 2, 3)),
      get('/books?limit=5', 200, listOf('id', 1, 2, 3, 7)),
      get('/books?limit=6', 400),
      get('/books?page=2', 200, listOf('id', 7)),
      get('/books?page=2&limit=2', 200, listOf('id', 3, 7)),
      get('/books?page=9', 200, [], { 'X-Total-Count': '4' }),
    ],
    'Link leads to the next page and back, with the filter; the count is that before paging': [
      keeping(
        { next: 'Link next' },
        get('/books', 200, listOf('id', 1, 2, 3), { 'X-Total-Count': '4', 'Link prev': null }),
      ),
      keeping({ back: 'Link prev' }, get('<next>', 200, listOf('id', 7), { 'X-Total-Count': '4', 'Link next': null })),
      get('<back>', 200, listOf('id', 1, 2, 3)),
      keeping(
        { next: 'Link next' },
        get('/books?author=Byrne&limit=1', 200, listOf('id', 1), { 'X-Total-Count': '2' }),
      ),
      get('<next>', 200, listOf('id', 3), { 'X-Total-Count': '2', 'Link next': null }),
    ],
    'neither header where none is documented': [get('/authors', 200, undefined, { Link: null, 'X-Total-Count': null })],
    'sort and -sort, equal ones in the order of their making': [
      get('/books?sort=title&limit=5', 200, listOf('id', 2, 3, 1, 7)),
      get('/books?sort=-title&limit=5', 200, listOf('id', 7, 1, 3, 2)),
      get('/books?sort=year&limit=5', 200, listOf('id', 2, 7, 1, 3)),
      get('/books?sort=-year&limit=5', 200, listOf('id', 3, 1, 2, 7)),
      get('/books?sort=-year&limit=2&page=2', 200, listOf('id', 2, 7)),
      get('/books?sort=shelf', 400),
    ],
    // open: json-server's names, and `sortBy`.
    'further names of paging and order': [
      ...['Zoe', 'Amy', 'Kit'].map((name) => post('/authors', { name }, 200)),
      get('/authors?_page=2&_limit=3', 200, listOf('name', 'Kit')),
      get('/authors?sortBy=name', 200, listOf('name', 'Amy', 'Anne Byrne', 'Kit', 'Zoe')),
    ],
  },
);

rows(
  'Rule 6: order by other words',
  { document: 'orders' },
  {
    'name:desc and name:asc': [
      get('/v1/orders?sort=quantity:desc&limit=9', 200, { data: listOf('quantity', 5, 3, 1) }),
      get('/v1/orders?sort=quantity:asc&limit=9', 200, { data: listOf('quantity', 1, 3, 5) }),
      get('/v1/orders?sort=-created_at&limit=9', 200, { data: listOf('id', three, two, one) }),
    ],
    // open: no member has this name: the order stays, and nothing is refused.
    'a member that no record has leaves the order': [
      get('/v1/orders?sort=nothing&limit=9', 200, { data: listOf('id', one, two, three) }),
    ],
    // open: a record without the member comes last, both ways.
    'records without the member come last': [
      keeping({ id: '/id' }, post('/v1/orders', { quantity: 9, note: 'b' }, 201)),
      get('/v1/orders?sort=note&limit=9', 200, {
        data: [{ note: 'b' }, { note: absent }, { note: absent }, { note: absent }],
      }),
      get('/v1/orders?sort=-note&limit=9', 200, {
        data: [{ note: 'b' }, { note: absent }, { note: absent }, { note: absent }],
      }),
    ],
  },
);
