/** Removes secrets and personal data from an exchange: from its path, its header lines and both bodies. */
import { headerValue, type HeaderLine, type WireBody, type WireExchange } from '../wire-exchange.ts';
import { decodedMessage, wholeBody, withLength, type Message } from './decoded-body.ts';
import { redactBody } from './redact-body.ts';
import { redactText } from './redact-text.ts';
import type { Redacting } from './redacting.ts';
import { challenge } from './secrets.ts';
import { isPublicName } from './suspicion.ts';

/**
 * The exchange as it may be kept. Its compressed bodies are unpacked, since nobody could look for secrets in them. A body
 * that something was removed from has the length and the hash of the rest.
 */
export const redactExchange = (exchange: WireExchange, redacting: Redacting): WireExchange => {
  const unpacked = {
    ...exchange,
    request: { ...exchange.request, ...decodedMessage(exchange.request) },
    reply: { ...exchange.reply, ...decodedMessage(exchange.reply) },
  };
  // The first time learns what is secret, also for the texts that stand before the place that tells.
  redactOnce(unpacked, redacting);
  return redactOnce(unpacked, redacting);
};

const redactOnce = (exchange: WireExchange, redacting: Redacting): WireExchange => {
  const { request, reply } = exchange;
  return {
    ...exchange,
    request: {
      ...request,
      ...redactMessage(request, request.path, redacting),
      path: redactText(request.path, redacting),
    },
    reply: {
      ...reply,
      ...redactMessage(reply, request.path, redacting),
      reason: redactText(reply.reason, redacting),
      trailers: redactHeaders(reply.trailers, redacting),
    },
  };
};

const redactMessage = ({ headers, body }: Message, path: string, redacting: Redacting): Message => {
  const redacted = redactHeaders(headers, redacting);
  const { isWhole, kept } = body;
  const contentType = headerValue(headers, 'content-type') ?? '';
  const left = redactBody(kept, { path, contentType, isWhole }, redacting);
  if (left === kept) return { headers: redacted, body };
  return { headers: withLength(redacted, isWhole ? left : undefined), body: bodyOf(left, body) };
};

/** The hash of a whole body that was cut off tells nothing any more, and might tell the secret. */
const bodyOf = (left: Uint8Array, { isWhole, bytes }: WireBody): WireBody =>
  isWhole ? wholeBody(left) : { ...wholeBody(left), bytes, isWhole };

const redactHeaders = (headers: readonly HeaderLine[], redacting: Redacting): HeaderLine[] =>
  headers.map(([name, value]) => [name, redactHeader(name, value, redacting)]);

const redactHeader = (name: string, value: string, redacting: Redacting): string => {
  const { rules, placeholders } = redacting;
  const lower = name.toLowerCase();
  if (lower === 'cookie' || lower === 'cookie2')
    return value.replace(/[^;]+/g, (pair) => redactCookie(pair, redacting));
  if (lower === 'set-cookie' || lower === 'set-cookie2') {
    const first = (_all: string, before: string, pair: string): string => before + redactCookie(pair, redacting);
    // Some servers and programs write several cookies into one line.
    return redactText(value.replace(/(^|,\s*(?=[^;,=\s]+=))([^;,]+)/g, first), redacting);
  }
  if (!rules.isSecretHeaderLine(name, value)) {
    const isChallenge = lower.endsWith('-authenticate');
    const drawn = (_all: string, before: string, one: string): string => before + placeholders.learn(one, 'nonce');
    const keepsRandom = isPublicName(name) || rules.isAllowed(name);
    return redactText(isChallenge ? value.replace(challenge, drawn) : value, { ...redacting, keepsRandom });
  }
  const [, scheme, credentials] = /^([A-Za-z][\w-]*)\s+(\S.*)$/.exec(value) ?? [];
  if (!lower.endsWith('authorization') || scheme === undefined || credentials === undefined)
    return placeholders.learn(value, name);
  if (scheme.toLowerCase() === 'basic') learnPassword(credentials, redacting);
  return `${scheme} ${placeholders.learn(credentials, 'authorization')}`;
};

/** A cookie may have no name (RFC 6265bis §5.6), and may then be the secret as a whole. */
const redactCookie = (pair: string, { placeholders }: Redacting): string => {
  const [, before = '', value = '', after = ''] = /^(\s*(?:[^=]*=)?\s*)(.*?)(\s*)$/s.exec(pair) ?? [];
  return `${before}${placeholders.learn(value, 'cookie')}${after}`;
};

/** A client may send the same password in another place, where no name tells. */
const learnPassword = (credentials: string, { placeholders }: Redacting): void => {
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? [];
  placeholders.learn(password, 'password');
};
