/** What the console's overview shows of a world: its address, site, counts and accounts. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { components } from '../../src/client/generated/control.ts';
import { createTestAtoll, type TestAtoll } from '../support/atoll.ts';

type Repository = components['schemas']['Repository'];

let atoll: TestAtoll;
beforeAll(async () => {
  atoll = await createTestAtoll();
});

const repository = async (prefix = ''): Promise<Repository> => {
  const response = await atoll.send('GET', `${prefix}/_atoll/repository`);
  expect(response.status).toBe(200);
  return response.body as Repository; // held to the document
};

describe('GET /_atoll/repository', () => {
  it('answers 200 with the site, the world and the process', async () => {
    const { site, world, baseUrl, version, durability, started } = await repository();
    expect(site).toEqual({ name: atoll.site.name, langcode: 'en', languages: atoll.site.languages });
    expect([world, baseUrl, version, durability]).toEqual(['main', 'http://localhost:8000', '0.0.0', 'memory']);
    expect(Math.abs(Date.parse(started) - (Date.now() - process.uptime() * 1000))).toBeLessThan(2000);
  });

  it('counts the records of the world that it is asked in', async () => {
    const fork = await atoll.send('POST', '/_atoll/worlds').send({ name: 'counted' });
    expect(fork.status).toBe(201);
    const before = await repository();
    for (const type of ['node', 'media', 'file', 'taxonomy_term', 'user'] as const) {
      const page = await atoll.send('GET', `/_atoll/entities?type=${type}`);
      expect(before.counts[type]).toBe((page.body as { total: number }).total);
    }
    await atoll.send('DELETE', '/~counted/node/5?_format=json', 'admin');
    const inFork = await repository('/~counted');
    expect([inFork.world, inFork.baseUrl]).toEqual(['counted', 'http://localhost:8000/~counted']);
    expect(inFork.counts.node).toBe(before.counts.node - 1);
    expect(inFork.entryPoints[1]?.id).not.toBe(before.entryPoints[1]?.id);
    expect((await repository()).counts).toEqual(before.counts);
  });

  it('has the accounts with roles, and passwords that log in', async () => {
    const { accounts } = await repository();
    const editor = accounts.find(({ name }) => name === 'editor');
    expect(editor).toMatchObject({ id: 2, mail: 'editor@example.org', roles: [{ id: 'editor', label: 'Editor' }] });
    expect(accounts.some(({ id }) => id === 0)).toBe(false);
    expect(accounts.filter(({ blocked }) => blocked).map(({ name }) => name)).toEqual(['blocked']);
    for (const { name, password, blocked } of accounts) {
      const login = await atoll.send('POST', '/user/login?_format=json').send({ name, pass: password });
      expect([name, login.status]).toEqual([name, blocked ? 400 : 200]);
    }
  });

  it('names no password that is not the public one', async () => {
    const other = await createTestAtoll({
      site: (site) => ({
        ...site,
        accounts: site.accounts.map((account) =>
          account.uid === 2 ? { ...account, demoPassword: undefined } : account,
        ),
      }),
    });
    const response = await other.send('GET', '/_atoll/repository');
    const { accounts } = response.body as Repository;
    expect(accounts.find(({ id }) => id === 2)).not.toHaveProperty('password');
    expect(accounts.find(({ id }) => id === 1)).toHaveProperty('password');
    expect(response.text).not.toContain('scrypt');
  });

  it('names the ways to log in, at paths that answer', async () => {
    const { providers, paths } = await repository();
    expect(providers).toEqual(['basic_auth', 'jwt_auth', 'cookie']);
    expect((await atoll.send('GET', paths.loginStatus)).status).toBe(200);
    expect((await atoll.send('GET', paths.sessionToken)).status).toBe(200);
    expect((await atoll.send('GET', paths.token ?? '', 'admin')).status).toBe(200);
    const other = await createTestAtoll({
      site: (site) => ({
        ...site,
        resources: new Map(
          [...site.resources].map(([name, resource]) => [
            name,
            {
              ...resource,
              methods: new Map(
                [...resource.methods].map(([method, each]) => [method, { ...each, providers: ['cookie'] }]),
              ),
            },
          ]),
        ),
      }),
    });
    const withCookies = (await other.send('GET', '/_atoll/repository')).body as Repository;
    expect(withCookies.providers).toEqual(['cookie']);
    expect(withCookies.paths).not.toHaveProperty('token');
  });

  it('leads to entry points that open', async () => {
    const { entryPoints } = await repository();
    expect(entryPoints.map(({ type }) => type)).toEqual(['node', 'node', 'media']);
    for (const { url } of entryPoints) {
      const { pathname, search } = new URL(url);
      expect((await atoll.send('GET', pathname + search, 'admin')).status).toBe(200);
    }
  });

  it('has neither objects nor entry points in an empty repository', async () => {
    const empty = await createTestAtoll({ fixture: 'empty' });
    const { counts, entryPoints } = (await empty.send('GET', '/_atoll/repository')).body as Repository;
    expect([counts.node, counts.media, entryPoints]).toEqual([0, 0, []]);
  });
});
