/** Finds for each operation and status of a document a request that meets it, by trying likely ones in a copy of the world. */
import { collectRequests, type CollectedRequest } from '../../openapi/openapi-parts.ts';
import { type DocumentObject, rawOperation } from '../../openapi/openapi-terms.ts';
import { beginSlices } from '../../basics/long-work.ts';
import type { Awaitable } from '../../basics/awaitable.ts';
import type { HostedOperation } from '../../openapi/openapi-host.ts';
import type { ServedContract } from '../corrected-body.ts';
import { clientsFor } from './clients.ts';
import { nothingKnown } from './known-values.ts';
import { candidatesFor, type Candidate, type PlanContext } from './request-plans.ts';
import { statusOf, type Sandbox, type RequestStep } from './request-step.ts';

/** Without steps no request was found; `explanation` says what the document says of the status. */
export type FoundRequest = {
  readonly steps: readonly RequestStep[];
  readonly explanation: string;
  /** Whether it meets the status whatever the world holds. */
  readonly isSure: boolean;
  /** The `sources` of the known values of the world that it was found in. */
  readonly sources: string;
};

export type FindRequest = (operation: HostedOperation, status: number) => Promise<FoundRequest>;

/** The requests for an earlier state of the same world, by the same document. */
type EarlierRequest = (operation: HostedOperation, status: number) => FoundRequest | undefined;

/** A copy of the world that nobody else sees. `renew` makes a new one, because a dry run may have changed it. */
type Stage = { sandbox(): Sandbox; renew(): Awaitable<void> };

/** The most dry runs for one status. */
const maxDryRuns = 150;

/**
 * Statuses that the document, the site and the request decide: a change of a record that requests are made of is all that could change
 * them.
 */
const decidedWithoutRecords: ReadonlySet<number> = new Set([400, 405, 406, 408, 413, 414, 415, 500, 503]);

/**
 * Reads the examples of the document and the known values of the world once. Each search runs in slices. A request that was found
 * earlier is tried first, and one that only other known values could change is not tried again.
 */
export const createFindRequest = async (
  { document, backend, knownValues: collect }: ServedContract,
  stage: Stage,
  earlier: EarlierRequest = () => undefined,
): Promise<FindRequest> => {
  const requests = requestsOf(document);
  const knownValues = (await collect?.(stage.sandbox())) ?? nothingKnown;
  const clients = clientsFor(knownValues.accounts, requests);
  const { dryRun, meets } = createDryRun(stage);
  const { sources } = knownValues;
  const contexts = new Map<HostedOperation, Promise<PlanContext | undefined>>();

  const newContext = async (operation: HostedOperation): Promise<PlanContext | undefined> => {
    const request = requests.get(operation.id);
    if (request === undefined) return undefined;
    const { resource, ...related } = relatedTo(operation, { document, operations: backend.operations, requests });
    const context = { operation, request, resource, related, knownValues, clients, success: undefined };
    for (const status of [...operation.responses.keys()].filter((each) => each < 300)) {
      const found = await dryRun(candidatesFor(status, context), status);
      if (found?.variant !== undefined) return { ...context, success: found.variant };
    }
    return context;
  };

  const stillMeeting = async (operation: HostedOperation, status: number): Promise<FoundRequest | undefined> => {
    const before = earlier(operation, status);
    if (before === undefined) return undefined;
    const isDecided = before.isSure || before.steps.length === 0 || decidedWithoutRecords.has(status);
    if (isDecided) return before.sources === sources ? before : undefined;
    return (await meets(before, status)) ? { ...before, sources } : undefined;
  };

  return async (operation, status) => {
    const before = await stillMeeting(operation, status);
    if (before !== undefined) return before;
    const prepared = contexts.get(operation) ?? newContext(operation);
    contexts.set(operation, prepared);
    const context = await prepared;
    const found = context === undefined ? undefined : await dryRun(candidatesFor(status, context), status);
    if (found !== undefined) {
      const { steps, explanation, isSure = false } = found;
      return { steps, explanation, isSure, sources };
    }
    const { description = '' } = rawOperation(document, operation)?.responses[String(status)] ?? {};
    return { steps: [], explanation: description, isSure: false, sources };
  };
};

/** Reading a document takes longer than the search for one status. */
const known = new WeakMap<DocumentObject, ReadonlyMap<string, CollectedRequest>>();

const requestsOf = (document: DocumentObject): ReadonlyMap<string, CollectedRequest> => {
  const collected =
    known.get(document) ??
    new Map(
      collectRequests(document)
        .folders.flatMap(({ requests }) => requests)
        .map((request) => [request.id, request]),
    );
  known.set(document, collected);
  return collected;
};

/** `dryRun` tries candidates until one is answered with the status. Undefined when none is. */
const createDryRun = (stage: Stage) => {
  const slices = beginSlices();
  const meets = async (
    candidate: Pick<Candidate, 'steps'> & { readonly isSure?: boolean },
    status: number,
  ): Promise<boolean> => {
    if (candidate.isSure === true) return true;
    if (slices.isOver()) await slices.next();
    const met = await statusOf(candidate.steps, stage.sandbox());
    if (candidate.steps.some(({ method }) => method !== 'GET' && method !== 'HEAD')) await stage.renew();
    return met === status;
  };
  const dryRun = async (candidates: Iterable<Candidate>, status: number): Promise<Candidate | undefined> => {
    let dryRuns = 0;
    for (const candidate of candidates) {
      dryRuns += 1;
      if (dryRuns > maxDryRuns) return undefined;
      if (await meets(candidate, status)) return candidate;
    }
    return undefined;
  };
  return { dryRun, meets };
};

type Offered = {
  readonly document: DocumentObject;
  readonly operations: readonly HostedOperation[];
  readonly requests: ReadonlyMap<string, CollectedRequest>;
};

/** The kind of record of an operation, and the operations that make and change such a record. */
const relatedTo = (operation: HostedOperation, { document, operations, requests }: Offered) => {
  const resourceOf = (each: HostedOperation): string | undefined => rawOperation(document, each)?.['x-resource'];
  const [parameter] = operation.pathParameters;
  const update = operations.find(
    (each) => each.method === 'PATCH' && parameter !== undefined && each.pathParameters[0]?.name === parameter.name,
  );
  const resource = resourceOf(operation) ?? (update && resourceOf(update)) ?? '';
  const create = operations.find(
    (each) => each.method === 'POST' && each.body === 'json' && resourceOf(each) === resource,
  );
  return { resource, create: requests.get(create?.id ?? ''), update: requests.get(update?.id ?? '') };
};
