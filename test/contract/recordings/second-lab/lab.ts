/** Compares Atoll, by the twin, with the recorded sessions of the second lab. No tests here. */
import { type Judged, twinOf } from '../../../twin/twin-of.ts';
import type { WireBody, WireExchange } from '../../../../src/exchange/exchange.ts';
import { secondLab, secondLabExchanges } from '../../../recording/second-lab-recording.ts';
import { createTestAtoll, type TestAtoll } from '../../../support/atoll.ts';
import { recordedGroup, type Group, type Recorded } from './groups.ts';
import { startOf } from './times.ts';
import { unadvisedChanges } from './told-changes.ts';

/** An Atoll with the settings of the recorded site. */
export const openLab = (): Promise<TestAtoll> =>
  createTestAtoll({
    fixture: 'empty',
    site: (site) => ({ ...site, flood: undefined, methodOverride: true, tokensOfToday: true, tokenAtLogin: true }),
    app: { advice: 'header' },
  });

export type Compared = {
  readonly recorded: Recorded;
  /** Undefined when the exchange was left out. */
  readonly differences: readonly Judged[] | undefined;
  /** What an accepted write did not store as it was sent, and did not advise of. Undefined for other requests. */
  readonly untold: readonly string[] | undefined;
};

/** The exchanges of a group in order, with those that only prepare. */
export const compareLab = async (atoll: TestAtoll, group: Group): Promise<readonly Compared[]> => {
  const recorded = completeGroup(group);
  const exchanges = completeSession(group).map(countedBodies);
  const answers: WireExchange[] = [];
  atoll.clock.set('2026-11-22T05:00:00Z');
  await atoll.reset();
  if (group === 'caches-on') await atoll.send('POST', '/_atoll/faults').send({ fault: 'stale-reads' }).expect(201);
  const twin = await twinOf(atoll, {
    ...{ exchanges, target: secondLab.target, sameClockSince: startOf(recorded) },
    onSecond: (answer) => void answers.push(answer),
  });
  const compared: Compared[] = [];
  for (const [at, one] of recorded.entries()) {
    const exchange = exchanges[at];
    if (exchange === undefined) throw new Error(`there is no exchange ${at}`);
    const differences = await twin.compare(exchange);
    const [untold] = answers.splice(0).map(unadvisedChanges);
    compared.push({ recorded: one, differences, untold });
  }
  twin.end();
  return compared;
};

/** One session was recorded without what prepares it; that was the same in every other one. */
const preparing: Group = 'deletes-dangling-links';

const completeGroup = (group: Group): readonly Recorded[] => [
  ...(group === 'caches-on' ? recordedGroup(preparing).filter(({ prepares }) => prepares) : []),
  ...recordedGroup(group),
];

const completeSession = (group: Group): readonly WireExchange[] => {
  const recorded = secondLabExchanges(group);
  if (group !== 'caches-on') return recorded;
  const prepares = recordedGroup(preparing).map((one) => one.prepares);
  // With which uuids they were answered, nobody has recorded.
  const untold = secondLabExchanges(preparing).map((exchange) => ({
    ...exchange,
    at: recorded[0]?.at ?? 0,
    reply: { ...exchange.reply, body: unknownBody },
  }));
  return [...untold.filter((_, at) => prepares[at] === true), ...recorded];
};

const unknownBody: WireBody = { bytes: 1, kept: new Uint8Array(), isWhole: false, sha256: '' };

/** The lab has of long texts their number of bytes. */
const countedBodies = ({ request, reply, ...rest }: WireExchange): WireExchange => ({
  ...rest,
  request: { ...request, body: counted(request.body) },
  reply: { ...reply, body: counted(reply.body) },
});

const counted = (body: WireBody): WireBody => {
  const text = Buffer.from(body.kept).toString();
  const bytes = /^\((\d+) bytes[^)]*\)$/.exec(text)?.[1];
  if (bytes === undefined && body.isWhole) return body;
  return { bytes: Number(bytes ?? body.bytes), kept: new Uint8Array(), isWhole: false, sha256: '' };
};
