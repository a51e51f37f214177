/** Starts the Atoll that the target is compared with: in this process, in memory, on a free port of this machine. */
import type { ExportedConfiguration, CacheMode } from '../../openapi/openapi-host.ts';
import type { Operation } from '../../repository/repository-engine.ts';
import { demoAccountsOf } from '../../exchange/exchange.ts';
import { type TargetAccount, createSender, type Sender } from '../../exchange/exchange-target.ts';
import { start } from '../../application/application-disk.ts';
import type { Started } from '../../server/server-start.ts';
import { type DeliberateDifference, readDifferences } from '../differences/read-differences.ts';
import { repositorySite } from '../../repository/repository.ts';
import { createContractCheck } from '../target/contract-check.ts';
import { ownAccounts } from './site-accounts.ts';
import { systemClock, systemIds } from '../../server/server.ts';
import type { Clock } from '../../openapi/openapi-records.ts';

export type LocalServerOptions = {
  /** The package's folder, and the file that the build prepared. */
  readonly root: string;
  readonly prepared?: string | undefined;
  readonly site?: string | undefined;
  readonly drupalConfig?: ExportedConfiguration | undefined;
  /** What Atoll begins with. Default: what suits the site. */
  readonly fixture?: string | undefined;
  /** How Atoll answers reads. Default: as the site says. */
  readonly caches?: CacheMode | undefined;
  /** Accounts of the target, which Atoll has, too. Without roles one has those of the site's account of that name. */
  readonly accounts?: readonly TargetAccount[] | undefined;
  readonly warn: (message: string) => void;
};

/** The Atoll that is compared with the target. */
export type LocalServer = {
  /** `url` is the base URL of its links. */
  readonly started: Pick<Started, 'url' | 'world' | 'localWorlds'>;
  readonly sender: Sender;
  readonly operationOf: (method: string, path: string) => Operation | undefined;
  readonly passwordOf: (account: string) => string | undefined;
  /** Whether tokens of the target can be read here. */
  readonly hasSameKey: boolean;
  /** What differs from a real site on purpose. */
  readonly differences: readonly DeliberateDifference[];
};

type StartedLocalServer = LocalServer & { readonly started: Started; stop(): Promise<void> };

type LocalServerSetting = { readonly keptBytes: number; readonly clock?: Clock | undefined };

/** Throws `ConfigurationError` for a site or a fixture that cannot be served. */
export const startLocalServer = async (
  options: LocalServerOptions,
  setting: LocalServerSetting,
): Promise<StartedLocalServer> => {
  const { root, prepared, site, drupalConfig, fixture, caches, warn } = options;
  const differences = await readDifferences(root);
  const accounts = ownAccounts(options.accounts ?? [], warn);
  const started = await start({
    ...{ root, prepared, site, drupalConfig, fixture, caches },
    alterSite: options.accounts && (async (read) => accounts.of(repositorySite(read))),
    ...{ host: 'localhost', port: 0, baseUrl: undefined, data: undefined, durability: 'os', signingKey: undefined },
    ...{ checkReplies: 'off', pages: false, cors: 'off', demoAccounts: true },
    // The derivatives of the target come from services of its own, when these are ready.
    events: 'none',
    ...{ clock: setting.clock ?? systemClock, ids: systemIds, warn, onEvent: () => undefined, areAnswersHeard: false },
    onError: (error) => warn(`Atoll could not answer: ${String(error)}`),
  });
  const sender = createSender({ baseUrl: started.url, keptBytes: setting.keptBytes });
  const { document } = started.inside.contract();
  const check = createContractCheck({ document, baseUrl: started.url });
  const published = demoAccountsOf(started.world.site);
  return {
    started,
    sender,
    differences,
    hasSameKey: false,
    operationOf: (method, path) => check.operationOf(method, path),
    passwordOf: (account) => accounts.passwordOf(account) ?? published.find(({ name }) => name === account)?.password,
    stop: async () => {
      sender.close();
      await started.stop(1000);
    },
  };
};
