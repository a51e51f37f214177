/** A request of the command line to a running server. */
import { ConfigurationError } from '../site/read-yaml.ts';

/** `fetch` that throws `ConfigurationError` when nobody answers. */
export const reach = (url: string, init: RequestInit): Promise<Response> =>
  fetch(url, init).catch((cause: unknown) => {
    throw new ConfigurationError(`Nobody answers at ${new URL(url).origin}. Start a server, or name it with --url.`, {
      cause,
    });
  });

/** The JSON of a successful GET. Throws `ConfigurationError` with the server's own words, or when nobody answers. */
export const askServer = async <T>(url: string, headers: Readonly<Record<string, string>> = {}): Promise<T> => {
  const response = await reach(url, { headers });
  const body = (await response.json().catch(() => ({}))) as T & { message?: string }; // the caller names what it asks for
  if (response.ok) return body;
  throw new ConfigurationError(`${url} answered ${response.status}: ${body.message ?? ''}`);
};
