/** Takes the secrets out of a recorded request and its reply, which stay readable. */
import { given, parsedJson, withTexts, type Json } from '../../basics/json.ts';
import { basicCredentials } from '../../basics/formats/basic-credentials.ts';
import type { Advice } from '../../openapi/openapi-host.ts';
import type { RecordedBody, RecordedExchange } from '../recorded-exchange.ts';
import { isSecretMember, isSecretText, redacted } from './secrets.ts';
import { shownAddress, shownHeaders, shownQuery, shownText } from './shown-texts.ts';
import { hidingSecretsOf, shownAdvice } from './recorded-secrets.ts';

/**
 * Takes out what `server/traffic/traffic-entry.ts` does not show, and leaves what it reads: of a Basic header the account's name, of a secret in
 * a JSON body the type. A schema that limits the length or the form of a secret is the one thing that a correction then misses.
 */
export const maskedExchange = (exchange: RecordedExchange): RecordedExchange => {
  const { headers, path, query, requestBody, replyBody, replyHeaders, observations, operation } = exchange;
  const { authorization } = headers;
  const hide = hidingSecretsOf(exchange);
  const shown = {
    path: shownAddress(path),
    query: shownQuery(query),
    headers: {
      ...singleValues(shownHeaders(headers)),
      ...(authorization === undefined ? {} : { authorization: maskedAuthorization(authorization) }),
    },
    requestBody: maskedBody(requestBody, (text) => maskedRequestText(text, operation?.id)),
    replyHeaders: shownHeaders(replyHeaders),
    replyBody: maskedBody(replyBody, (text) => shownText(text, operation?.id)),
    advice: observations.advice.map((each) => shownAdvice(each) as Advice), // its values are JSON
    callbacks: observations.callbacks?.map((each) => ({
      ...each,
      url: shownAddress(each.url),
      text: each.text === undefined ? undefined : shownText(each.text),
    })),
  };
  const { advice, callbacks, ...others } = hide(shown);
  return { ...exchange, ...others, observations: { ...observations, advice, ...given({ callbacks }) } };
};

const singleValues = (headers: Record<string, string | string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));

const maskedBody = ({ bytes, text }: RecordedBody, mask: (text: string) => string): RecordedBody => ({
  bytes,
  text: text === undefined ? undefined : mask(text),
});

/** The name in a Basic header stays. Without a colon the text may be a password. */
const maskedAuthorization = (value: string): string => {
  if (!/^basic /i.test(value)) return value === '' ? '' : redacted;
  const credentials = Buffer.from(value.slice('basic '.length), 'base64').toString();
  const name = credentials.slice(0, Math.max(0, credentials.indexOf(':')));
  return basicCredentials(name, '');
};

/** JSON stays JSON, because it is read again to explain and to correct the request. */
const maskedRequestText = (text: string, operation: string | undefined): string => {
  const shown = shownText(text, operation);
  if (shown === text) return shown;
  const body = jsonOf(text);
  if (body === undefined) return shown;
  if (isSecretText(operation) && (typeof body !== 'object' || Array.isArray(body))) return JSON.stringify(redacted);
  return JSON.stringify(withTexts(maskedJson(body), shownAddress));
};

const jsonOf = (text: string): Json | undefined => parsedJson(text) as Json | undefined; // any JSON

const maskedJson = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(maskedJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      isSecretMember(name) ? maskedSecret(inner) : maskedJson(inner),
    ]),
  );
};

/** Another value of the same type. */
const maskedSecret = (value: Json): Json => {
  if (typeof value === 'string') return value === '' ? '' : redacted;
  if (typeof value === 'number') return 0;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(maskedSecret);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskedSecret(inner)]));
};
