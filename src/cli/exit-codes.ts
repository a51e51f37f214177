/** Lists the exit codes of the program and chooses the code for each error. */
import type { CommandContext } from './command-context.ts';
import { cannotListenCode, storeUnreachableCode } from '../server/server.ts';
import { ConfigurationError } from '../basics/configuration-error.ts';
import { directoryInUseCode } from '../basics/disk/directory-lock.ts';
import { errorCode } from '../basics/error-code.ts';
import type { StorageErrorCode } from '../storage/storage-export.ts';
import { targetUnreachableCode } from '../exchange/exchange.ts';
import { Problem } from '../openapi/openapi-terms.ts';

export const exitCodes = {
  ok: 0,
  cannotListen: 1,
  configuration: 2,
  inUse: 3,
  damaged: 4,
  permissionOrSpace: 5,
  goalMissed: 6,
  /** The database did not answer in time. */
  storeUnreachable: 7,
  /** `--fail-on violations`: a request or a reply has broken the contract. */
  violations: 8,
  /** For the commands that check another server: it was found to break the contract. */
  findings: 1,
  /** For the commands that check another server. */
  targetUnreachable: 3,
} as const;

const byStorageCode: Readonly<Record<StorageErrorCode, number>> = {
  ATOLL_EXPORT_UNREADABLE: exitCodes.configuration,
  ATOLL_EXPORT_TARGET: exitCodes.configuration,
  ATOLL_NO_STORE: exitCodes.configuration,
  ATOLL_FOREIGN_DIRECTORY: exitCodes.configuration,
  ATOLL_STORE_DAMAGED: exitCodes.damaged,
};

const byCode: Readonly<Record<string, number>> = {
  ...byStorageCode,
  [targetUnreachableCode]: exitCodes.targetUnreachable,
  [cannotListenCode]: exitCodes.cannotListen,
  [storeUnreachableCode]: exitCodes.storeUnreachable,
  [directoryInUseCode]: exitCodes.inUse,
  EACCES: exitCodes.permissionOrSpace,
  EPERM: exitCodes.permissionOrSpace,
  EROFS: exitCodes.permissionOrSpace,
  ENOSPC: exitCodes.permissionOrSpace,
  EDQUOT: exitCodes.permissionOrSpace,
  ENOTDIR: exitCodes.configuration,
  ENOENT: exitCodes.configuration,
  ELOOP: exitCodes.configuration,
  ENAMETOOLONG: exitCodes.configuration,
  // The data directory is a file.
  EEXIST: exitCodes.configuration,
};

type OrderlyEnd = {
  /** Resolves with the exit code. */
  readonly end: () => Promise<number>;
  /** The exit code of an end that waits for nothing. */
  readonly codeNow: () => number;
  /** Says that the end was not orderly. */
  readonly onError?: (error: unknown) => void;
};

/** Ends the process in order at the first signal, and at once at the second one. Returns what the first signal does. */
export const exitInOrder = (context: CommandContext, { end, codeNow, onError }: OrderlyEnd): (() => void) => {
  const begin = (): void => {
    end().then(context.exit, (error: unknown) => {
      onError?.(error);
      context.exit(exitCodeOf(error));
    });
  };
  context.onStop(begin, () => context.exit(codeNow()));
  return begin;
};

/** The exit code of an error, 1 for an unexpected one. */
export const exitCodeOf = (error: unknown): number => {
  if (error instanceof ConfigurationError) return exitCodes.configuration;
  // A fixture that does not fit on the disk is refused as an upload would be.
  if (error instanceof Problem && error.status === 507) return exitCodes.permissionOrSpace;
  return byCode[errorCode(error) ?? ''] ?? exitCodes.cannotListen;
};
