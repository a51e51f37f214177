/** Defines what is said of a recorded exchange: its violations, how the request would be right, and who says so for own documents. */
import type { Violation } from '../openapi/openapi-parts.ts';
import type { components } from '../client/generated/control.ts';
import type { PlainReply, PlainRequest } from '../openapi/openapi-host.ts';
import type { RecordedExchange, HeaderLine, WireExchange } from '../exchange/exchange.ts';
import type { Json } from '../basics/json.ts';

/** A violation as `/_atoll/traffic` shows it. `arrived` is JSON of at most 200 characters. */
export type ExplainedViolation = components['schemas']['BrokenRule'];

/** What a request deserves by itself, whatever it was answered. */
export type RequestJudgement = {
  /** Statuses that the path, the method, the head or the syntax of the body deserve. */
  readonly refused: readonly (400 | 404 | 405 | 406 | 415)[];
  /** What breaks a schema. Empty where anything is refused already. */
  readonly violations: readonly Violation[];
};

/** What a whole look at a request finds, where the engine has stopped at the first fault. */
export type RequestFaults = {
  /** Everything that breaks a schema. */
  readonly violations: readonly Violation[];
  /** Statuses that the head of the request deserves, whichever of them was answered. */
  readonly headRefusals: readonly (406 | 415)[];
};

/** The request that a client should send instead. */
export type CorrectedRequest = {
  readonly method: string;
  /** Absolute, with its query. */
  readonly url: string;
  /** Undefined when the request has no body. */
  readonly contentType: string | undefined;
  /** Other headers that were missing or wrong. */
  readonly headers: readonly HeaderLine[];
  /** `bytes` stands for the bytes of the original request. */
  readonly body: { readonly json: Json } | { readonly text: string } | 'bytes' | undefined;
};

export type Correction = RequestFaults & {
  /** Undefined when nothing has to change, and when no correction is known. */
  readonly request: CorrectedRequest | undefined;
};

/** Speaks for the operations of a document of one's own, in place of the repository's document. */
export type ContractJudge = {
  /** Of these violations, or of those that were observed. Empty when the request keeps the document. */
  readonly explainRequest: (exchange: RecordedExchange, violations?: readonly Violation[]) => ExplainedViolation[];
  readonly explainReply: (exchange: RecordedExchange) => ExplainedViolation[];
  /** Everything that is wrong with the request, also where its answer was ordered. */
  readonly correct: (exchange: RecordedExchange) => Promise<Correction>;
  /** What the document does not allow in an exchange with another server. The reply's body is without its content encoding. */
  readonly check: (exchange: WireExchange) => Promise<CheckedExchange>;
  /** The answer that the document shows, as `Prefer` asks for it. */
  readonly mock: (request: PlainRequest) => PlainReply;
};

type CheckedExchange = {
  readonly request: readonly Violation[];
  readonly reply: readonly Violation[];
};
