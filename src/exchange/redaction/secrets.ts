/** Says which names of headers, members and parameters hold secrets, and how a removed secret is marked. */
import { isSecretName, isSecretParameterName, isSuspectValue } from './suspicion.ts';

/** Replaces a secret. */
export const redacted = '[redacted]';

/** Whether the whole text is one placeholder, also the one that Atoll's own traffic has. */
export const isPlaceholder = (text: string): boolean =>
  text === redacted || /^(?:\[redacted:[a-z0-9_-]+:\d+\]|mail-\d+@redacted\.invalid)$/.test(text);

/** Includes names that only other servers use, because a client may send its keys to every server. */
const secretHeaders =
  /authorization|cookie|token|secret|password|api-?key|^atoll-control$|session$|(?<!surrogate|idempotency|cache|websocket)-key$/i;

export const isSecretMember = isSecretName;
export const isSecretHeader = (name: string): boolean =>
  !/^access-control-/i.test(name) && (secretHeaders.test(name) || isSecretParameterName(name.replace(/^x-/i, '')));

/** Whether a member of JSON is secret by its name, or by its value where that is a text. */
export const isSecretPair = (name: string, value: unknown): boolean =>
  isSecretName(name) || isSuspectValue(name, value);

/** For these operations a text that is not a JSON object is secret as a whole. */
const secretTexts: ReadonlySet<string> = new Set(['getSessionToken', 'getRestSessionToken', 'login']);

/** Whether a text of this operation that is not a JSON object is secret as a whole. */
export const isSecretText = (operation: string | undefined): boolean =>
  operation !== undefined && secretTexts.has(operation);

/** Whether a parameter of a URL or a field of a form is secret. */
export const isSecretParameter = (name: string, value: string): boolean =>
  isSecretParameterName(name) || isSuspectValue(name, value);

/** RFC 7616 §3.3 */
export const challenge = /(\b(?:nonce|opaque)="?)([^",\s]+)/gi;
