/** Narrows a coverage record to the part of the document that a client is about: `--only` and `--ignore`. */
import type { CoverageRecord, OfferedOperation } from './coverage-figures.ts';

/**
 * Each item is a method (`head`), a status or its hundred (`404`, `5xx`), a path of the document (`/node/*`) or an operation
 * (`getNode`, `*Linkset`); `*` stands for any text. Without an item in `only`, everything is in scope.
 */
export type CoverageScope = {
  readonly only: readonly string[];
  readonly ignore: readonly string[];
  /** Whether HEAD and what is beyond the contract counts without being named in `only`. */
  readonly everything: boolean;
};

/** What counts unless a client says otherwise. */
const contractScope: CoverageScope = { only: [], ignore: [], everything: false };

type ScopedOperation = Pick<OfferedOperation, 'operation' | 'method' | 'path' | 'isExtra'>;

const statusForm = /^[1-5](?:\d\d|xx)$/i;

const isStatus = (item: string): boolean => statusForm.test(item);

/** Whether the scope has a part of the operation, whatever its status. */
const hasOperation = ({ only, ignore, everything }: CoverageScope, operation: ScopedOperation): boolean => {
  const wanted = only.filter((item) => !isStatus(item));
  const matches = (item: string): boolean => matchesOperation(item, operation);
  const isNamed = wanted.some((item) => !item.startsWith('/') && matches(item));
  if (operation.isExtra && !everything && !isNamed) return false;
  return (wanted.length === 0 || wanted.some(matches)) && !ignore.filter((item) => !isStatus(item)).some(matches);
};

/** Whether the scope has this status, of whatever operation. */
const hasStatus = ({ only, ignore }: Pick<CoverageScope, 'only' | 'ignore'>, status: number | string): boolean => {
  const wanted = only.filter(isStatus);
  const matches = (item: string): boolean => {
    // A response for a class of statuses, or for all others, which are mostly errors.
    if (status === 'default') return /^[45]xx$/i.test(item);
    return new RegExp(`^${item.replace(/x/gi, '[\\dX]')}$`).test(String(status));
  };
  return (wanted.length === 0 || wanted.some(matches)) && !ignore.filter(isStatus).some(matches);
};

const matchesOperation = (item: string, { operation, method, path }: ScopedOperation): boolean => {
  if (item.toUpperCase() === method) return true;
  return wildcard(item).test(item.startsWith('/') ? path : operation);
};

const wildcard = (item: string): RegExp => {
  const parts = item.split('*').map((part) => part.replace(/[$()+.?[\\\]^{|}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
};

/** The record with what is in scope. Cells and counts outside it are gone. Default: the contract alone, without HEAD. */
export const scopedCoverage = (record: CoverageRecord, scope = contractScope): CoverageRecord => {
  const offered = record.offered
    .filter((one) => hasOperation(scope, one))
    .map((one) => ({
      ...one,
      answers: Object.fromEntries(Object.entries(one.answers).filter(([status]) => hasStatus(scope, status))),
    }));
  const names = new Set(offered.map(({ operation }) => operation));
  return {
    ...record,
    offered,
    answers: record.answers.filter(({ operation, status }) => names.has(operation) && hasStatus(scope, status)),
    relations: record.relations.filter(({ operation }) => names.has(operation)),
    advice: record.advice.filter(({ operation }) => names.has(operation)),
  };
};

/**
 * Whether an answer is in scope: by its status, and by its operation, which may be beyond the contract. One without an operation is
 * in scope by its status alone.
 */
export const isInScope = (
  record: CoverageRecord,
  scope: CoverageScope,
  { operation, status }: { readonly operation: string | null; readonly status: number },
): boolean => {
  const isMeant = (one: OfferedOperation): boolean =>
    one.operation === operation && hasOperation({ ...scope, everything: true }, one);
  return hasStatus(scope, status) && (operation === null || record.offered.some(isMeant));
};

/** The items that match nothing of the document, most likely by mistake. */
export const unmatchedItems = (
  { offered }: CoverageRecord,
  { only, ignore }: Pick<CoverageScope, 'only' | 'ignore'>,
): string[] =>
  [...only, ...ignore].filter(
    (item) => !isStatus(item) && !offered.some((operation) => matchesOperation(item, operation)),
  );
