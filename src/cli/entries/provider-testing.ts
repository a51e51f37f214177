/** Defines the package's public interface for who provides a repository: `import { verify } from 'atoll-server/verify'`. */
import { packageFolder } from '../../basics/disk/package-folder.ts';
import type { ImportSource } from '../../openapi/openapi-host.ts';
import { exportedConfiguration } from '../options/exported-configuration.ts';
import { rim } from '../rim.ts';
import { isLoopbackUrl } from '../../basics/formats/loopback.ts';
import { startProxy, startTwin, type Proxy, type Twin } from '../../checks/checks-proxy.ts';
import { namedDocument } from '../../server/server-application.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { TargetAccount, TlsOptions } from '../../exchange/exchange-target.ts';
import {
  readTarget,
  verifyTarget,
  type CheckResult,
  type Verification,
  type WritingOptions,
} from '../../checks/checks.ts';
import { prepared } from './prepared-file.ts';

export type { BrokenReply, Proxy, ProxyCounts } from '../../checks/checks-proxy.ts';
export type { FailLevel, Rewritable } from '../../checks/checks-choices.ts';
export type { TargetAccount } from '../../exchange/exchange-target.ts';
export { TargetError } from '../../exchange/exchange.ts';
export type {
  BrokenDocument,
  CheckCounts,
  CheckResult,
  ShownExchange,
  Verdict,
  Verification,
} from '../../checks/checks.ts';

export type VerifyOptions = {
  /** The base URL of the server. */
  readonly target: string;
  /** `starter-site`, or the directory of a site. Default: the built-in site. */
  readonly site?: string;
  /** Instead of a site: the configuration that a Drupal repository exports, as for `startAtoll`. */
  readonly drupalConfig?: ImportSource;
  /** Credentials by account name. Default: the demo accounts of the site, when the target is on this machine. */
  readonly accounts?: readonly TargetAccount[];
  /** The accounts to act as. Default: all with known credentials. */
  readonly as?: readonly string[];
  /** Allows the run to make content, which it removes at the end. Elsewhere than on this machine it wants a label or a container. */
  readonly allowWrites?: boolean | WritingOptions;
  /** Where to begin to look for content, such as `/node/5`. */
  readonly from?: readonly string[];
  /** Parts of names of checks, or ids of operations; `*` stands for any text. */
  readonly only?: readonly string[];
  /** How many checks run at a time. Default: 8 on this machine, 3 elsewhere. */
  readonly parallel?: number;
  readonly tls?: TlsOptions;
  /** How long the target may say nothing, in seconds. Default: 30. */
  readonly timeout?: number;
  /** At most so many requests in a second. */
  readonly rate?: number;
  /** The longest time of one check, in seconds. Default: 60. */
  readonly checkTimeout?: number;
  /** Ends the run early. It still removes what it has made. */
  readonly signal?: AbortSignal;
  /** Receives each result when it is there. */
  readonly onResult?: (result: CheckResult) => void;
};

const root = packageFolder(import.meta.url);

/**
 * Checks a server against the contract. Rejects with a `TargetError` when no server answers or it is not a repository, and with another
 * `Error` for wrong options. The message says what to change.
 */
export const verify = async (options: VerifyOptions): Promise<Verification> => {
  const target = options.target.replace(/\/+$/, '');
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target))
    throw new ConfigurationError(`"${target}" is not an address of a server. One begins with http:// or https://.`);
  const { site, drupalConfig, accounts = [], as, tls = {}, timeout = 30, rate, checkTimeout } = options;
  const opened = await readTarget({
    ...{ target, as, accounts, tls, silenceMs: timeout * 1000, perSecond: rate },
    locations: { root, prepared, site, drupalConfig: drupalConfig && exportedConfiguration(drupalConfig, rim) },
  });
  const { from, only, parallel, signal, onResult } = options;
  return verifyTarget({
    ...{ opened, writing: writingOf(options, target), from, only, parallel, signal, onResult },
    checkMs: checkTimeout === undefined ? undefined : checkTimeout * 1000,
  });
};

const writingOf = ({ allowWrites = false }: VerifyOptions, target: string): WritingOptions | undefined => {
  if (allowWrites === false) return undefined;
  const writing = allowWrites === true ? {} : allowWrites;
  if (!isLoopbackUrl(target) && writing.label === undefined && writing.container === undefined) {
    throw new ConfigurationError(
      `${target} is not on this machine. To write there, name a label or a container: allowWrites: { label: 'our tests' }.`,
    );
  }
  return writing;
};

/** The same options; what imports the configuration goes with its folders. */
const withImporter = <T extends Pick<VerifyOptions, 'drupalConfig'>>({ drupalConfig, ...options }: T) => ({
  ...options,
  drupalConfig: drupalConfig && exportedConfiguration(drupalConfig, rim),
});

/** As the options of `atoll proxy`. Bytes pass as they are unless `rewrite` says otherwise. */
export type ProxyOptions = Omit<Parameters<typeof startProxy>[0], 'root' | 'prepared' | 'drupalConfig' | 'documents'> &
  Pick<VerifyOptions, 'drupalConfig'> & {
    /** An OpenAPI document of your own to check against, as `--document`: `api.yaml`, `/search=search.yaml`. */
    readonly document?: string;
    /** More of them. */
    readonly documents?: readonly string[];
  };

/** Sits between clients and a server, and checks both against the contract. Rejects when it cannot listen, or for wrong options. */
export const proxy = ({ document, documents = [], ...options }: ProxyOptions): Promise<Proxy> =>
  startProxy({
    ...{ ...withImporter(options), target: options.target.replace(/\/+$/, ''), root, prepared },
    documents: [...(document === undefined ? [] : [document]), ...documents].map(namedDocument),
  });

export {
  twinReport,
  twinReportFormats,
  type Twin,
  type TwinReport,
  type TwinReportFormat,
} from '../../checks/checks-proxy.ts';

/**
 * Starts a twin: its requests go to the target and to an Atoll in this process, and `report` says how the answers differ. Rejects
 * as `verify` does.
 */
export const twin = (
  options: Omit<Parameters<typeof startTwin>[0], 'root' | 'prepared' | 'warn' | 'drupalConfig'> &
    Pick<VerifyOptions, 'drupalConfig'>,
): Promise<Twin> =>
  startTwin({ ...withImporter(options), root, prepared, warn: (message) => process.emitWarning(message) });
