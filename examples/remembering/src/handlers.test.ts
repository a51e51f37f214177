/** What the handlers do that the mock does not. */
import { type AtollFixtures, atollFixtures } from 'atoll-server/vitest';
import { expect, test as base } from 'vitest';
import { createBookmarks } from './bookmarks.ts';

const test = base.extend<AtollFixtures>(atollFixtures());

test('refuses an address that is bookmarked already', async ({ world }) => {
  const bookmarks = createBookmarks(world.url);
  await bookmarks.add({ kind: 'page', url: 'https://tides.example/' });
  const again = bookmarks.add({ kind: 'page', url: 'https://tides.example/', title: 'Tides' });
  await expect(again).rejects.toMatchObject({ status: 409, message: 'https://tides.example/ is bookmarked already.' });
});

test('dates a bookmark by the clock of its world', async ({ world }) => {
  await world.clock.set({ now: '2030-05-01T12:00:00Z', mode: 'frozen' });
  const { made } = await createBookmarks(world.url).add({ kind: 'page', url: 'https://tides.example/' });
  expect(made).toBe('2030-05-01T12:00:00.000Z');
});
