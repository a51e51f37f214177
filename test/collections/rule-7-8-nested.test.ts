/** Rule 7: collections below a record of another one. Rule 8: singletons. */
import { now, rows } from './support/remembering.ts';
import { absent, del, get, head, keeping, listOf, patch, patchAsJson, post, put } from './support/steps.ts';

rows(
  'Rule 7: nested collections',
  { document: 'weblog' },
  {
    'each parent has its own records, and one slug may be in several': [
      get('/users/ada/posts', 200, listOf('title', 'Hello', 'Again')),
      get('/users/bo/posts', 200, listOf('title', 'Hello from Bo')),
      get('/users/ada/posts/hello', 200, { slug: 'hello', userSlug: 'ada', title: 'Hello' }),
      get('/users/bo/posts/hello', 200, { slug: 'hello', userSlug: 'bo', title: 'Hello from Bo' }),
      get('/users/bo/posts/again', 404),
    ],
    'the member named like the parent’s parameter is filled: 201': [
      post(
        '/users/bo/posts',
        { slug: 'two', title: 'Two' },
        201,
        { slug: 'two', userSlug: 'bo', title: 'Two', draft: false, published: now },
        { Location: '/users/bo/posts/two' },
      ),
      get('/users/bo/posts/two', 200, { userSlug: 'bo', title: 'Two' }),
      get('/users/ada/posts', 200, listOf('slug', 'hello', 'again')),
    ],
    // open: the address says whose it is, whatever the body says.
    'the address is right about the parent, not the body': [
      post('/users/bo/posts', { slug: 'two', title: 'Two', userSlug: 'ada' }, 201, { userSlug: 'bo' }),
      get('/users/ada/posts/two', 404),
      get('/users/bo/posts/two', 200),
    ],
    'one slug twice is a conflict below one parent alone: 409': [
      post('/users/ada/posts', { slug: 'hello', title: 'X' }, 409),
      post('/users/bo/posts', { slug: 'again', title: 'X' }, 201),
      get('/users/ada/posts/again', 200, { title: 'Again' }),
    ],
    'an absent parent is 404 for the list, a new record and one': [
      get('/users/nobody/posts', 404),
      head('/users/nobody/posts', 404, null),
      post('/users/nobody/posts', { slug: 'a', title: 'A' }, 404),
      get('/users/nobody/posts/hello', 404),
      patch('/users/nobody/posts/hello', { title: 'A' }, 404),
      del('/users/nobody/posts/hello', 404),
    ],
    'a new parent has no records, and may get some': [
      post('/users', { slug: 'cy', name: 'Cy' }, 201),
      get('/users/cy/posts', 200, []),
      post('/users/cy/posts', { slug: 'hello', title: 'From Cy' }, 201),
      get('/users/cy/posts', 200, [{ title: 'From Cy', userSlug: 'cy' }]),
    ],
    'deleting a parent deletes its own, and no others': [
      del('/users/ada', 204),
      get('/users/ada/posts', 404),
      get('/users/bo/posts', 200, listOf('slug', 'hello')),
      post('/users', { slug: 'ada', name: 'Another Ada' }, 201),
      get('/users/ada/posts', 200, []),
      get('/users/ada/posts/hello', 404),
    ],
    'a parent whose id needs encoding has its own': [
      post('/users', { slug: 'a/b', name: 'A' }, 201, undefined, { Location: '/users/a%2Fb' }),
      post(
        '/users/a%2Fb/posts',
        { slug: 'x', title: 'X' },
        201,
        { userSlug: 'a/b' },
        { Location: '/users/a%2Fb/posts/x' },
      ),
      get('/users/a%2Fb/posts', 200, [{ slug: 'x', userSlug: 'a/b' }]),
      post('/users', { slug: 'a', name: 'A' }, 201),
      get('/users/a/posts', 200, []),
    ],
    'filters and order act among the records of the parent': [
      get('/users/ada/posts?q=Hello', 200, listOf('slug', 'hello')),
      get('/users/ada/posts?sort=title:asc', 200, listOf('title', 'Again', 'Hello')),
      get('/users/ada/posts?sort=-title', 200, listOf('title', 'Hello', 'Again')),
      post('/users/ada/posts', { slug: 'wip', title: 'Wip', draft: true }, 201),
      get('/users/ada/posts?draft=true', 200, listOf('slug', 'wip')),
    ],
  },
);

const below = '/users/ada/posts/hello/comments';

rows(
  'Rule 7: nested twice',
  { document: 'weblog' },
  {
    'the members named like both parameters are filled': [
      keeping(
        { id: '/id', place: 'Location' },
        post(below, { text: 'Fine' }, 201, { text: 'Fine', slug: 'hello', user_slug: 'ada' }),
      ),
      get('<place>', 200, { text: 'Fine', slug: 'hello', user_slug: 'ada' }),
      get(`${below}/<id>`, 200, { text: 'Fine' }),
      get('/users/bo/posts/hello/comments', 200, []),
      get('/users/bo/posts/hello/comments/<id>', 404),
    ],
    'an absent post, or an absent user, is 404': [
      get('/users/ada/posts/nothing/comments', 404),
      post('/users/ada/posts/nothing/comments', { text: 'x' }, 404),
      get('/users/nobody/posts/hello/comments', 404),
      // The post is there, below another user.
      get('/users/bo/posts/again/comments', 404),
    ],
    'deleting the post deletes its comments': [
      post(below, { text: 'Fine' }, 201),
      post('/users/bo/posts/hello/comments', { text: 'Mine' }, 201),
      del('/users/ada/posts/hello', 204),
      get(below, 404),
      post('/users/ada/posts', { slug: 'hello', title: 'Again' }, 201),
      get(below, 200, []),
      get('/users/bo/posts/hello/comments', 200, [{ text: 'Mine' }]),
    ],
    'deleting the user deletes posts and comments': [
      post(below, { text: 'Fine' }, 201),
      del('/users/ada', 204),
      post('/users', { slug: 'ada', name: 'Ada' }, 201),
      post('/users/ada/posts', { slug: 'hello', title: 'New' }, 201),
      get(below, 200, []),
    ],
    'a change of the post leaves its comments': [
      post(below, { text: 'Fine' }, 201),
      patch('/users/ada/posts/hello', { title: 'Changed' }, 200, { title: 'Changed', userSlug: 'ada' }),
      get(below, 200, [{ text: 'Fine' }]),
    ],
    'numbers count on after a deletion': [
      keeping({ id: '/id' }, post(below, { text: 'One' }, 201)),
      del(`${below}/<id>`, 204),
      keeping({ next: '/id' }, post(below, { text: 'Two' }, 201)),
      get(`${below}/<id>`, 404),
      get(`${below}/<next>`, 200, { text: 'Two' }),
    ],
  },
);

rows(
  'Rule 8: singletons',
  { document: 'weblog' },
  {
    'begins with its example': [get('/settings', 200, { theme: 'light', size: 12 })],
    'PUT replaces, PATCH changes: 200': [
      put('/settings', { theme: 'dark' }, 200, { theme: 'dark', size: absent }),
      get('/settings', 200, { theme: 'dark', size: absent }),
      patchAsJson('/settings', { size: 14 }, 200, { theme: 'dark', size: 14 }),
      get('/settings', 200, { theme: 'dark', size: 14 }),
    ],
    'a change that does not fit is refused: 422': [
      put('/settings', { theme: 'pink' }, 422),
      patchAsJson('/settings', { theme: 'pink' }, 422),
      patchAsJson('/settings', { theme: null }, 422),
      get('/settings', 200, { theme: 'light', size: 12 }),
    ],
    // open: the rule says "no parameter at the end": below a record there is one for each record.
    'below a record each record has its own, and it goes with the record': [
      get('/users/ada/profile', 200, { motto: 'Write daily' }),
      put('/users/ada/profile', { motto: 'Write less' }, 200, { motto: 'Write less' }),
      get('/users/ada/profile', 200, { motto: 'Write less' }),
      get('/users/bo/profile', 200, { motto: 'Write daily' }),
      get('/users/nobody/profile', 404),
      put('/users/nobody/profile', { motto: 'x' }, 404),
      del('/users/ada', 204),
      post('/users', { slug: 'ada', name: 'Ada' }, 201),
      get('/users/ada/profile', 200, { motto: 'Write daily' }),
    ],
  },
);
