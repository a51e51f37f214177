/** The recordings of the living repository through the twin: every answer is equal to that of the real site, or a row explains it. */
import { describe, expect, it } from '@jest/globals';
import { type Judged, twinOf } from '../../twin/twin-of.ts';
import { createTestAtoll, type TestAtoll } from '../../support/atoll.ts';
import { cases } from './living/cases.ts';
import { labSite, livingTarget, recorded, termPairs, wireExchange } from './living/lab.ts';

/** The lab wrote these headers down. */
const isRecorded = (place: string): boolean =>
  !place.startsWith('/headers/') || ['Content-Type', 'Link', 'Location'].includes(place.slice('/headers/'.length));

/** Some files were recorded while pages had a workflow: then every node has a state, empty here, and a link to its latest version. */
const isOfWorkflow = (place: string, target: unknown): boolean =>
  (place === '/body/moderation_state' && JSON.stringify(target) === '[]') ||
  (place === '/headers/Link' && /rel="latest-version"/.test(String(target)));

/** The lab left out the members that were empty lists after the first record of a file, and had fewer fields. */
const isLeftOut = ({ place, target, atoll }: Judged): boolean =>
  isOfWorkflow(place, target) ||
  (/^\/body\/\w+$/.test(place) && target === undefined && Array.isArray(atoll) && atoll.length === 0);

/** A pattern of the lab has the number of the node. */
const reserveNodes = (atoll: TestAtoll, first = 1): Promise<unknown> =>
  atoll.world().store.transact([], (view) => {
    for (let id = 1; id < first; id += 1) view.nextId('node');
    return { changes: [], result: undefined };
  });

/** What is left of the differences of an exchange. */
const leftIn = (judged: readonly Judged[]): readonly Judged[] =>
  judged.filter((one) => one.class === 'new' && isRecorded(one.place) && !isLeftOut(one));

describe('The recordings of a living repository', () => {
  it.each(cases)(
    '$file from $from on: answered as they were, or a row says why not',
    async (one) => {
      const site = await labSite(one.changes);
      const atoll = await createTestAtoll({ fixture: 'empty', site: () => site });
      await reserveNodes(atoll, one.firstNode);
      const start = Date.parse('2026-11-23T15:51:00Z');
      atoll.clock.set(new Date(start).toISOString());
      const exchanges = recorded(one).map((each, number) => wireExchange(each, start + 1000 * (number + 1)));
      const twin = await twinOf(atoll, { exchanges, target: livingTarget, sameClockSince: Infinity });
      for (const [target, own] of termPairs(site))
        twin.session.comparison.pairs.learn({ kind: 'taxonomy_term', target, atoll: own });
      const left: string[] = [];
      for (const [number, exchange] of exchanges.entries()) {
        for (const { place, target, atoll: own } of leftIn((await twin.compare(exchange)) ?? []))
          left.push(`${number} ${place} ${JSON.stringify({ target, own })}`);
      }
      twin.end();
      const isKnown = (line: string): boolean => one.known?.some((known) => line.startsWith(`${known} `)) === true;
      expect(left.filter((line) => !isKnown(line))).toEqual([]);
      // What is not needed any more has to go.
      expect(left.filter(isKnown)).toHaveLength(one.known?.length ?? 0);
    },
    60_000,
  );
});
