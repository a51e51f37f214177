/** Makes a request that can be sent again from a recorded one. */
import type { components } from '../../../src/client/generated/control.ts';

export type TrafficExchange = components['schemas']['TrafficExchange'];
type TrafficMessage = components['schemas']['TrafficMessage'];

/** What the control interface writes in place of a secret. */
const redacted = '[redacted]';

/** Headers that the connection, the browser or the credentials decide. */
const notRepeated =
  /^(?:host|connection|content-length|transfer-encoding|keep-alive|te|trailer|upgrade|expect|date|accept-encoding|accept-language|user-agent|origin|referer|cookie|authorization|x-csrf-token|atoll-page|dnt|via|sec-.*|proxy-.*|access-control-.*)$/i;

/** The headers that belong to the request itself, without secrets. */
export const repeatedHeaders = ({ headers }: TrafficMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): [string, string][] => {
      const text = typeof value === 'string' ? value : value.join(', ');
      if (notRepeated.test(name) || text.includes(redacted) || (name === 'accept' && text === '*/*')) return [];
      return [[name, text]];
    }),
  );

/** How the sender has proved who it is. */
export type SentCredentials = 'none' | 'password' | 'token' | 'session';

/** Basic when the credentials were refused: their header is taken out, so that nothing says more. */
export const credentialsOf = ({ request, identity }: TrafficExchange): SentCredentials => {
  if ('authorization' in request.headers) return identity?.provider === 'jwt_auth' ? 'token' : 'password';
  return 'cookie' in request.headers && identity?.provider === 'cookie' ? 'session' : 'none';
};

/** The name of the account that sent it. Undefined for a visitor, and where nobody knows. */
export const senderOf = ({ identity }: TrafficExchange): string | undefined =>
  identity === null || identity.name === 'anonymous' ? undefined : identity.name;

/** Whether the body was not kept, because it is long or not text. */
export const isBodyMissing = ({ bytes, body }: TrafficMessage): boolean => bytes > 0 && body === undefined;

/** Whether a part of the request was taken out because it is secret. Credentials do not count: they are added when it is sent. */
export const hasSecrets = ({ path, request }: TrafficExchange): boolean =>
  path.includes(redacted) || request.body?.includes(redacted) === true;

/** Reads lines like `Accept: text/plain`. Throws an `Error` that names the first line that is none. */
export const headersOfText = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line): [string, string] => {
        const [, name, value] = /^\s*([!#$%&'*+.^_`|~\w-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
        if (name === undefined || value === undefined)
          throw new Error(`“${line.trim()}” is not a header. Write “Name: value”.`);
        return [name, value];
      }),
  );

export const textOfHeaders = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** JSON with line breaks. Undefined when the text is no JSON. */
export const prettyJson = (text: string): string | undefined => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return undefined;
  }
};
