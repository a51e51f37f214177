/** Pages of other sites: every record that an account may read has one, with the labels of its own fields. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { escapedMarkup } from '../../src/basics/markup.ts';
import { bundleOf, addressPath, canonicalPath, entityPath } from '../../src/repository/repository.ts';
import { museum, press, writeSite } from '../support/invented-sites.ts';
import { basic } from '../support/requests.ts';
import { startServer, type TestServer } from '../support/server.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atoll-pages-'));
});
afterAll(() => rm(folder, { recursive: true }));

const sites = {
  museum: () => writeSite(join(folder, 'museum'), museum),
  press: () => writeSite(join(folder, 'press'), press),
  'starter-site': () => Promise.resolve('starter-site'),
} as const;

describe.each(['museum', 'press', 'starter-site'] as const)('On the site %s', (name) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startServer({ site: await sites[name](), fixture: 'sample:25' });
  }, 60_000);
  afterAll(() => server.stop());

  const ask = (path: string, accept = 'text/html'): Promise<Response> =>
    fetch(`${server.url}${path}`, { headers: { Accept: accept, ...basic('admin').headers } });

  it('each record has a page at its address, and at its alias: 200', async () => {
    const { store, site, access } = server.world;
    const admin = await access.principal(1);
    expect(admin?.mayEverything).toBe(true);
    let seen = 0;
    for (const type of ['node', 'media', 'taxonomy_term', 'user'] as const) {
      const { entities } = await store.list(type, { offset: 0, limit: 40 });
      for (const entity of entities.filter(({ id }) => id !== 0)) {
        const json = await ask(`${canonicalPath(type, entity.id)}?_format=json`, 'application/json');
        const visible = (await json.json()) as object; // a record of the contract
        for (const path of new Set([addressPath(site, type, entity.id), entityPath(site, entity)])) {
          const answer = await ask(path);
          expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
            path,
            200,
            'text/html; charset=UTF-8',
          ]);
          const text = await answer.text();
          const { fields } = bundleOf(site, entity);
          const filled = [...fields.values()].filter(
            (field) => field.configured && field.name in entity.fields && field.name in visible,
          );
          for (const { label } of filled) expect(text).toContain(`<dt>${escapedMarkup(label)}</dt>`);
          seen += 1;
        }
      }
    }
    expect(seen).toBeGreaterThan(25);
    expect(server.errors).toEqual([]);
  });

  it('links of a page lead to pages and bytes: 200', async () => {
    const { entities } = await server.world.store.list('node', { offset: 0, limit: 8 });
    const found = new Set<string>();
    for (const entity of entities) {
      const text = await (await ask(entityPath(server.world.site, entity))).text();
      const article = /<article>[^]*<\/article>/.exec(text)?.[0] ?? '';
      for (const [, href = ''] of article.matchAll(/(?:href|src)="(\/[^"]*)"/g))
        found.add(href.replaceAll('&amp;', '&'));
    }
    expect(found.size).toBeGreaterThan(0);
    for (const path of found) expect([path, (await ask(path)).status]).toEqual([path, 200]);
  });
});
