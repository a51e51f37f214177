/** Marks the console's own requests, so that traffic and coverage leave them out. */
import { worldHeaders } from './address.ts';
import { storedValue } from './stored-value.ts';

/** Whether the user wants to see the console's own requests in traffic and coverage. */
export const areOwnRequestsShown = storedValue<boolean>(sessionStorage, 'atoll.own-requests', false);

/** The headers of every request that the console makes for itself. */
export const ownHeaders = (): Record<string, string> =>
  areOwnRequestsShown.get() ? worldHeaders() : { ...worldHeaders(), 'Atoll-Page': 'console' };
