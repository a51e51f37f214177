/**
 * Everything of a sample answers as the document of its site says: each record, format, link and account. Every account crawls
 * three sites with 200 objects each. `sites.test.ts` walks a smaller one in `npm test`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditLinks } from '../../src/checks/checks.ts';
import { canonicalPath, entityTypes } from '../../src/repository/repository.ts';
import { museum, press, writeSite, type InventedSite } from '../support/invented-sites.ts';
import { accountOf, basic } from '../support/requests.ts';
import { startServer, type TestServer } from '../support/server.ts';

const objects = 200;
const patience = 600_000;

const everybody = ['anonymous', 'plain', 'viewer', 'owner', 'editor', 'admin'];
type Visitor = { readonly name: string; readonly headers: Readonly<Record<string, string>> };
const visitorsOf = (names: readonly string[]): Visitor[] =>
  names.map((name) => ({ name, headers: name === 'anonymous' ? {} : basic(name).headers }));

/** Where the server shows records of these types: addresses with their formats. */
const addressesOf = async ({ world }: TestServer, type: string): Promise<string[]> => {
  const { entities } = await world.store.list(type, { offset: 0, limit: 1000 });
  const lists = type === 'node' ? ['/media?_format=json', '/members?_format=json'] : [];
  return entities.flatMap(({ id }) =>
    ['?_format=json', '?_format=jsonld', ...lists].map((rest) => canonicalPath(type, id) + rest),
  );
};

/** Links of headers and addresses in bodies that lead to this server. */
const leadsOn = (base: string, answer: Response, body: string): string[] =>
  [...(answer.headers.get('link') ?? '').matchAll(/<([^>]+)>/g), ...body.matchAll(/"(https?:[^"]+|\/[^"]+)"/g)]
    .map(([, address = '']) => address.replaceAll('\\/', '/'))
    .map((address) => (address.startsWith('/') ? base + address : address))
    .filter((address) => address.startsWith(`${base}/`));

/** Every status that is a failure of the server, by visitor and address. */
const crawl = async (server: TestServer, visitor: Visitor): Promise<{ asked: number; failures: string[] }> => {
  const types = await Promise.all(entityTypes.map((type) => addressesOf(server, type)));
  const queue = types.flat().map((path) => server.url + path);
  const seen = new Set<string>();
  const failures: string[] = [];
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    if (seen.has(address)) continue;
    seen.add(address);
    const answer = await fetch(address, { headers: visitor.headers });
    const body = await answer.text();
    if (answer.status >= 500) failures.push(`${visitor.name} ${address} ${answer.status} ${body.slice(0, 300)}`);
    else if (answer.status === 200) queue.push(...leadsOn(server.url, answer, body));
  }
  return { asked: seen.size, failures };
};

const sites: readonly (readonly [string, InventedSite | undefined])[] = [
  ['the default site', undefined],
  ['a museum', museum],
  ['a newspaper', press],
];

describe.each(sites)('A sample of %s', (_name, invented) => {
  let server: TestServer;
  let folder: string;
  const warnings: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'atoll-sample-'));
    const site = invented === undefined ? undefined : await writeSite(join(folder, 'site'), invented);
    const warn = (message: string): void => void warnings.push(message);
    server = await startServer({ fixture: `sample:${objects}`, site, traffic: 0, warn });
  });
  afterAll(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  it('has records of every bundle, and nothing that the model kept out', async () => {
    const { site, store } = server.world;
    expect(warnings).toEqual([]);
    for (const type of ['node', 'media'] as const) {
      const { entities } = await store.list(type, { offset: 0, limit: 1000 });
      expect(new Set(entities.map(({ bundle }) => bundle))).toEqual(
        new Set(site.model.bundles(type).map(({ id }) => id)),
      );
    }
  });

  it.each(visitorsOf(everybody).map((visitor) => [visitor.name, visitor] as const))(
    'answers %s as its document says',
    async (_, visitor) => {
      const { asked, failures } = await crawl(server, visitor);
      expect(failures).toEqual([]);
      expect(server.errors).toEqual([]);
      expect(asked).toBeGreaterThan(150);
    },
    patience,
  );

  it(
    'has links without a finding, from every node',
    async () => {
      const { entities } = await server.world.store.list('node', { offset: 0, limit: 1000 });
      const from = entities.map(({ id }) => `${server.url}/node/${id}`);
      const { findings, walks } = await auditLinks({ base: server.url, from, as: everybody.map(accountOf) });
      expect(findings).toEqual([]);
      expect(walks.map(({ pages }) => pages.size > 10)).toEqual(walks.map(() => true));
    },
    patience,
  );
});
