/** Vitest: one server a file, nobody listens, and a world of its own for every test. */
import { basic, bearer, createClient } from 'atoll-server/client';
import type { AtollWorld } from 'atoll-server';
import { type AtollFixtures, atollFixtures } from 'atoll-server/vitest';
import { expect, test as base } from 'vitest';
import { createTheses } from './theses.ts';

const pdf = new Blob(['%PDF-1.4\n%%EOF\n'], { type: 'application/pdf' });
const thesis = { title: 'On tides', pdf, name: 'tides.pdf' };

const test = base.extend<AtollFixtures>(atollFixtures({ port: false }));

const thesesAs = (world: AtollWorld, name: string, password: string) =>
  createTheses(createClient({ baseUrl: world.url, fetch: world.fetch, authentication: bearer(basic(name, password)) }));

test('a thesis is deposited with its file', async ({ world }) => {
  const theses = thesesAs(world, 'editor', 'editor');
  const id = await theses.deposit(thesis);
  expect(await theses.titleOf(id)).toBe('On tides');
  const { total } = await world.traffic({ operation: 'putNodeMedia', status: '201' });
  expect(total).toBe(1);
});

test('a correction is dated, and stays in its world', async ({ atoll, world }) => {
  await world.clock.set({ now: '2030-05-01T12:00:00Z', mode: 'frozen' });
  await thesesAs(world, 'editor', 'editor').correct(1, 'Corrected');
  const [node] = [(await (await world.fetch('/node/1?_format=json')).json()) as { changed: { value: string }[] }];
  expect(Date.parse(node.changed[0]?.value ?? '')).toBe(Date.parse('2030-05-01T12:00:00Z'));
  const elsewhere = await (await atoll.fetch('/node/1?_format=json')).text();
  expect(elsewhere).not.toContain('Corrected');
});

test('a reader may not deposit: 403', async ({ world }) => {
  await expect(thesesAs(world, 'viewer', 'viewer').deposit(thesis)).rejects.toMatchObject({ status: 403 });
});

test('a maintenance page in place of JSON is an error that says so', async ({ world }) => {
  await world.faults.add({ fault: 'maintenance-page' });
  await expect(thesesAs(world, 'editor', 'editor').titleOf(1)).rejects.toMatchObject({ status: 503 });
});

test('the client keeps the contract', async ({ world }) => {
  const theses = thesesAs(world, 'editor', 'editor');
  await theses.correct(await theses.deposit(thesis), 'On low tides');
  const { entries } = await world.traffic();
  expect(entries.filter(({ verdict }) => verdict.request !== 'kept' || verdict.reply !== 'kept')).toEqual([]);
});
