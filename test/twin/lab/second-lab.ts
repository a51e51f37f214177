/** Compares Atoll, by the twin, with the recorded sessions of the second lab. No tests here. */
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareExchanges, type FinishedTwin } from '../../../src/checks/twin/recorded.ts';
import { wholeBody } from '../../../src/exchange/redaction/decoded-body.ts';
import type { WireBody, WireExchange } from '../../../src/exchange/wire-exchange.ts';
import { recordedGroup, type Group } from '../../contract/recordings/second-lab/groups.ts';
import { secondLabExchanges, secondLabTarget } from '../../recording/second-lab-recording.ts';
import { preparedFile, root } from '../../support/atoll.ts';

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

export const compareLab = (group: Group): Promise<FinishedTwin> =>
  withLabSite(async (site) =>
    compareExchanges(completeSession(group).map(countedBodies), {
      ...{ root, prepared: await preparedFile(), site, fixture: 'empty', warn: () => undefined },
      ...{ recorded: group, target: secondLabTarget, keptBytes: 4 * 1024 * 1024 },
      caches: group === 'caches-on' ? 'reference' : undefined,
    }),
  );

/** One session was recorded without what prepares it; that was the same in every other one. */
const completeSession = (group: Group): readonly WireExchange[] => {
  const recorded = secondLabExchanges(group);
  if (group !== 'caches-on') return recorded;
  const other = 'deletes-dangling-links';
  const prepares = recordedGroup(other).map((one) => one.prepares);
  // With which uuids they were answered, nobody has recorded.
  const untold = secondLabExchanges(other).map((exchange) => ({
    ...exchange,
    reply: { ...exchange.reply, body: unknownBody },
  }));
  return [...untold.filter((_, at) => prepares[at] === true), ...recorded];
};

const unknownBody: WireBody = { bytes: 1, kept: new Uint8Array(), isWhole: false, sha256: '' };

/** The lab has masked tokens, named the MD5 of bytes, which nobody else uses, and of long texts their number of bytes. */
const countedBodies = ({ request, reply, ...rest }: WireExchange): WireExchange => ({
  ...rest,
  request: { ...request, body: counted(request.body) },
  reply: { ...reply, body: counted(reply.body) },
});

const counted = (body: WireBody): WireBody => {
  const text = Buffer.from(body.kept).toString();
  if (text === '<token>') return wholeBody(Buffer.from('[redacted:token:1]'));
  const [, binary, long] = /^\((?:binary (\d+) [0-9a-f]{32}|(\d+) bytes[^)]*)\)$/.exec(text) ?? [];
  const bytes = binary ?? long;
  if (bytes === undefined && body.isWhole) return body;
  return { bytes: Number(bytes ?? body.bytes), kept: new Uint8Array(), isWhole: false, sha256: '' };
};
