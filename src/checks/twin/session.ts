/** Puts together what live and recorded comparison share: pairs, credentials, rules, the count and the report. */
import { repositoryWorld } from '../../repository/repository.ts';
import type { JsonComparison } from '../compare/compare-json.ts';
import type { Difference, Judged, Side } from '../compare/difference.ts';
import { createComparison } from '../compare/comparison.ts';
import { createExplain } from '../differences/explain.ts';
import { demoAccountsOf } from '../../exchange/exchange.ts';
import type { Sender } from '../../exchange/exchange-target.ts';
import { type Acceptance, accepts, draftOf, isExpired, readAcceptances } from './acceptances.ts';
import { createCredentialMap } from './credentials/credential-map.ts';
import { createFollower, type Followed, type FollowerOptions } from './follower.ts';
import type { LocalServer } from '../reference/local-server.ts';
import type { TwinReport } from './reports.ts';
import { createTally } from './tally.ts';

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

export type TwinSession = ReturnType<typeof createTwinSession>;

export const createTwinSession = (options: TwinSessionOptions) => {
  const { own, first, second, acceptances, onSecond } = options;
  const world = repositoryWorld(own.started.world);
  const comparison = createComparison({
    ...{ site: world.site, atollUrl: own.started.url },
    ...{ targetUrls: options.targetUrls, sameClockSince: options.sameClockSince },
  });
  const credentialMap = createCredentialMap({
    pairs: comparison.pairs,
    askAtoll: async (request) => (await own.sender.send(request)).reply,
    passwordOf: own.passwordOf,
    hasSameKey: own.hasSameKey,
    cookieName: world.access.cookieName,
  });
  const used = new Set<Acceptance>();
  const explain = createExplain(own.differences);
  const acceptanceOf = (operation: string, difference: Difference): Acceptance | undefined =>
    acceptances.find((one) => !isExpired(one, Date.now()) && accepts(one, operation, difference));
  const tally = createTally(demoAccountsOf(world.site).map(({ password }) => password));
  return {
    ...{ credentialMap, tally, comparison },
    follower: createFollower({ comparison, credentialMap, first, second, own, onSecond }),
    /** Undefined when nothing was compared. */
    judge: (followed: Followed): readonly Judged[] | undefined => {
      if ('skipped' in followed) {
        tally.skip(followed.skipped);
        return undefined;
      }
      const { request, operation, replies, differences } = followed;
      const answered = { request, operation, ...replies };
      const rowOf = differences.length === 0 ? () => undefined : explain(answered);
      const judged = differences.map((one): Judged => {
        // A row of the deliberate differences goes before the team's file.
        const row = rowOf(one);
        if (row !== undefined)
          return { ...one, class: 'explained', because: `docs/use/${row.page}.md: ${row.question}` };
        const acceptance = acceptanceOf(operation, one);
        if (acceptance === undefined) return { ...one, class: 'new', because: '' };
        used.add(acceptance);
        return { ...one, class: 'accepted', because: acceptance.reason };
      });
      tally.add(answered, judged);
      return judged;
    },
    report: (): TwinReport => {
      const expired = acceptances.filter((one) => isExpired(one, Date.now()));
      const unused = acceptances.filter((one) => !used.has(one) && !expired.includes(one));
      return { ...tally.outcome(), target: options.shownTarget, unused, expired };
    },
    /** The file for `--write-accept`. */
    draft: (): string => draftOf(tally.drafts()),
  };
};

/** Throws `ConfigurationError`. Without a file nothing is accepted. */
export const acceptancesOf = async (file: string | undefined): Promise<readonly Acceptance[]> =>
  file === undefined ? [] : readAcceptances(file);
