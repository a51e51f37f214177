/** A request of the command line to a running server. */
import type { Fetch } from '../fetch.ts';
import { ConfigurationError } from '../site/read-yaml.ts';

/** `fetch` that throws `ConfigurationError` when nobody answers. */
export const reach: Fetch = (input, init) =>
  fetch(input, init).catch((cause: unknown) => {
    const { origin } = new URL(input instanceof Request ? input.url : input);
    throw new ConfigurationError(`Nobody answers at ${origin}. Start a server, or name it with --url.`, { cause });
  });
