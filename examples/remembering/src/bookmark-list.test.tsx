/** The page and its client, in a world of its own for every test. Nothing here knows whether a mock or a handler answers. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { AtollWorld } from 'atoll-server';
import { type AtollFixtures, atollFixtures } from 'atoll-server/vitest';
import { afterEach, expect, test as base } from 'vitest';
import { BookmarkList } from './bookmark-list.tsx';
import { createBookmarks } from './bookmarks.ts';

const test = base.extend<AtollFixtures>(atollFixtures());
afterEach(cleanup);

const patient = { timeout: 30_000 };
const open = (world: AtollWorld): void => {
  cleanup();
  render(<BookmarkList bookmarks={createBookmarks(world.url)} />);
};
const seen = (title: string) => screen.findByRole('link', { name: title }, patient);
const counted = (total: number) => screen.findByRole('heading', { name: `Bookmarks: ${total}` }, patient);
const fill = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const add = (url: string, title: string): void => {
  fill('Address', url);
  fill('Title', title);
  fireEvent.click(screen.getByText('Add'));
};

test('begins with the example of the document', async ({ world }) => {
  open(world);
  await seen('From examples');
  await counted(1);
});

test('shows what was added, also when it is opened again', async ({ world }) => {
  open(world);
  await counted(1);
  add('https://tides.example/', 'Tides');
  await seen('Tides');
  open(world);
  expect((await seen('Tides')).getAttribute('href')).toBe('https://tides.example/');
  await counted(2);
});

test('does not show what was removed', async ({ world }) => {
  open(world);
  fireEvent.click(await screen.findByLabelText('Remove From examples', {}, patient));
  await counted(0);
  await expect(createBookmarks(world.url).read(1)).rejects.toMatchObject({ status: 404 });
});

test('says why an address is refused', async ({ world }) => {
  open(world);
  await counted(1);
  add('not an address', '');
  expect((await screen.findByRole('alert', {}, patient)).textContent).toContain('/requestBody/url');
  await counted(1);
});

test('reads by pages', async ({ world }) => {
  const bookmarks = createBookmarks(world.url);
  for (let number = 1; number <= 20; number += 1)
    await bookmarks.add({ kind: 'page', url: `https://${number}.example/`, title: `No ${number}` });
  open(world);
  await counted(21);
  expect(screen.getAllByRole('link')).toHaveLength(20);
  fireEvent.click(screen.getByText('Next page'));
  await seen('No 20');
  expect(screen.getAllByRole('link')).toHaveLength(1);
});

test('gives ids that were never used, and each its bookmark', async ({ world }) => {
  const bookmarks = createBookmarks(world.url);
  const first = await bookmarks.add({ kind: 'page', url: 'https://first.example/' });
  await bookmarks.remove(first.id);
  const second = await bookmarks.add({ kind: 'page', url: 'https://second.example/' });
  expect(second.id).toBeGreaterThan(first.id);
  expect(await bookmarks.read(second.id)).toEqual(second);
  await expect(bookmarks.read(first.id)).rejects.toMatchObject({ status: 404 });
});

test('lists the bookmarks that `ids` names', async ({ world }) => {
  const bookmarks = createBookmarks(world.url);
  const { id } = await bookmarks.add({ kind: 'page', url: 'https://tides.example/' });
  const listed = await (await world.fetch(`/bookmarks?ids=${id},99`)).json();
  expect(listed).toEqual([await bookmarks.read(id)]);
});

test('begins again after a reset', async ({ world }) => {
  const bookmarks = createBookmarks(world.url);
  await bookmarks.add({ kind: 'image', url: 'https://added.example/' });
  await bookmarks.remove(1);
  await world.reset();
  expect((await bookmarks.list(0)).bookmarks.map(({ title }) => title)).toEqual(['From examples']);
});
