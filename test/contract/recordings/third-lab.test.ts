/** The pairs of the third lab through the twin: every answer is equal to that of the real site, or a row explains it. */
import { describe, expect, it } from '@jest/globals';
import { type Judged, type IdKind, twinOf } from '../../twin/twin-of.ts';
import { createTestAtoll } from '../../support/atoll.ts';
import { pairs, recordedPair, thirdLabTarget, wireExchange } from './third-lab/pairs.ts';

/** The lab wrote these headers down, and no others. */
const isRecorded = (place: string): boolean =>
  !place.startsWith('/headers/') || ['Content-Type', 'Link', 'Location'].includes(place.slice('/headers/'.length));

describe('The pairs of the third lab', () => {
  it.each(pairs)('$file is answered as it was, or differs as data/differences.yml says', async (pair) => {
    const recorded = recordedPair(pair.file);
    const atoll = await createTestAtoll({ fixture: 'empty', ...(pair.site === undefined ? {} : { site: pair.site }) });
    const start = Date.parse('2026-11-23T15:00:00Z');
    atoll.clock.set(new Date(start).toISOString());
    const records = pair.records?.(recorded.map(({ real }) => real.body)) ?? [];
    await atoll.world().store.transact([], () => ({ changes: records.map((put) => ({ put })), result: undefined }));
    const exchanges = recorded.map((one, number) => wireExchange(one, start + 1000 * (number + 1)));
    const twin = await twinOf(atoll, { exchanges, target: thirdLabTarget, sameClockSince: Infinity });
    for (const { type, id } of records)
      twin.session.comparison.pairs.learn({ kind: type as IdKind, target: String(id), atoll: String(id) });
    const left: Judged[] = [];
    for (const exchange of exchanges) {
      const judged = await twin.compare(exchange);
      expect(judged).toBeDefined();
      left.push(...(judged ?? []).filter((one) => one.class === 'new' && isRecorded(one.place)));
    }
    twin.end();
    // What is not needed any more has to go.
    const known = pair.known ?? [];
    expect(left.filter(({ place }) => !known.includes(place))).toEqual([]);
    expect(left.map(({ place }) => place).sort()).toEqual([...known].sort());
  });
});
