/** Puts together what live and recorded comparison share: pairs, credentials, rules, the count and the report. */
import type { JsonComparison } from '../../contract/compare/compare-json.ts';
import type { AnsweredTwice, Difference, Judged, Side } from '../../contract/compare/difference.ts';
import { createAliases, sameAliases } from '../../contract/compare/aliases.ts';
import { createHosts } from '../../contract/compare/equal-values.ts';
import { createPairs } from '../../contract/compare/id-map.ts';
import { createIdPlaces } from '../../contract/compare/json-paths.ts';
import { createExplain, type Explain } from '../../contract/differences/explain.ts';
import { demoAccountsOf } from '../../exchange/accounts.ts';
import type { Sender } from '../../exchange/send.ts';
import { type Acceptance, accepts, draftOf, isExpired, readAcceptances } from './acceptances.ts';
import { createCredentialMap, type CredentialMap } from './credentials/credential-map.ts';
import { createFollower, type Followed, type Follower, type FollowerOptions } from './follower.ts';
import type { LocalServer } from './local-server.ts';
import type { TwinReport } from './reports.ts';
import { createTally, type Tally } from './tally.ts';

type Judge = (answered: AnsweredTwice, differences: readonly Difference[]) => readonly Judged[];

type JudgeOptions = {
  readonly explain: Explain;
  readonly acceptances: readonly Acceptance[];
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called with each entry of the file that was needed. */
  readonly onAccepted?: ((acceptance: Acceptance) => void) | undefined;
};

/** A row of the deliberate differences goes before the team's file. */
const createJudge =
  ({ explain, acceptances, now, onAccepted }: JudgeOptions): Judge =>
  (answered, differences) => {
    if (differences.length === 0) return [];
    const explained = explain(answered);
    return differences.map((difference): Judged => {
      const row = explained(difference);
      if (row !== undefined) {
        return { ...difference, class: 'explained', because: `docs/use/${row.page}.md: ${row.question}` };
      }
      const acceptance = acceptances.find(
        (one) => !isExpired(one, now()) && accepts(one, answered.operation, difference),
      );
      if (acceptance === undefined) return { ...difference, class: 'new', because: '' };
      onAccepted?.(acceptance);
      return { ...difference, class: 'accepted', because: acceptance.reason };
    });
  };

export type TwinSessionOptions = {
  readonly own: LocalServer;
  readonly first: Side;
  /** The sender to the server that answers second. */
  readonly second: Sender;
  /** The addresses by which clients and links name the target, its base URL first. */
  readonly targetUrls: readonly string[];
  readonly acceptances: readonly Acceptance[];
  readonly shownTarget: string;
  /** Undefined when each server has a clock of its own. */
  readonly sameClockSince?: JsonComparison['sameClockSince'];
} & Pick<FollowerOptions, 'onSecond'>;

export type TwinSession = {
  readonly follower: Follower;
  readonly credentialMap: CredentialMap;
  readonly tally: Tally;
  readonly comparison: JsonComparison;
  /** Undefined when nothing was compared. */
  judge(followed: Followed): readonly Judged[] | undefined;
  report(): TwinReport;
  /** The file for `--write-accept`. */
  draft(): string;
};

export const createTwinSession = (options: TwinSessionOptions): TwinSession => {
  const { own, first, second, acceptances, onSecond } = options;
  const { url, world } = own.started;
  const comparison: JsonComparison = {
    pairs: createPairs(),
    aliases: world.site.modules.automaticPaths ? sameAliases : createAliases(),
    hosts: createHosts({ target: options.targetUrls, atoll: [url] }),
    sentTimes: new Set(),
    sameClockSince: options.sameClockSince,
    idKindAt: createIdPlaces(world.site),
  };
  const credentialMap = createCredentialMap({
    pairs: comparison.pairs,
    askAtoll: async (request) => (await own.sender.send(request)).reply,
    passwordOf: own.passwordOf,
    hasSameKey: own.hasSameKey,
    cookieName: world.access.cookieName,
  });
  const used = new Set<Acceptance>();
  const judgeAll = createJudge({
    ...{ explain: createExplain(own.differences), acceptances, now: Date.now },
    onAccepted: (acceptance) => used.add(acceptance),
  });
  const tally = createTally(demoAccountsOf(world.site).map(({ password }) => password));
  return {
    ...{
      credentialMap,
      tally,
      comparison,
      follower: createFollower({ comparison, credentialMap, first, second, own, onSecond }),
    },
    judge: (followed) => {
      if ('skipped' in followed) {
        tally.skip(followed.skipped);
        return undefined;
      }
      const { request, operation, replies, differences } = followed;
      const answered = { request, operation, ...replies };
      const judged = judgeAll(answered, differences);
      tally.add(answered, judged);
      return judged;
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
