/** Defines what is observed of one request: the one record for the log, traces, traffic, metrics and coverage. */
import type { Advice } from './advice.ts';
import type { Violation } from '../schemas/violations.ts';
import type { HostedOperation } from './operation.ts';
import type { TraceContext } from './trace-context.ts';

/**
 * The server makes it when the request comes, and the engine fills it in while it answers the request, with `--check-replies
 * log` shortly afterwards. It is part of the request (`PlainRequest.observations`) instead of an event, so that a cached reply
 * costs only two assignments.
 */
export type RequestObservations = {
  /** The operation of the document that answered, where HEAD has operations of its own. Undefined until then, and when none did. */
  operation: HostedOperation | undefined;
  /** Undefined when the request was refused before it was authenticated. */
  identity: HostedIdentity | undefined;
  /** Whether a page for browsers answered. The contract says nothing of it. */
  isPage: boolean;
  /** Whether the answer was ordered, by a fault on demand or by `Prefer`. Then its status says nothing of the request. */
  isOrdered: boolean;
  /** Whether the site itself has asked, as for a derivative. */
  bySite: boolean;
  /** The violations of the document in the request. */
  requestViolations: readonly Violation[];
  /** Whether the body was accepted in spite of its violations. */
  isLenient: boolean;
  /** The violations of the document in the reply. */
  replyViolations: readonly Violation[];
  /** What of an accepted request was not stored as it was sent. Its values are short (`reported-advice.ts`). */
  advice: readonly Advice[];
  /** What the document promises to send to the client after the answer. Absent where it promises nothing. */
  callbacks?: readonly ObservedCallback[];
  /** The name of the world. Undefined until it is found. */
  world: string | undefined;
  /** Where the request belongs in a trace of its client. */
  trace: TraceContext | undefined;
  /** An event has said already why the request failed. */
  isReported: boolean;
};

/** Who has asked, as the application knows its clients. */
export type HostedIdentity = {
  /** The account. */
  readonly principal: { readonly uid: number; readonly name: string; readonly roles: readonly string[] };
  readonly credentials: 'none' | 'accepted' | 'refused';
  /** What recognised the credentials, even when it refused them. */
  readonly provider: string | undefined;
  /** Why the credentials were refused, for the author of the client. Only traffic shows it, never a reply. */
  readonly advice?: string;
};

/** A request to the client, and what has become of it. */
export type ObservedCallback = {
  /** Its name in the document. */
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly mediaType: string | undefined;
  /** Undefined without one, and for bytes. */
  readonly text: string | undefined;
  /**
   * `shown`: the server sends none; `impossible`: it has no address; `forbidden`: the server may not send it to this address;
   * `waiting`, then `answered` or `failed`.
   */
  delivery: 'shown' | 'impossible' | 'forbidden' | 'waiting' | 'answered' | 'failed';
  /** Of its answer. */
  status?: number;
  /** Why it is impossible, forbidden or failed. */
  reason?: string;
};

/** The observations of a request that the engine has not seen yet. */
export const emptyObservations = (): RequestObservations => ({
  operation: undefined,
  identity: undefined,
  isPage: false,
  isOrdered: false,
  bySite: false,
  requestViolations: [],
  isLenient: false,
  replyViolations: [],
  advice: [],
  world: undefined,
  trace: undefined,
  isReported: false,
});
