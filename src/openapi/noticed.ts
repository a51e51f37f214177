/** Defines what an engine notices about one request, for those who record it. */
import type { PreparedCallback } from './answers/callbacks.ts';
import type { Operation } from './document/operation.ts';
import type { ReadOnlyMember } from './request/read-only.ts';
import type { Refusal } from './refusal.ts';
import type { Violation } from './schemas/violations.ts';

export type Noticed = {
  operation?: Operation;
  /** What of the request the document does not allow. */
  requestViolations: readonly Violation[];
  replyViolations: readonly Violation[];
  refusal?: Refusal;
  /** Who asks, as far as the application knows. */
  identity?: unknown;
  /** What was taken although clients only read it. */
  readOnlyMembers: readonly ReadOnlyMember[];
  /** What the document promises to send to the client after this answer. */
  callbacks: readonly PreparedCallback[];
  /** Whether the client has asked for this answer. */
  isPreferred: boolean;
  /** What went wrong in a handler, or here. */
  error?: unknown;
};

export const newNoticed = (): Noticed => ({
  ...{ requestViolations: [], replyViolations: [], readOnlyMembers: [], callbacks: [], isPreferred: false },
});
