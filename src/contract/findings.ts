/** What the engine finds out about one request, written down for whoever watches it. What is made of it is not known here. */
import type { Identity } from '../access/principal.ts';
import type { Fault } from './backend.ts';
import type { Operation } from './operation.ts';

/**
 * Filled in while a request is answered, and with `--check-replies log` shortly afterwards. It travels with the request
 * (`PlainRequest.findings`) and not by an event, so that the reply that was kept pays for two assignments only.
 */
export type Findings = {
  /** The operation of the document; HEAD has its own. Undefined when no operation has answered. */
  operation: Operation | undefined;
  /** Undefined when the request was refused before anybody asked who it comes from. */
  identity: Identity | undefined;
  /** Where the request is not what the schemas of the document say. */
  requestFaults: readonly Fault[];
  /** The body was read all the same (decisions: Leniencies). */
  isLenient: boolean;
  /** Where the reply is not what the schemas of the document say. */
  replyFaults: readonly Fault[];
};

/** Nothing has been found out yet. */
export const noFindings = (): Findings => ({
  operation: undefined,
  identity: undefined,
  requestFaults: [],
  isLenient: false,
  replyFaults: [],
});
