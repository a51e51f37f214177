/** Lists the tools, in the order in which clients see them. */
import { once } from '../basics/once.ts';
import { rim } from './rim.ts';
import type { Tool } from './tool.ts';
import { describeBundle } from './tools/describe-bundle.ts';
import { entities } from './tools/entities.ts';
import { explainOperation } from './tools/explain-operation.ts';
import { faults } from './tools/faults.ts';
import { findOperations } from './tools/find-operations.ts';
import { followLink } from './tools/follow-link.ts';
import { lastProblems } from './tools/last-problems.ts';
import { mintToken } from './tools/mint-token.ts';
import { missingCoverage } from './tools/missing-coverage.ts';
import { tryRequest } from './tools/try-request.ts';
import { worlds } from './tools/worlds.ts';

const ownTools: readonly Tool[] = [
  ...[findOperations, explainOperation, describeBundle, entities, followLink],
  ...[tryRequest, lastProblems, missingCoverage, worlds, faults, mintToken],
];

/** Those of this part, then those of the other parts that the program has. */
export const loadTools = once(async (): Promise<readonly Tool[]> => {
  const others = await Promise.all([rim.checks?.(), rim.sites?.()]);
  return [...ownTools, ...others.flatMap((part) => part?.tools ?? [])];
});
