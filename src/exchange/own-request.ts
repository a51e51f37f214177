/** Marks the requests that the pages below `/_atoll` make for themselves. Traffic and coverage leave them out. */
import type { PlainRequest } from '../core/engine/exchange.ts';

export const pageHeader = 'Atoll-Page';

/** The same header as a key of `PlainRequest.headers`. */
const pageHeaderKey = 'atoll-page';

export const isOwnRequest = ({ headers }: Pick<PlainRequest, 'headers'>): boolean =>
  headers[pageHeaderKey] !== undefined;
