/** Shapes of lists, answers and records that documents of teams have, and the three documents have not. */
import { expect } from '@jest/globals';
import { now, rows } from './support/remembering.ts';
import { shapesDocument } from './support/shapes-document.ts';
import { absent, del, get, keeping, listOf, patch, post, put } from './support/steps.ts';

rows(
  'Lists of other shapes',
  { document: shapesDocument },
  {
    // open: the schema of the list says which members an item has.
    'a list of summaries has the members that its schema allows, and one record has all': [
      post('/articles', { title: 'A', body: 'Long', words: 2 }, 201, { id: 1, body: 'Long' }),
      get('/articles', 200, [{ id: 1, title: 'A', body: absent, words: absent }]),
      get('/articles/1', 200, { id: 1, title: 'A', body: 'Long', words: 2 }),
    ],
    // open: the rule names members; documents often have them one level deeper.
    'counts one level deeper are right, too': [
      ...['A', 'B', 'C'].map((title) => post('/pages', { title }, 201)),
      get('/pages', 200, {
        ...{
          items: listOf('title', 'A', 'B'),
          pagination: { page: 1, per_page: 2, total: 3, total_pages: 2, has_next: true },
        },
        links: { next: expect.stringContaining('page=2') },
      }),
      get('/pages?page=2', 200, {
        ...{ items: listOf('title', 'C'), pagination: { page: 2, total: 3, has_next: false }, links: { next: null } },
      }),
    ],
    'a date is compared as the client writes it': [
      post('/dated', { day: '2030-01-02' }, 201),
      post('/dated', { day: '2030-01-03', at: now }, 201),
      get('/dated?day=2030-01-03', 200, [{ day: '2030-01-03', at: now }]),
    ],
  },
);

rows(
  'Queries of other shapes',
  { document: shapesDocument },
  {
    // open: who cannot read a member should not find its order either.
    'sort by a member that clients only write leaves the order': [
      post('/accounts', { name: 'A', password: 'z' }, 201),
      post('/accounts', { name: 'B', password: 'a' }, 201),
      get('/accounts?sort=password', 200, listOf('name', 'A', 'B')),
      get('/accounts?sort=-name', 200, listOf('name', 'B', 'A')),
    ],
    'a page of length 0 is empty, and a page before the first is not an error of the server': [
      post('/accounts', { name: 'A', password: 'z' }, 201),
      get('/accounts?limit=0', 200, []),
      get('/accounts?limit=1&page=1', 200, listOf('name', 'A')),
      get('/accounts?limit=1&page=-3', [200, 400]),
      get('/accounts?limit=1&page=9007199254740991', 200, []),
    ],
  },
);

rows(
  'Whole numbers as ids',
  { document: shapesDocument },
  {
    'count above those that clients have put, and above what was deleted': [
      put('/things/50', { name: 'A' }, 201, { id: 50, name: 'A' }),
      post('/things', { name: 'B' }, 201, { id: 51 }),
      del('/things/51', 204),
      post('/things', { name: 'C' }, 201, { id: 52 }),
      get('/things', 200, listOf('id', 50, 52)),
    ],
    // open: which of these, but never two records with one number.
    'are one number however they are written: 400, 404, or the same record': [
      put('/things/1', { name: 'A' }, 201),
      put('/things/1.0', { name: 'B' }, [200, 400, 404]),
      put('/things/1e0', { name: 'C' }, [200, 400, 404]),
      get('/things', 200, listOf('id', 1)),
      put('/things/9007199254740993', { name: 'D' }, [400, 404, 422]),
      get('/things', 200, listOf('id', 1)),
    ],
    'count above those of examples below a parent, too': [
      put('/things/1', { name: 'A' }, 201),
      put('/things/2', { name: 'B' }, 201),
      keeping({ id: '/id' }, post('/things/1/parts', { name: 'bolt' }, 201, { thingId: 1, name: 'bolt' })),
      keeping({ nut: '/id' }, post('/things/2/parts', { name: 'nut' }, 201, { thingId: 2 })),
      get('/things/1/parts/<id>', 200, { name: 'bolt' }),
      get('/things/2/parts/<nut>', 200, { name: 'nut' }),
      del('/things/1/parts/<id>', 204),
      keeping({ next: '/id' }, post('/things/1/parts', { name: 'screw' }, 201)),
      get('/things/1/parts/<id>', 404),
      get('/things/1/parts/<next>', 200, { name: 'screw' }),
    ],
  },
);

rows(
  'Records of other shapes',
  { document: shapesDocument },
  {
    'a member that is required and that clients only write is kept, and never shown': [
      post('/accounts', { name: 'A', password: 'p' }, 201, { id: 1, name: 'A', password: absent }),
      patch('/accounts/1', { name: 'B' }, 200, { name: 'B', password: absent }),
      get('/accounts', 200, [{ id: 1, name: 'B', password: absent }]),
      // Without it the record would not fit.
      patch('/accounts/1', { password: null }, 422),
      put('/accounts/1', { name: 'C' }, 422),
      get('/accounts/1', 200, { name: 'B' }),
    ],
    // open: literally it does not fit, and the mock would answer; but inputs often have such members (terms accepted, a captcha).
    'a member that the request may have and the record may not is left out': [
      post('/strict', { name: 'A', age: 3 }, 201, { id: 1, name: 'A', age: absent }),
      get('/strict', 200, [{ id: 1, name: 'A', age: absent }]),
    ],
    'one of several schemas': [
      post('/pets', { kind: 'dog', trick: 'sit' }, 201, { id: 1, kind: 'dog', trick: 'sit' }),
      post('/pets', { kind: 'cat', lives: 7 }, 201, { id: 2, kind: 'cat', lives: 7 }),
      post('/pets', { kind: 'bird' }, 422),
      patch('/pets/1', { trick: null }, 422),
      get('/pets', 200, [
        { id: 1, kind: 'dog', trick: 'sit' },
        { id: 2, kind: 'cat' },
      ]),
      del('/pets/1', 204),
      get('/pets', 200, [{ id: 2 }]),
    ],
    'an answer to POST that is no record has the id, and the rest from the document': [
      post('/jobs', { title: 'A' }, 201, { ok: true, id: 1 }),
      post('/jobs', { title: 'B' }, 201, { ok: true, id: 2 }),
      get('/jobs/2', 200, { id: 2, title: 'B' }),
    ],
    'patches that are no objects are refused or replace nothing: 400 or 422 (RFC 7396 would replace the record)': [
      post('/articles', { title: 'A' }, 201),
      patch('/articles/1', [1], [400, 422]),
      patch('/articles/1', 'null', [400, 422]),
      patch('/articles/1', '"x"', [400, 422]),
      get('/articles/1', 200, { title: 'A' }),
    ],
  },
);
