/** Removes the secrets of a recorded request before it leaves the process. What is shown of it stays the same. */
import { basicCredentials } from '../../core/access/basic-auth.ts';
import { parsedJson } from '../../basics/json.ts';
import type { Advice } from '../../core/model/advice.ts';
import type { Json } from '../../core/model/entity.ts';
import type { RecordedBody, RecordedExchange } from '../../exchange/recorded-exchange.ts';
import {
  isSecretMember,
  isSecretText,
  redacted,
  shownAddress,
  shownHeaders,
  shownQuery,
  shownText,
} from '../../exchange/redaction/secrets.ts';
import { shownAdvice } from './shown-advice.ts';

/**
 * Takes out what `traffic-entry.ts` does not show, and leaves what it reads: of a Basic header the account's name, of a secret in
 * a JSON body the type. A schema that limits the length or the form of a secret is the one thing that a correction then misses.
 */
export const maskedExchange = (exchange: RecordedExchange): RecordedExchange => {
  const { headers, path, query, requestBody, replyBody, replyHeaders, observations, operation } = exchange;
  const { authorization } = headers;
  return {
    ...exchange,
    path: shownAddress(path),
    query: shownQuery(query),
    headers: {
      ...singleValues(shownHeaders(headers)),
      ...(authorization === undefined ? {} : { authorization: maskedAuthorization(authorization) }),
    },
    requestBody: maskedBody(requestBody, (text) => maskedRequestText(text, operation?.id)),
    replyHeaders: shownHeaders(replyHeaders),
    replyBody: maskedBody(replyBody, (text) => shownText(text, operation?.id)),
    observations: { ...observations, advice: observations.advice.map((each) => shownAdvice(each) as Advice) }, // its values are JSON
  };
};

const singleValues = (headers: Record<string, string | string[]>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]));

const maskedBody = ({ bytes, text }: RecordedBody, mask: (text: string) => string): RecordedBody => ({
  bytes,
  text: text === undefined ? undefined : mask(text),
});

/** Of a Basic header the name stays. Without a colon the text may be a password. */
const maskedAuthorization = (value: string): string => {
  if (!/^basic /i.test(value)) return value === '' ? '' : redacted;
  const credentials = Buffer.from(value.slice('basic '.length), 'base64').toString();
  const name = credentials.slice(0, Math.max(0, credentials.indexOf(':')));
  return basicCredentials(name, '');
};

/** JSON stays JSON, because it is read again to explain and to correct the request. */
const maskedRequestText = (text: string, operation: string | undefined): string => {
  const shown = shownText(text, operation);
  if (shown === shownAddress(text)) return shown;
  const body = jsonOf(text);
  if (body === undefined) return shown;
  if (isSecretText(operation) && (typeof body !== 'object' || Array.isArray(body))) return JSON.stringify(redacted);
  return shownAddress(JSON.stringify(maskedJson(body)));
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
