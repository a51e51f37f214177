/** A remembered request as it is shown: who, what, with which verdict on both directions, secrets taken out. */
import type { ExplainedViolation, Explaining } from './violations.ts';
import { explainReply, explainRequest } from './violations.ts';
import { correctRequest } from './corrected-request.ts';
import type { ServedContract } from './corrected-body.ts';
import { curlOf } from './curl-command.ts';
import type { Exchanged, SeenBody } from './traffic-log.ts';
import { shownAddress, shownHeaders, shownQuery, shownText } from './secrets.ts';

export type RequestVerdict = 'kept' | 'lenient' | 'broken';
export type ReplyVerdict = 'kept' | 'broken' | 'unchecked';

/** Who asked, as far as the request came to that question. */
export type ShownIdentity = {
  readonly name: string;
  /** `basic_auth`, `jwt_auth`, `cookie`; null for a visitor without credentials. */
  readonly provider: string | null;
  readonly credentials: 'none' | 'accepted' | 'refused';
};

/** A request and its reply, without their heads and bodies. */
export type TrafficEntry = {
  readonly id: number;
  /** By the world's clock, ISO 8601. */
  readonly time: string;
  readonly world: string;
  readonly method: string;
  /** Within the world, with its query. */
  readonly path: string;
  /** Null where the document has none for the request. */
  readonly operation: string | null;
  readonly identity: ShownIdentity | null;
  readonly status: number;
  /** Real milliseconds until the reply was ready. */
  readonly duration: number;
  readonly verdict: { readonly request: RequestVerdict; readonly reply: ReplyVerdict };
  readonly requestFaults: readonly ExplainedViolation[];
  readonly replyFaults: readonly ExplainedViolation[];
  /** A command for a shell that asks for the same and keeps the contract. */
  readonly corrected?: string;
  /** The fault on demand that spoiled the sending. */
  readonly disturbance?: 'reset' | 'cut' | 'trickle';
};

/** One side of an exchange. `body` is left out when it was long, or no text. */
export type ShownMessage = {
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly bytes: number;
  readonly body?: string;
};

/** The whole exchange. */
export type TrafficExchange = TrafficEntry & { readonly request: ShownMessage; readonly response: ShownMessage };

/** What an entry is shown with. */
export type Showing = Explaining & {
  readonly contract: ServedContract;
  /** Whether replies are held to the document at all. */
  readonly areRepliesChecked: boolean;
};

/** What became of the request; cheap, for those who search. */
export const requestVerdictOf = (exchanged: Exchanged, explaining: Explaining): RequestVerdict => {
  const { findings, status } = exchanged;
  if (status < 400) return findings.isLenient || findings.requestViolations.length > 0 ? 'lenient' : 'kept';
  return explainRequest(exchanged, { ...explaining, lines: undefined }).length > 0 ? 'broken' : 'kept';
};

/** `unchecked` when nobody looks, and for what is no answer of an operation. */
export const replyVerdictOf = (
  { findings, operation, disturbance }: Exchanged,
  areRepliesChecked: boolean,
): ReplyVerdict => {
  if (findings.replyViolations.length > 0) return 'broken';
  return areRepliesChecked && operation !== undefined && disturbance === undefined ? 'kept' : 'unchecked';
};

/** The entry without heads and bodies. */
export const showEntry = async (exchanged: Exchanged, showing: Showing): Promise<TrafficEntry> => {
  const { findings, operation, disturbance } = exchanged;
  const request = requestVerdictOf(exchanged, showing);
  const corrected = request === 'kept' ? undefined : await correctRequest(exchanged, showing.contract);
  return {
    id: exchanged.id,
    time: new Date(exchanged.at).toISOString(),
    world: exchanged.world,
    method: exchanged.method,
    path: shownPath(exchanged),
    operation: operation?.id ?? null,
    identity: identityOf(findings),
    status: exchanged.status,
    duration: Math.round(exchanged.durationMs * 1000) / 1000,
    verdict: { request, reply: replyVerdictOf(exchanged, showing.areRepliesChecked) },
    requestFaults: request === 'kept' ? [] : explainRequest(exchanged, showing),
    replyFaults: explainReply(exchanged, showing),
    ...(corrected === undefined ? {} : { corrected: curlOf(corrected, exchanged) }),
    ...(disturbance === undefined ? {} : { disturbance: disturbance.kind }),
  };
};

/** The entry with heads and bodies. */
export const showExchange = async (exchanged: Exchanged, showing: Showing): Promise<TrafficExchange> => ({
  ...(await showEntry(exchanged, showing)),
  request: {
    headers: shownHeaders(exchanged.headers),
    ...shownBody(exchanged.sent, exchanged.operation?.id, exchanged.sent.bytes),
  },
  response: {
    headers: shownHeaders(exchanged.replyHeaders),
    ...shownBody(exchanged.reply, exchanged.operation?.id, replyBytes(exchanged)),
  },
});

/** The path within the world, and the query without its secrets. */
const shownPath = ({ path, query }: Exchanged): string =>
  shownAddress(query === '' ? path : `${path}?${shownQuery(query)}`);

/** Exactly, where the reply says it. */
const replyBytes = ({ replyHeaders, reply }: Exchanged): number =>
  Number(replyHeaders['Content-Length'] ?? reply.bytes);

const shownBody = (
  { text }: SeenBody,
  operation: string | undefined,
  bytes: number,
): Omit<ShownMessage, 'headers'> => ({
  bytes,
  ...(text === undefined ? {} : { body: shownText(text, operation) }),
});

const identityOf = ({ identity }: Exchanged['findings']): ShownIdentity | null =>
  identity === undefined
    ? null
    : {
        name: identity.principal.uid === 0 ? 'anonymous' : identity.principal.name,
        provider: identity.provider ?? null,
        credentials: identity.credentials,
      };
