/** Puts together what live and recorded comparison share: pairs, credentials, rules, the count and the report. */
import { createFollower, type Followed, type Follower, type FollowerOptions } from './follower.ts';
import { isExpired, readAcceptances, draftOf, type Acceptance } from './acceptances.ts';
import type { JsonComparison } from '../../contract/compare/compare-json.ts';
import type { Side } from '../../contract/compare/difference.ts';
import { createJudge } from './judge.ts';
import type { OwnSide } from './local-server.ts';
import { createPairs } from '../../contract/compare/id-map.ts';
import { createIdPlaces } from '../../contract/compare/json-paths.ts';
import type { TwinReport } from './reports.ts';
import { explanationRules } from '../../contract/differences/all-rules.ts';
import { createHosts } from '../../contract/compare/equal-values.ts';
import type { Sender } from '../../exchange/send.ts';
import { createTally, type Tally } from './tally.ts';
import { createWallet, type Wallet } from './credentials/credential-map.ts';

type TwinSessionOptions = {
  readonly own: OwnSide;
  readonly first: Side;
  /** The sender to the server that answers second. */
  readonly second: Sender;
  /** The addresses by which clients and links name the target, its base URL first. */
  readonly targetUrls: readonly string[];
  readonly acceptances: readonly Acceptance[];
  readonly shownTarget: string;
} & Pick<FollowerOptions, 'onSecond'>;

export type TwinSession = {
  readonly follower: Follower;
  readonly wallet: Wallet;
  readonly tally: Tally;
  readonly comparison: JsonComparison;
  judge(followed: Followed): void;
  report(): TwinReport;
  /** The file for `--write-accept`. */
  draft(): string;
};

export const createTwinSession = (options: TwinSessionOptions): TwinSession => {
  const { own, first, second, acceptances, onSecond } = options;
  const { url, world } = own.started;
  const comparison: JsonComparison = {
    pairs: createPairs(),
    hosts: createHosts({ target: options.targetUrls, atoll: [url] }),
    sentTimes: new Set(),
    idKindAt: createIdPlaces(world.site),
  };
  const wallet = createWallet({
    pairs: comparison.pairs,
    askAtoll: async (request) => (await own.sender.send(request)).reply,
    passwordOf: own.passwordOf,
  });
  const used = new Set<Acceptance>();
  const judgeAll = createJudge({
    ...{ rules: explanationRules, acceptances, now: Date.now },
    onAccepted: (acceptance) => used.add(acceptance),
  });
  const tally = createTally();
  return {
    ...{ wallet, tally, comparison, follower: createFollower({ comparison, wallet, first, second, own, onSecond }) },
    judge: (followed) => {
      if ('skipped' in followed) {
        tally.skip(followed.skipped);
        return;
      }
      const { request, operation, replies, differences } = followed;
      const answered = { request, operation, ...replies };
      tally.add(answered, judgeAll(answered, differences));
    },
    report: () => {
      const expired = acceptances.filter((one) => isExpired(one, Date.now()));
      const unused = acceptances.filter((one) => !used.has(one) && !expired.includes(one));
      return { ...tally.outcome(), target: options.shownTarget, unused, expired };
    },
    draft: () => draftOf(tally.drafts()),
  };
};

/** Throws `ConfigurationError`. Without a file nothing is accepted. */
export const acceptancesOf = async (file: string | undefined): Promise<readonly Acceptance[]> =>
  file === undefined ? [] : readAcceptances(file);
