/** Defines why a request is refused, and the statuses that such a refusal may have in a document. */
import { fullMessage, type Violation } from './schemas/violations.ts';

/** Why a request was refused, for people. It has one line. */
export const reasonHeader = 'Atoll-Reason';
/** `undocumented`: the document has no answer for this refusal. */
export const refusalHeader = 'Atoll-Refusal';

export type RefusalKind =
  | 'path'
  | 'method'
  | 'credentials'
  | 'permission'
  | 'media-type'
  | 'not-acceptable'
  | 'syntax'
  | 'parameter'
  | 'absent'
  | 'conflict'
  | 'precondition'
  | 'length'
  | 'time'
  | 'body'
  | 'expectation'
  | 'preference'
  /** A handler has thrown it, with a status of its own. */
  | 'handler';

/** In the order in which they are tried. The first is sent for `4XX` and `default`, and where none is documented. */
const statusesOf: Readonly<Record<RefusalKind, readonly number[]>> = {
  path: [404],
  method: [405],
  credentials: [401],
  permission: [403],
  'media-type': [415],
  'not-acceptable': [406],
  syntax: [400, 422],
  parameter: [400, 422],
  preference: [400, 422],
  absent: [404],
  conflict: [409],
  precondition: [412],
  length: [413],
  time: [408],
  expectation: [417],
  body: [422, 400],
  handler: [400],
};

type RefusalOptions = {
  readonly violations?: readonly Violation[];
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** In place of those of the kind. */
  readonly statuses?: readonly number[];
  /** For the log only. */
  readonly cause?: unknown;
};

/** A request that is refused because of what the client sent. `message` is the reason, which the client gets. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly kind: RefusalKind;
  /** In the order in which they are tried. */
  readonly statuses: readonly number[];
  readonly violations: readonly Violation[];
  readonly headers: Readonly<Record<string, string | readonly string[]>>;

  constructor(
    kind: RefusalKind,
    message: string,
    { violations = [], headers = {}, statuses = statusesOf[kind], cause }: RefusalOptions = {},
  ) {
    // A refusal says all in its message, and recording the stack takes a third of its time.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, cause === undefined ? undefined : { cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.kind = kind;
    this.statuses = statuses;
    this.violations = violations;
    this.headers = headers;
  }
}

/** The refusal for the first of the violations. */
export const refusalOf = (kind: RefusalKind, violations: readonly Violation[]): Refusal => {
  const [first] = violations;
  return new Refusal(
    kind,
    first === undefined ? 'The request is not valid.' : `${first.pointer || '/'}: ${fullMessage(first)}`,
    { violations },
  );
};

/** Where the fault of a kind is. Missing credentials, and what only a handler knows, do not break the form of a request. */
const pointersOf: Readonly<Partial<Record<RefusalKind, string>>> = {
  'media-type': '/header/content-type',
  'not-acceptable': '/header/accept',
  expectation: '/header/expect',
  syntax: '/requestBody',
  length: '/requestBody',
};

/** What of the request the document does not allow. */
export const faultsOf = ({ kind, message, violations }: Refusal): readonly Violation[] => {
  const pointer = pointersOf[kind];
  return violations.length > 0 || pointer === undefined ? violations : [{ pointer, message }];
};
