/** Defines what a page and the service worker say to each other. */
import type { DemoAccount } from '../../exchange/exchange.ts';

/** From the page. `hello`, `alive` and `stop` come with a port for the answer. */
export type PageMessage = { readonly atoll: PageNews };

export type PageNews =
  /** Opens the repository. */
  | { readonly kind: 'hello' }
  /** Keeps the worker from being ended as idle. A repository that another page has stopped stays closed. */
  | { readonly kind: 'alive' }
  /** Closes the repository. Requests go to the network from now on. */
  | { readonly kind: 'stop' }
  /** The whole body of a request was sent. Browsers end the body of a request that was broken off in the same way. */
  | { readonly kind: 'sent'; readonly exchange: string }
  /** The page broke the request off. Browsers do not tell the worker. */
  | { readonly kind: 'aborted'; readonly exchange: string };

/** The answer to `hello` and `alive`. */
export type Welcome = {
  readonly version: string;
  /** Another one after each start of the worker. */
  readonly start: string;
  readonly accounts: readonly DemoAccount[];
  /** Why the repository cannot be opened. */
  readonly refusal?: string | undefined;
};

/** The header with the name of an exchange that messages speak of. The worker removes it. */
export const exchangeHeader = 'atoll-exchange';

/** Follows the name of an exchange whose body is complete only after `sent`. */
export const confirmedMark = ';confirmed';
