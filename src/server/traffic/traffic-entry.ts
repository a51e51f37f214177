/** Turns a recorded exchange into what `/_atoll/traffic` shows: the verdicts, the violations, and no secrets. */
import type { components } from '../../client/generated/control.ts';
import { given, type Json } from '../../basics/json.ts';
import type { ObservedCallback } from '../../openapi/openapi-host.ts';
import { findingsOf, type ExplanationContext, type Findings, type ServedContract } from '../../contract/contract.ts';
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
  hidingIn(exchange)(entryOf(exchange, await findingsOf(exchange, context), context));

/** Hides what the exchange tells of secrets in the texts that show it. `corrected` hides them itself, and has published passwords. */
const hidingIn = (exchange: RecordedExchange): (<T extends TrafficEntry>(entry: T) => T) => {
  const hide = hidingSecretsOf(exchange);
  return (entry) => {
    const { id, time, world, method, operation, identity, verdict, corrected } = entry;
    const shown = { ...hide(entry), id, time, world, method, operation, identity, verdict };
    return corrected === undefined ? shown : { ...shown, corrected };
  };
};

const entryOf = (
  exchange: RecordedExchange,
  { verdict, message, requestFaults, replyFaults, curl }: Findings,
  { areRepliesChecked }: EntryContext,
): TrafficEntry => {
  const { observations, operation, transmissionFault } = exchange;
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
    verdict: { request: verdict, reply: replyVerdictOf(exchange, areRepliesChecked) },
    ...(message === undefined ? {} : { message }),
    requestFaults,
    replyFaults,
    advice: observations.advice.map(shownAdvice),
    ...(observations.isPage ? { page: true } : {}),
    ...(observations.bySite ? { bySite: true } : {}),
    ...(curl === undefined ? {} : { corrected: curl }),
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
  const findings = await findingsOf(exchange, context);
  return hidingIn(exchange)({
    ...entryOf(exchange, findings, context),
    request: showMessage(exchange.headers, exchange.requestBody, exchange.operation?.id),
    response: showMessage(exchange.replyHeaders, sentBody(exchange), exchange.operation?.id),
    ...(findings.corrected === undefined ? {} : { correction: showCorrection(findings.corrected, exchange) }),
  });
};

const showCorrection = (
  { method, url, contentType, headers, body }: NonNullable<Findings['corrected']>,
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
