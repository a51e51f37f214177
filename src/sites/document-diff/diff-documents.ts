/** Compares two OpenAPI documents: every change with its kind, whom it breaks, and why. */
import { isRecord } from '../../basics/json.ts';
import type { Part } from '../../core/document/document-tree.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { addressLosses, nameLosses, otherLosses } from './compare-names.ts';
import { operationLosses } from './compare-operations.ts';
import { schemeLosses } from './compare-security.ts';
import type { DocumentChange, JudgedParty } from './document-change.ts';
import { readerOf } from './document-reader.ts';
import { changesOf, type Finding, type Pass } from './finding.ts';

/** `judgeFor`: whose view `kind` is. Default: clients of the earlier document. */
export type DiffOptions = { readonly judgeFor?: JudgedParty | undefined };

/**
 * Every change from one document to another, each once. Both are documents of OpenAPI 3.0 or 3.1 with their references.
 * Texts and examples are not compared, except the relations in examples of `Link`. Throws `ConfigurationError` for what is no such document, and for a reference that leads nowhere.
 */
export const diffDocuments = (
  before: unknown,
  after: unknown,
  { judgeFor = 'client' }: DiffOptions = {},
): DocumentChange[] => {
  const [old, now] = [readerOf(checkDocumentVersion(before)), readerOf(checkDocumentVersion(after))];
  const lost = lossesOf({ before: old, after: now, isForward: true, seen: unseen() });
  const gained = lossesOf({ before: now, after: old, isForward: false, seen: unseen() });
  return changesOf(lost, gained, judgeFor);
};

const unseen = (): Pass['seen'] => ({ sent: new Set(), received: new Set() });

const lossesOf = (pass: Pass): Finding[] => [
  ...operationLosses(pass),
  ...schemeLosses(pass),
  ...nameLosses(pass),
  ...addressLosses(pass),
  ...otherLosses(pass),
];

/** Throws `ConfigurationError` for what is no document of OpenAPI 3.0 or 3.1. `name` stands before the reason. */
export const checkDocumentVersion = (value: unknown, name?: string): Part => {
  if (isRecord(value) && /^3\.[01]\b/.test(String(value['openapi']))) return value;
  const version = isRecord(value) ? (value['openapi'] ?? value['swagger']) : undefined;
  const reason =
    version === undefined
      ? 'it is no OpenAPI document, it has no member "openapi".'
      : `it is a document of version ${JSON.stringify(version)}. Write it as OpenAPI 3.0 or 3.1.`;
  throw new ConfigurationError(`${name ?? 'The document'}: ${reason}`);
};
