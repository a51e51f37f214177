/** Lists the tools, in the order in which clients see them. */
import type { Tool } from './tool.ts';
import { auditLinks } from './tools/audit-links.ts';
import { compareDocuments } from './tools/compare-documents.ts';
import { describeBundle } from './tools/describe-bundle.ts';
import { entities } from './tools/entities.ts';
import { explainOperation } from './tools/explain-operation.ts';
import { faults } from './tools/faults.ts';
import { findOperations } from './tools/find-operations.ts';
import { followLink } from './tools/follow-link.ts';
import { importSite } from './tools/import-site.ts';
import { lastProblems } from './tools/last-problems.ts';
import { mintToken } from './tools/mint-token.ts';
import { missingCoverage } from './tools/missing-coverage.ts';
import { tryRequest } from './tools/try-request.ts';
import { verifyTarget } from './tools/verify-target.ts';
import { worlds } from './tools/worlds.ts';

export const allTools: readonly Tool[] = [
  ...[findOperations, explainOperation, describeBundle, entities, followLink],
  ...[tryRequest, lastProblems, missingCoverage, worlds, faults],
  ...[mintToken, auditLinks, verifyTarget, compareDocuments, importSite],
];
