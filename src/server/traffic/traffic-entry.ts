/** Turns a recorded exchange into what `/_atoll/traffic` shows: the verdicts, the violations, and no secrets. */
import type { components } from '../../client/generated/control.ts';
import { given, type Json } from '../../basics/json.ts';
import type { ObservedCallback } from '../../openapi/openapi-host.ts';
import {
  explainReply,
  explainRequest,
  isOrdered,
  refusalMessage,
  type ExplanationContext,
} from '../../contract/violations.ts';
import { correctRequest } from '../../contract/corrected-request.ts';
import type { CorrectedRequest, Correction } from '../../contract/contract-judge.ts';
import type { ServedContract } from '../../contract/corrected-body.ts';
import { curlOf } from '../../contract/curl-command.ts';
import {
  type RecordedExchange,
  hidingSecretsOf,
  shownAdvice,
  shownAddress,
  shownHeaders,
  shownJson,
  shownPath,
  shownText,
} from '../../exchange/exchange.ts';

type Schemas = components['schemas'];
type RecordedBody = RecordedExchange['requestBody'];
export type TrafficEntry = Schemas['TrafficEntry'];
export type TrafficExchange = Schemas['TrafficExchange'];
type Verdict = TrafficEntry['verdict'];

export type EntryContext = ExplanationContext & {
  readonly contract: ServedContract;
  /** False when the server does not check replies at all. */
  readonly areRepliesChecked: boolean;
};

/** The verdict on the request. It is cheap, because every search computes it. */
export const requestVerdictOf = (exchange: RecordedExchange, context: ExplanationContext): Verdict['request'] => {
  const { observations, status } = exchange;
  if (status < 400 && !isOrdered(exchange))
    return observations.isLenient || observations.requestViolations.length > 0 ? 'lenient' : 'kept';
  return explainRequest(exchange, { ...context, lines: undefined }).length > 0 ? 'broken' : 'kept';
};

/** `unchecked` when replies are not checked, and for a reply that is not an operation's answer. */
export const replyVerdictOf = (
  { observations, operation, transmissionFault, isUnchecked }: RecordedExchange,
  areRepliesChecked: boolean,
): Verdict['reply'] => {
  if (observations.replyViolations.length > 0) return 'broken';
  if (isUnchecked === true) return 'unchecked';
  return areRepliesChecked && operation !== undefined && transmissionFault === undefined ? 'kept' : 'unchecked';
};

/** The entry without headers and bodies. */
export const showEntry = async (exchange: RecordedExchange, context: EntryContext): Promise<TrafficEntry> =>
  hidingIn(exchange)(entryOf(exchange, await correctionOf(exchange, context), context));

/** Hides what the exchange tells of secrets in the texts that show it. `curlOf` does so itself, and writes published passwords. */
const hidingIn = (exchange: RecordedExchange): (<T extends TrafficEntry>(entry: T) => T) => {
  const hide = hidingSecretsOf(exchange);
  return (entry) => {
    const { id, time, world, method, operation, identity, verdict, corrected } = entry;
    const shown = { ...hide(entry), id, time, world, method, operation, identity, verdict };
    return corrected === undefined ? shown : { ...shown, corrected };
  };
};

/** Undefined for a request that keeps the contract. */
const correctionOf = async (exchange: RecordedExchange, context: EntryContext): Promise<Correction | undefined> => {
  if (requestVerdictOf(exchange, context) === 'kept') return undefined;
  const { operation } = exchange;
  const judge = operation && context.contract.judgeOf?.(operation);
  return judge === undefined ? correctRequest(exchange, context.contract) : judge.correct(exchange);
};

const entryOf = (
  exchange: RecordedExchange,
  correction: Correction | undefined,
  context: EntryContext,
): TrafficEntry => {
  const { observations, operation, transmissionFault } = exchange;
  const request = requestVerdictOf(exchange, context);
  const message = refusalMessage(exchange);
  const { passwordOf } = context.contract;
  return {
    id: exchange.id,
    time: new Date(exchange.at).toISOString(),
    world: exchange.world,
    method: exchange.method,
    path: shownPath(addressOf(exchange)),
    operation: operation?.id ?? null,
    identity: identityOf(observations),
    status: exchange.status,
    duration: Math.round(exchange.durationMs * 1000) / 1000,
    verdict: { request, reply: replyVerdictOf(exchange, context.areRepliesChecked) },
    ...(message === undefined ? {} : { message }),
    requestFaults: request === 'kept' ? [] : explainRequest(exchange, context, correction),
    replyFaults: explainReply(exchange, context),
    advice: observations.advice.map(shownAdvice),
    ...(observations.isPage ? { page: true } : {}),
    ...(observations.bySite ? { bySite: true } : {}),
    ...(correction?.request === undefined
      ? {}
      : { corrected: curlOf(correction.request, exchange, { hide: hidingSecretsOf(exchange), passwordOf }) }),
    ...(observations.callbacks === undefined ? {} : { callbacks: observations.callbacks.map(shownCallback) }),
    ...(transmissionFault === undefined ? {} : { disturbance: transmissionFault.kind }),
  };
};

const shownCallback = ({
  name,
  method,
  url,
  mediaType,
  text,
  delivery,
  status,
  reason,
}: ObservedCallback): Schemas['Callback'] => ({
  ...{ name, method, url: shownAddress(url), delivery },
  ...given({
    contentType: mediaType,
    body: text === undefined ? undefined : shownText(text),
    status,
    reason,
  }),
});

/** The entry with headers and bodies. */
export const showExchange = async (exchange: RecordedExchange, context: EntryContext): Promise<TrafficExchange> => {
  const correction = await correctionOf(exchange, context);
  return hidingIn(exchange)({
    ...entryOf(exchange, correction, context),
    request: showMessage(exchange.headers, exchange.requestBody, exchange.operation?.id),
    response: showMessage(exchange.replyHeaders, sentBody(exchange), exchange.operation?.id),
    ...(correction?.request === undefined ? {} : { correction: showCorrection(correction.request, exchange) }),
  });
};

const showCorrection = (
  { method, url, contentType, headers, body }: CorrectedRequest,
  { baseUrl }: RecordedExchange,
): Schemas['CorrectedRequest'] => {
  return {
    method,
    path: shownPath(url.slice(baseUrl.length)),
    ...(contentType === undefined ? {} : { contentType }),
    ...(headers.length === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(body === undefined
      ? {}
      : body === 'bytes'
        ? { bytes: true }
        : { body: 'text' in body ? shownText(body.text) : withoutSecrets(body.json) }),
  };
};

const withoutSecrets = (body: Json): Json => JSON.parse(shownAddress(JSON.stringify(shownJson(body)))) as Json; // it was JSON

const addressOf = ({ path, query }: RecordedExchange): string => (query === '' ? path : `${path}?${query}`);

/** The body of a reply with its exact bytes. */
const sentBody = ({ replyHeaders, replyBody }: RecordedExchange): RecordedBody => ({
  ...replyBody,
  bytes: Number(replyHeaders['Content-Length'] ?? replyBody.bytes),
});

const showMessage = (
  headers: Parameters<typeof shownHeaders>[0],
  { text, bytes }: RecordedBody,
  operation: string | undefined,
): Schemas['TrafficMessage'] => ({
  headers: shownHeaders(headers),
  bytes,
  ...(text === undefined ? {} : { body: shownText(text, operation) }),
});

const identityOf = ({ identity }: RecordedExchange['observations']): TrafficEntry['identity'] =>
  identity === undefined
    ? null
    : {
        name: identity.principal.uid === 0 ? 'anonymous' : identity.principal.name,
        provider: identity.provider ?? null,
        credentials: identity.credentials,
        ...(identity.advice === undefined ? {} : { advice: identity.advice }),
      };
