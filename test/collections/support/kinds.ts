/** The collections of the three documents, as the model has them. */
import type { Kind, Value } from './model.ts';
import type { DocumentName } from './remembering.ts';

const isText = (value: unknown): boolean => typeof value === 'string';
const atLeast = (value: unknown, least: number): boolean => value === undefined || (value as number) >= least; // drawn as a number

const ofBooks = { status: 'available', tags: [], lent: false };
const books: Kind = {
  ...{ name: 'books', path: '/books', id: 'id', ids: 'counted' },
  begins: [
    {
      id: 1,
      title: 'Tide tables',
      author: 'Byrne',
      year: 1912,
      status: 'available',
      tags: ['sea'],
      shelf: 'A-1',
      lent: false,
    },
    {
      id: 2,
      title: 'Almanac',
      author: 'Moore',
      year: 1890,
      status: 'lost',
      tags: ['sky', 'sea'],
      shelf: 'A-2',
      lent: false,
    },
    { id: 3, title: 'Harbour lights', author: 'Byrne', year: 1931, status: 'lent', tags: [], shelf: 'B-1', lent: true },
    {
      id: 7,
      title: 'Zoology',
      author: 'Ó Néill',
      year: 1890,
      status: 'available',
      tags: ['sky'],
      shelf: 'B-2',
      lent: false,
    },
  ],
  body: ({ text, number, flag }) => ({ ...ofBooks, title: text, ...(flag ? { year: 1449 + number } : {}) }),
  patch: ({ text, number, flag }) =>
    flag ? { year: 1449 + number } : { title: text === 'B' ? null : text, author: null },
  added: { shelf: 'Z-9' },
  kept: ['shelf'],
  isBodyRight: ({ title, year }) => title !== '' && atLeast(year, 1450),
  fits: ({ title, year }) => isText(title) && title !== '' && atLeast(year, 1450),
  does: ['post', 'put', 'patch', 'delete', 'get', 'list'],
  createsByPut: false,
  success: { post: 201, delete: 204 },
};

const customer = '9b2d0b4c-6f0e-4b58-8b64-0a4d2f3d6a01';
const orders: Kind = {
  ...{ name: 'orders', path: '/v1/orders', id: 'id', ids: 'made' },
  begins: [
    { id: '3f2504e0-4f89-41d3-9a0c-0305e82c3301', status: 'open', quantity: 5, customer_id: customer },
    { id: '6f9619ff-8b86-4011-b42d-00c04fc964ff', status: 'paid', quantity: 1, customer_id: customer },
    {
      id: 'a3bb189e-8bf9-4888-9912-ace4e6543002',
      status: 'sent',
      quantity: 3,
      customer_id: '1b4e28ba-2fa1-4bd2-883f-0016d3cca427',
    },
  ],
  body: ({ text, number }, does) => ({ quantity: number, note: text, ...(does === 'put' ? { status: 'paid' } : {}) }),
  patch: ({ text, number, flag }) =>
    flag ? { quantity: number } : { note: text === '' ? null : text, status: 'sent' },
  added: { status: 'open' },
  kept: [],
  // The schema of a new order takes any whole number, that of an order one from 1 on.
  isBodyRight: () => true,
  fits: ({ quantity }) => atLeast(quantity, 1),
  does: ['post', 'put', 'patch', 'delete', 'get', 'list'],
  createsByPut: true,
  success: { post: 201, delete: 202 },
};

const carts: Kind = {
  ...{ name: 'carts', path: '/v1/carts', id: 'cartId', ids: 'sent', begins: [], added: {}, kept: [] },
  body: ({ id, text }) => ({ cartId: id, items: [text] }),
  patch: () => ({}),
  isBodyRight: () => true,
  fits: () => true,
  does: ['put', 'get', 'list'],
  createsByPut: true,
  success: { post: 200 },
};

const users: Kind = {
  ...{ name: 'users', path: '/users', id: 'slug', ids: 'sent', added: {}, kept: [] },
  begins: [
    { slug: 'ada', name: 'Ada' },
    { slug: 'bo', name: 'Bo' },
  ],
  body: ({ id, text }) => ({ slug: id, name: text }),
  patch: () => ({}),
  isBodyRight: () => true,
  fits: () => true,
  does: ['post', 'delete', 'get', 'list'],
  createsByPut: false,
  success: { post: 201, delete: 204 },
};

const plainSlug = (id: string): string => (id === 'é' ? 'A B' : id.replaceAll(/[^a-z]/g, '-'));
const posts: Kind = {
  ...{ name: 'posts', parent: 'users', path: '{}/posts', id: 'slug', ids: 'sent', added: {}, kept: [] },
  begins: [
    { parentPath: '/users/ada', slug: 'hello', userSlug: 'ada', title: 'Hello' },
    { parentPath: '/users/ada', slug: 'again', userSlug: 'ada', title: 'Again' },
    { parentPath: '/users/bo', slug: 'hello', userSlug: 'bo', title: 'Hello from Bo' },
  ],
  body: ({ id, text, flag }) => ({ slug: plainSlug(id), title: text, draft: flag }),
  patch: ({ text, flag }) => ({ title: text === '' ? null : text, draft: flag }),
  isBodyRight: ({ slug }) => slug !== 'A B',
  fits: ({ title }) => isText(title),
  does: ['post', 'patch', 'delete', 'get', 'list'],
  createsByPut: false,
  success: { post: 201, delete: 204 },
};

const tags: Kind = {
  ...{ name: 'tags', path: '/tags', id: 'name', ids: 'sent', begins: [], added: {}, kept: [] },
  body: ({ id, text }) => ({ name: id, colour: text }),
  patch: () => ({}),
  isBodyRight: () => true,
  fits: () => true,
  does: ['post', 'put', 'delete', 'get', 'list'],
  createsByPut: true,
  success: { post: 201, delete: 204 },
};

export const kindsOf: Readonly<Record<DocumentName, readonly Kind[]>> = {
  library: [books],
  orders: [orders, carts],
  weblog: [users, posts, tags],
};

/** The members whose values are a time. The tables of rules say what they are. */
const times = ['addedAt', 'updatedAt', 'created_at', 'published'];

export const withoutTimes = (record: Value): Value =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !times.includes(name)));
