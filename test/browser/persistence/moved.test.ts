/** What a server has written can be taken into a page, and out of it again. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { exportRepository, importRepository } from '../../../src/browser/persistence/archive.ts';
import { loadSite } from '../../../src/server/sources/disk-site.ts';
import { createTestAtoll, root } from '../../support/atoll.ts';
import { filesOf, writtenRepository, type Repository } from '../../worlds/moved/repository.ts';
import { starterSite } from '../../worlds/moved/sites.ts';

jest.setTimeout(60_000);

let repository: Repository;
beforeAll(async () => {
  repository = await writtenRepository(starterSite);
});
afterAll(() => repository.remove());

it('an archive of every kind of write is taken, and given back as it was', async () => {
  const site = await loadSite(join(root, 'data/sites/starter-site'));
  const page = await createTestAtoll({ site: () => site, fixture: 'empty' });
  await importRepository(page.worlds, new Blob([await readFile(repository.archive)]), site);
  const archive = await exportRepository(page.worlds.main);
  expect(await filesOf(new Uint8Array(await archive.arrayBuffer()))).toEqual(repository.content.files);
});
