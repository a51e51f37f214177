/** Says which requests are the same for a replay: by method, path and query, by who asks, and by what the body says. */
import { createHash } from 'node:crypto';
import { valueOf, valuesOf, type WireRequest } from '../../../exchange/wire-exchange.ts';
import { createPlaceholders, withoutNumbers } from '../../../exchange/redaction/placeholders.ts';
import { redactBody, utf8Text } from '../../../exchange/redaction/redact-body.ts';
import { redactText, type Redacting } from '../../../exchange/redaction/redact-text.ts';
import { builtInRules } from '../../../exchange/redaction/redaction-rules.ts';

/** A request loses its secrets as a recorded one did. Then secrets are equal to each other. */
const redacting = (): Redacting => ({ rules: builtInRules, placeholders: createPlaceholders() });

/** Path and query, with the parameters in the order of their names. */
export const placeOf = (path: string): string => {
  const plain = withoutNumbers(redactText(path, redacting()));
  const mark = plain.indexOf('?');
  if (mark < 0) return plain;
  const parameters = plain
    .slice(mark + 1)
    .split('&')
    .filter((one) => one !== '');
  return `${plain.slice(0, mark)}?${parameters.sort().join('&')}`;
};

/** What a body says. JSON with other blanks says the same. */
export const bodyKeyOf = ({ headers, body, path }: WireRequest): string => {
  if (body.bytes === 0) return '';
  const contentType = valueOf(headers, 'content-type') ?? '';
  if (!body.isWhole) return body.sha256;
  const bytes = redactBody(body.kept, { path, contentType, isWhole: true }, redacting());
  const text = utf8Text(bytes);
  if (text === undefined) return createHash('sha256').update(bytes).digest('hex');
  const said = withoutNumbers(jsonAlike(text));
  return createHash('sha256').update(said).digest('hex');
};

const jsonAlike = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return text;
  }
};

/** Whether a request carries credentials: other cookies than those of a session say nothing. */
export const hasCredentials = ({ headers }: Pick<WireRequest, 'headers'>): boolean =>
  valueOf(headers, 'authorization') !== undefined ||
  valuesOf(headers, 'cookie').some((cookie) => /(?:^|;\s*)(?:[^=;]*sess[^=;]*|sid)=|^\[redacted\]$/i.test(cookie));

/** The lines with credentials as one text. */
export const credentialsOf = ({ headers }: Pick<WireRequest, 'headers'>): string =>
  ['authorization', 'cookie'].map((name) => valuesOf(headers, name).join('; ')).join('\n');

/** The account that Basic credentials name. */
export const accountIn = ({ headers }: Pick<WireRequest, 'headers'>): string | undefined => {
  const [, encoded] = /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(valueOf(headers, 'authorization') ?? '') ?? [];
  return encoded === undefined ? undefined : /^[^:]*/.exec(Buffer.from(encoded, 'base64').toString())?.[0];
};
