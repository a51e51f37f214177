/** Loads the part of the program that knows what a recording says of a repository. */
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { ChecksPart, Rim } from '../command-context.ts';

/** `option` is the option or the command that a user asks it by. Rejects with `ConfigurationError` where the program does not have the part. */
export const loadChecks = async ({ checks }: Rim, option: string): Promise<ChecksPart> => {
  if (checks === undefined)
    throw new ConfigurationError(`This Atoll makes nothing of recordings, so ${option} has no use.`);
  return checks();
};
