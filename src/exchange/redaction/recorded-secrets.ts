/** Hides what a recorded request and its reply tell of secrets, in whatever shows them. */
import type { components } from '../../client/generated/control.ts';
import { readPointer } from '../../basics/json-pointer.ts';
import type { Json } from '../../basics/json.ts';
import type { Advice, HeaderValues, PlainRequest } from '../../openapi/openapi-host.ts';
import type { RecordedExchange } from '../recorded-exchange.ts';
import type { HeaderLine } from '../wire-exchange.ts';
import { hidingSpoken } from './redaction.ts';
import { isSecretMember, redacted } from './secrets.ts';
import { shownAddress, shownJson, shownText } from './shown-texts.ts';

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
  return /^[[{].*\u2026$/s.test(value) ? shownText(value) : shownAddress(value);
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
