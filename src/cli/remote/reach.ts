/** A request of the command line to a running server. */
import type { Fetch } from '../../library/fetch.ts';
import { ConfigurationError } from '../../site/read-yaml.ts';

/** `fetch` that throws `ConfigurationError` when an address is none, or nobody answers there. */
export const reach: Fetch = (input, init) => {
  const address = input instanceof Request ? input.url : String(input);
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    throw new ConfigurationError(`"${address}" is no address of a server. One begins with http:// or https://.`);
  }
  return fetch(input, init).catch((cause: unknown) => {
    const { origin } = new URL(address);
    throw new ConfigurationError(`Nobody answers at ${origin}. Start a server, or name it with --url.`, { cause });
  });
};
