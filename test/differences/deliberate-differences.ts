/** The differences on purpose, as the file of the package lists them. */
import { createOnPurpose, questionIn } from '../../src/checks/differences/on-purpose.ts';
import { readDifferences } from '../../src/checks/differences/read-differences.ts';
import { once } from '../../src/basics/once.ts';
import { root } from '../support/atoll.ts';

export const deliberateDifferences = once(() => readDifferences(root));

/** Those of the sources of checks that name a difference which the file does not have. */
export const unknownDifferences = async (sources: readonly string[]): Promise<string[]> => {
  const { about } = createOnPurpose(await deliberateDifferences());
  return sources.filter((source) => questionIn(source) !== undefined && about(source) === undefined);
};
