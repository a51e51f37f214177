/** What the engine finds out about one request, written down for whoever watches it. What is made of it is not known here. */
import type { Identity } from '../model/principal.ts';
import type { ContractViolation } from '../document/contract-violation.ts';
import type { Operation } from '../document/operation.ts';

/**
 * Filled in while a request is answered, and with `--check-replies log` shortly afterwards. It travels with the request
 * (`PlainRequest.findings`) and not by an event, so that the reply that was kept pays for two assignments only.
 */
export type RequestObservations = {
  /** The operation of the document; HEAD has its own. Undefined when no operation has answered. */
  operation: Operation | undefined;
  /** Undefined when the request was refused before anybody asked who it comes from. */
  identity: Identity | undefined;
  /** Where the request is not what the schemas of the document say. */
  requestViolations: readonly ContractViolation[];
  /** The body was read all the same (decisions: Leniencies). */
  isLenient: boolean;
  /** Where the reply is not what the schemas of the document say. */
  replyViolations: readonly ContractViolation[];
};

/** Nothing has been found out yet. */
export const emptyObservations = (): RequestObservations => ({
  operation: undefined,
  identity: undefined,
  requestViolations: [],
  isLenient: false,
  replyViolations: [],
});
