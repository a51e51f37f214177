/** Hides the secrets of a recorded request from those who read its traffic. */
import { readPointer } from '../../basics/json-pointer.ts';
import type { HeaderValues, PlainRequest, Advice } from '../../openapi/openapi-host.ts';
import type { components } from '../../client/generated/control.ts';
import type { RecordedExchange } from '../../exchange/recorded-exchange.ts';
import { hidingSpoken } from '../../exchange/redaction/redaction.ts';
import { isSecretMember, redacted } from '../../exchange/redaction/secrets.ts';
import { shownAddress, shownJson, shownText } from '../../exchange/redaction/shown-texts.ts';
import type { HeaderLine } from '../../exchange/wire-exchange.ts';
import type { Json } from '../../basics/json.ts';

/** Shows advice in traffic, without secrets. */
export const shownAdvice = ({ pointer, sent, before, stored, reason }: Advice): components['schemas']['Advice'] => {
  const isSecret = readPointer(pointer).some(isSecretMember);
  const shown = (value: Json): Json => (isSecret ? redacted : withoutSecrets(value));
  return {
    pointer,
    ...(sent === undefined ? {} : { sent: shown(sent) }),
    ...(before === undefined ? {} : { before: shown(before) }),
    ...(stored === undefined ? {} : { stored: shown(stored) }),
    reason,
  };
};

const withoutSecrets = (value: Json): Json => {
  if (typeof value !== 'string') return JSON.parse(shownAddress(JSON.stringify(shownJson(value)))) as Json; // it was JSON
  // A long value was cut to the beginning of its JSON, whose members cannot be read any more.
  return /^[[{].*\u2026$/s.test(value) ? shownText(value, undefined) : shownAddress(value);
};

/** Hides the secrets that a request and its reply tell, in whatever shows them. */
export const hidingSecretsOf = ({ path, query, headers, replyHeaders, requestBody, replyBody }: RecordedExchange) =>
  hidingSpoken(
    `${path}?${query}`,
    { headers: linesOf(headers), text: requestBody.text },
    { headers: linesOf(replyHeaders), text: replyBody.text },
  );

const linesOf = (headers: HeaderValues | PlainRequest['headers']): HeaderLine[] =>
  Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one): HeaderLine => [name, one]));
