/** The default site with some files changed, an application that serves it, and requests to that. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from '@jest/globals';
import type { Response } from 'supertest';
import { loadSite } from '../support/site-sources.ts';
import type { Site } from '../../src/repository/repository.ts';
import { createTestAtoll, root, type TestAtoll } from '../support/atoll.ts';
import { pngBytes } from '../support/png.ts';

const folder = await mkdtemp(join(tmpdir(), 'atoll-site-format-'));
afterAll(() => rm(folder, { recursive: true }));

export type Changes = Readonly<Record<string, (text: string) => string>>;
export const swap =
  (...pairs: readonly (readonly [string, string])[]) =>
  (text: string): string =>
    pairs.reduce((changed, [from, to]) => {
      if (!changed.includes(from)) throw new Error(`There is no "${from}"`);
      return changed.replace(from, to);
    }, text);
export const add = (lines: string) => (text: string) => `${text}\n${lines}\n`;

let copies = 0;
/** The default site with some files changed. */
export const siteWith = async (changes: Changes): Promise<Site> => {
  copies += 1;
  const copy = join(folder, String(copies));
  await cp(join(root, 'data/site'), copy, { recursive: true });
  for (const [file, change] of Object.entries(changes)) {
    const before = await readFile(join(copy, file), 'utf8').catch(() => '');
    await writeFile(join(copy, file), change(before));
  }
  return loadSite(copy);
};

export const atollWith = async (changes: Changes): Promise<TestAtoll> => {
  const site = await siteWith(changes);
  return createTestAtoll({ site: () => site, fixture: 'empty' });
};

export const documentOf = async (atoll: TestAtoll) =>
  (await atoll.send('GET', '/openapi.json').expect(200)).body as {
    paths: Record<string, Record<string, { operationId?: string; responses?: Record<string, { headers?: object }> }>>;
    components: { schemas: Record<string, { required?: string[]; properties: Record<string, unknown> }> };
  };

export const node = (more: object = {}) => ({
  type: [{ target_id: 'islandora_object' }],
  title: [{ value: 'A letter' }],
  field_model: [{ target_id: 24 }],
  ...more,
});

export const create = (atoll: TestAtoll, body: object, as = 'admin', path = '/node?_format=json') =>
  atoll.send('POST', path, as).set('Content-Type', 'application/json').send(body);
export const patch = (atoll: TestAtoll, path: string, body: object, as = 'admin') =>
  atoll
    .send('PATCH', `${path}?_format=json`, as)
    .set('Content-Type', 'application/json')
    .send({ ...(path.startsWith('/node') ? { type: [{ target_id: 'islandora_object' }] } : {}), ...body });
export const read = (atoll: TestAtoll, path: string, as?: string) => atoll.send('GET', `${path}?_format=json`, as);
export const put = (atoll: TestAtoll, path: string, location: string) =>
  atoll.send('PUT', path, 'admin').set({ 'Content-Type': 'image/png', 'Content-Location': location }).send(pngBytes());
export const upload = (atoll: TestAtoll, path: string, name: string) =>
  atoll
    .send('POST', `${path}?_format=json`, 'admin')
    .set({ 'Content-Type': 'application/octet-stream', 'Content-Disposition': `file; filename="${name}"` })
    .send(pngBytes());
export const linksOf = ({ headers }: Response): string => (headers as Readonly<Record<string, string>>)['link'] ?? ''; // supertest's headers have any type
