/** The first rule of signposting, over links that the starter content has. The kinds of links are in `expected/default/links.yml`. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { someOf } from '../../support/long-run.ts';
import { everybody, linksOf, visit, type Visitor } from '../../support/requests.ts';

let atoll: TestAtoll;

beforeAll(async () => {
  atoll = await createTestAtoll({ site: (site) => ({ ...site, flood: undefined }) });
});

const links = async (path: string, visitor: Visitor) =>
  linksOf(await visit(atoll, visitor, 'GET', `${path}?_format=json`));

describe('the rules of signposting', () => {
  it('1: what the requester may not view is not linked: nobody sees a link that is refused on GET', async () => {
    const counts = new Map<string, number>();
    for (const visitor of await everybody(atoll)) {
      const found = [
        ...(await links('/node/5', visitor)),
        ...(await links('/node/24', visitor)),
        ...(await links('/node/26', visitor)),
      ];
      counts.set(visitor.label, found.length);
      const entities = found.filter(({ uri }) =>
        /^http:\/\/localhost:8000\/(node|media|taxonomy\/term)\/\d+$/.test(uri),
      );
      for (const { uri, rel } of someOf(entities)) {
        const { status } = await visit(atoll, visitor, 'GET', `${uri}?_format=json`);
        expect([visitor.label, rel, uri, status]).toEqual([visitor.label, rel, uri, 200]);
      }
    }
    const few = counts.get('anonymous') ?? 0;
    expect(counts.get('editor by Basic')).toBeGreaterThan(few);
    expect(counts.get('editor by Bearer')).toBe(counts.get('editor by Basic'));
    expect(counts.get('editor by cookie')).toBe(counts.get('editor by Basic'));
  });
});
