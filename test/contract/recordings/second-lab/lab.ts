/** Compares Atoll, by the twin, with the recorded sessions of the second lab. No tests here. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRecordedTwin } from '../../../../src/checks/twin/recorded.ts';
import type { Judged } from '../../../../src/contract/compare/difference.ts';
import type { WireBody, WireExchange } from '../../../../src/exchange/wire-exchange.ts';
import { secondLabExchanges, secondLabTarget } from '../../../recording/second-lab-recording.ts';
import { preparedFile, root } from '../../../support/atoll.ts';
import { testSigningKey } from '../../../support/signing-key.ts';
import { recordedGroup, type Group, type Recorded } from './groups.ts';
import { startOf } from './times.ts';
import { unadvisedChanges } from './told-changes.ts';

/** The default site with the settings of the recorded one. */
const withLabSite = async <T>(use: (site: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), 'atoll-lab-site-'));
  try {
    const site = join(folder, 'site');
    await cp(join(root, 'data/site'), site, { recursive: true });
    const file = join(site, 'site.yml');
    const yaml = await readFile(file, 'utf8');
    await writeFile(file, labSettings(yaml));
    return await use(site);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const labSettings = (yaml: string): string =>
  yaml
    .replace(/^flood:.*$/m, 'flood: off')
    .replace(/^method_override:.*$/m, 'method_override: true')
    .replace(/of_today: false/, 'of_today: true');

export type Compared = {
  readonly recorded: Recorded;
  /** Undefined when the exchange was left out. */
  readonly differences: readonly Judged[] | undefined;
  /** What an accepted write did not store as it was sent, and did not advise of. Undefined for other requests. */
  readonly untold: readonly string[] | undefined;
};

/** The exchanges of a group in order, with those that only prepare. */
export const compareLab = (group: Group): Promise<readonly Compared[]> =>
  withLabSite(async (site) => {
    const recorded = completeGroup(group);
    const exchanges = completeSession(group).map(countedBodies);
    const answers: WireExchange[] = [];
    const twin = await openRecordedTwin(exchanges, {
      ...{ root, prepared: await preparedFile(), site, fixture: 'empty', warn: () => undefined },
      ...{ recorded: group, target: secondLabTarget, keptBytes: 4 * 1024 * 1024, signingKey: testSigningKey },
      ...{ caches: group === 'caches-on' ? 'reference' : undefined, advice: 'header' },
      ...{ sameClockSince: startOf(recorded), onSecond: (answer) => void answers.push(answer) },
    });
    try {
      const compared: Compared[] = [];
      for (const [at, one] of recorded.entries()) {
        const exchange = exchanges[at];
        if (exchange === undefined) throw new Error(`there is no exchange ${at}`);
        const differences = await twin.compare(exchange);
        const [untold] = answers.splice(0).map(unadvisedChanges);
        compared.push({ recorded: one, differences, untold });
      }
      return compared;
    } finally {
      await twin.own.stop();
    }
  });

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
