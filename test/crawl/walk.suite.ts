/**
 * Everything of a repository answers as the document of its site says, to everybody, and no link is broken: one walk by the
 * links as each visitor, and then what no link has led to. The server checks each answer. `sites.test.ts` walks the default site,
 * `other-sites.crawl.ts` two more.
 */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditLinks } from '../../src/checks/checks.ts';
import { entityTypes, addressPath } from '../../src/repository/repository.ts';
import { accountOf } from '../support/requests.ts';
import type { TestServer } from '../support/server.ts';
import type { Entity } from '../../src/openapi/openapi-records.ts';

type Audit = Awaited<ReturnType<typeof auditLinks>>;
type Visitor = Audit['walks'][number]['visitor'];

export type CrawledSite = {
  readonly start: () => Promise<TestServer>;
  /** Names of accounts, and `anonymous`. The last one may read every record. */
  readonly visitors: readonly string[];
  /** More that holds of the walks, in the order of the visitors. */
  readonly also: (result: Audit, server: TestServer) => void;
};

/** How many pages each visitor has met. */
export const sizesOf = ({ walks }: Audit): number[] => walks.map(({ pages }) => pages.size);

const recordsOf = async ({ world }: TestServer, type: string): Promise<readonly Entity[]> =>
  (await world.store.list(type, { offset: 0, limit: 2000 })).entities;

/** Where records are without formats. One term of each vocabulary is enough: the others differ by their texts alone. */
const placesOf = async (server: TestServer): Promise<readonly string[]> => {
  const types = await Promise.all(
    entityTypes.map(async (type) => {
      const records = await recordsOf(server, type);
      const chosen =
        type === 'taxonomy_term' ? [...new Map(records.map((one) => [one.bundle, one])).values()] : records;
      return chosen.map(({ id }) => server.url + addressPath(server.world.site, type, id));
    }),
  );
  return types.flat();
};

/** What the walk of a visitor has not asked for: records without a link to them, and lists. */
const restOf = (server: TestServer, places: readonly string[], walked: ReadonlyMap<string, unknown>): string[] =>
  places.flatMap((place) => [
    ...(walked.has(place) ? [] : ['json', 'jsonld'].map((format) => `${place}?_format=${format}`)),
    ...(place.startsWith(`${server.url}/node/`)
      ? ['media', 'members'].map((list) => `${place}/${list}?_format=json`)
      : []),
  ]);

/** Statuses by address, of the records that a visitor asks for himself. */
const statusesOf = async (addresses: readonly string[], { headers }: Visitor): Promise<Map<string, number>> => {
  const statuses = new Map<string, number>();
  for (const address of addresses) {
    const answer = await fetch(address, { headers });
    await answer.arrayBuffer();
    statuses.set(address, answer.status);
  }
  return statuses;
};

const isContent = ({ url }: TestServer, address: string): boolean =>
  /^\/(node|media|taxonomy\/term)\/\d+(\/edit)?\?/.test(address.slice(url.length));

export const describeCrawl = (name: string, { start, visitors, also }: CrawledSite): void => {
  describe(`Everything of ${name}`, () => {
    let server: TestServer;
    beforeAll(async () => {
      server = await start();
    }, 60_000);
    afterAll(() => server.stop());

    it(`answers ${visitors.join(', ')} as its document says, and has links without a finding`, async () => {
      const from = (await recordsOf(server, 'node')).map(({ id }) => `${server.url}/node/${id}`);
      const places = await placesOf(server);
      const result = await auditLinks({ base: server.url, from, as: visitors.map(accountOf) });
      expect(result.findings).toEqual([]);
      for (const { visitor, pages } of result.walks) {
        const statuses = await statusesOf(restOf(server, places, pages), visitor);
        expect(pages.size + statuses.size).toBeGreaterThanOrEqual(places.length);
        expect([...statuses].filter(([, status]) => status >= 500)).toEqual([]);
        // Whoever may read everything is refused no record of content.
        if (visitor.name !== visitors.at(-1)) continue;
        const refused = [...statuses].filter(([address, status]) => isContent(server, address) && status !== 200);
        expect(refused).toEqual([]);
      }
      expect(server.errors).toEqual([]);
      expect(server.answers.filter((answer) => / 5\d\d$/.test(answer))).toEqual([]);
      also(result, server);
    }, 120_000);
  });
};
