/** What two answers are compared with in tests: pairs of ids, aliases and hosts, as a twin has them. */
import { compareReplies } from '../../src/checks/compare/compare.ts';
import type { JsonComparison } from '../../src/checks/compare/compare-json.ts';
import { createAliases } from '../../src/checks/compare/aliases.ts';
import { createPairs } from '../../src/checks/compare/id-map.ts';
import { createIdPlaces } from '../../src/checks/compare/json-paths.ts';
import { createHosts } from '../../src/checks/compare/equal-values.ts';
import { createTestAtoll } from '../support/atoll.ts';
import { reply } from '../twin/exchanges.ts';

const { site } = await createTestAtoll({ fixture: 'empty' });

export const target = 'https://repo.example.org';
export const atoll = 'http://localhost:8000';

export const comparison = (): JsonComparison => ({
  pairs: createPairs(),
  aliases: createAliases(),
  hosts: createHosts({ target: [target], atoll: [atoll] }),
  sentTimes: new Set(),
  idKindAt: createIdPlaces(site),
});

export const node = (id: number, more: object = {}) => ({ nid: [{ value: id }], title: [{ value: 'A' }], ...more });

export const compared = (theirs: object, ours: object, common = comparison()): string[] =>
  compareReplies('GET', { target: reply(200, theirs), atoll: reply(200, ours) }, common).map(({ place }) => place);
