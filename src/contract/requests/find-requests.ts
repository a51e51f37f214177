/** Finds for each operation and status of a document a request that meets it, by trying likely ones in a copy of the world. */
import { collect, type CollectedRequest } from '../../core/document/collect-requests.ts';
import type { DocumentObject } from '../../core/document/document.ts';
import { beginSlices } from '../../basics/long-work.ts';
import type { Awaitable } from '../../basics/awaitable.ts';
import { rawOperation, type Operation } from '../../core/document/operation.ts';
import type { ServedContract } from '../corrected-body.ts';
import { clientsFor } from './clients.ts';
import { collectKnownValues } from './known-values.ts';
import { candidatesFor, type Candidate, type PlanContext } from './request-plans.ts';
import { statusOf, type Sandbox, type RequestStep } from './request-step.ts';

/** Without steps no request was found; `explanation` says what the document says of the status. */
export type FoundRequest = { readonly steps: readonly RequestStep[]; readonly explanation: string };

export type FindRequest = (operation: Operation, status: number) => Promise<FoundRequest>;

/** A copy of the world that nobody else sees. `renew` makes a new one, because a dry run may have changed it. */
type Stage = { sandbox(): Sandbox; renew(): Awaitable<void> };

/** The most dry runs for one status. */
const maxDryRuns = 150;

/** Reads the examples of the document and the known values of the world once. Each search runs in slices. */
export const createFindRequest = async ({ document, backend }: ServedContract, stage: Stage): Promise<FindRequest> => {
  const requests = requestsOf(document);
  const knownValues = await collectKnownValues(stage.sandbox());
  const clients = clientsFor(knownValues.accounts, requests);
  const dryRun = createDryRun(stage);
  const contexts = new Map<Operation, Promise<PlanContext | undefined>>();

  const newContext = async (operation: Operation): Promise<PlanContext | undefined> => {
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

  return async (operation, status) => {
    const prepared = contexts.get(operation) ?? newContext(operation);
    contexts.set(operation, prepared);
    const context = await prepared;
    const found = context === undefined ? undefined : await dryRun(candidatesFor(status, context), status);
    if (found !== undefined) return { steps: found.steps, explanation: found.explanation };
    const { description = '' } = rawOperation(document, operation)?.responses[String(status)] ?? {};
    return { steps: [], explanation: description };
  };
};

/** Reading a document takes longer than the search for one status. */
const known = new WeakMap<DocumentObject, ReadonlyMap<string, CollectedRequest>>();

const requestsOf = (document: DocumentObject): ReadonlyMap<string, CollectedRequest> => {
  const collected =
    known.get(document) ??
    new Map(
      collect(document)
        .folders.flatMap(({ requests }) => requests)
        .map((request) => [request.id, request]),
    );
  known.set(document, collected);
  return collected;
};

/** Tries candidates until one is answered with the status. Undefined when none is. */
const createDryRun = (stage: Stage) => {
  const slices = beginSlices();
  const meets = async (candidate: Candidate, status: number): Promise<boolean> => {
    if (candidate.isSure === true) return true;
    if (slices.isOver()) await slices.next();
    const met = await statusOf(candidate.steps, stage.sandbox());
    if (candidate.steps.some(({ method }) => method !== 'GET' && method !== 'HEAD')) await stage.renew();
    return met === status;
  };
  return async (candidates: Iterable<Candidate>, status: number): Promise<Candidate | undefined> => {
    let dryRuns = 0;
    for (const candidate of candidates) {
      dryRuns += 1;
      if (dryRuns > maxDryRuns) return undefined;
      if (await meets(candidate, status)) return candidate;
    }
    return undefined;
  };
};

type Offered = {
  readonly document: DocumentObject;
  readonly operations: readonly Operation[];
  readonly requests: ReadonlyMap<string, CollectedRequest>;
};

/** The kind of record of an operation, and the operations that make and change such a record. */
const relatedTo = (operation: Operation, { document, operations, requests }: Offered) => {
  const resourceOf = (each: Operation): string | undefined => rawOperation(document, each)?.['x-resource'];
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
