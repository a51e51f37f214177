/** Reads everything that is needed to speak to a target: its contract, accounts, limits, and what reports must not show. */
import { isLoopbackUrl } from '../../basics/formats/loopback.ts';
import type { SourceLocations } from '../../server/server-application.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { demoAccountsOf, createRedaction, type Redaction } from '../../exchange/exchange.ts';
import {
  type TargetAccount,
  chooseAccounts,
  type TlsOptions,
  type SenderOptions,
} from '../../exchange/exchange-target.ts';
import { knownAccounts, readTargetContract, type TargetContract } from './contract-source.ts';
import { readDifferences, type DeliberateDifference } from '../differences/read-differences.ts';

type TargetAccess = {
  /** Absolute, without a slash at its end. */
  readonly target: string;
  readonly locations: SourceLocations;
  /** The accounts to act as; all that are known when undefined. */
  readonly as?: readonly string[] | undefined;
  /** Accounts with credentials, before those of the site. */
  readonly accounts?: readonly TargetAccount[];
  /** Has credentials, such as `ATOLL_PASSWORD_…`. Default: none. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly tls?: TlsOptions;
  /** How long the target may say nothing, in milliseconds. Default: 30,000. */
  readonly silenceMs?: number;
  /** At most so many requests in a second. Default: as many as come. */
  readonly perSecond?: number | undefined;
};

/** What is needed to speak to a target. */
export type OpenedTarget = {
  readonly contract: TargetContract;
  readonly locations: SourceLocations;
  /** The anonymous visitor first. */
  readonly accounts: readonly TargetAccount[];
  readonly sender: SenderOptions;
  readonly redaction: Redaction;
  readonly isLoopback: boolean;
  /** What a real site does otherwise on purpose. */
  readonly differences: readonly DeliberateDifference[];
};

/** Throws `ConfigurationError`. Sends nothing. */
export const readTarget = async (access: TargetAccess): Promise<OpenedTarget> => {
  const { target, locations, tls = {}, silenceMs = 30_000, perSecond } = access;
  const isLoopback = isLoopbackUrl(target);
  if (locations.site !== undefined && locations.drupalConfig !== undefined) {
    throw new ConfigurationError('--drupal-config makes the site, so --site has no use. Leave out one of them.');
  }
  const contract = await readTargetContract(locations, target);
  const known = knownAccounts(contract.site, isLoopback);
  const { as: names, accounts: fromFile = [], environment = {} } = access;
  const accounts = chooseAccounts({ names, fromFile, environment, known });
  // The passwords of demo accounts are words such as `islandora`, which many names have in them.
  const published = demoAccountsOf(contract.site).map(({ password }) => password);
  return {
    ...{ contract, locations, accounts, isLoopback, differences: await readDifferences(locations.root) },
    sender: { baseUrl: target, tls, silenceMs, perSecond },
    redaction: createRedaction({ accounts, published }),
  };
};
