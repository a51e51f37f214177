/** Makes requests comparable with recorded ones: a request loses its secrets as a recorded one did, and all placeholders are equal. */
import { utf8Text } from '../../basics/formats/utf8-text.ts';
import { headerValue, type WireRequest } from '../wire-exchange.ts';
import { createPlaceholders, withoutNumbers } from './placeholders.ts';
import { redactBody } from './redact-body.ts';
import { redactText } from './redact-text.ts';
import type { Redacting } from './redacting.ts';
import { builtInRules } from './redaction-rules.ts';

const redacting = (): Redacting => ({ rules: builtInRules, placeholders: createPlaceholders() });

/** A path with its query, without secrets. */
export const comparablePath = (path: string): string => withoutNumbers(redactText(path, redacting()));

/** A whole body without secrets: its text, or its bytes where it has no text. */
export const comparableBody = ({ headers, body, path }: WireRequest): string | Uint8Array => {
  const contentType = headerValue(headers, 'content-type') ?? '';
  const bytes = redactBody(body.kept, { path, contentType, isWhole: true }, redacting());
  const text = utf8Text(bytes);
  return text === undefined ? bytes : withoutNumbers(text);
};
