/** Asks the control interface, with the control token. */
import { controlClient, controlHeader, type ControlClient } from '../../../src/client/client-control.ts';
import { baseUrl } from './address.ts';
import { ownHeaders } from './own-requests.ts';
import { storedValue } from './stored-value.ts';

export type { ControlSchemas } from '../../../src/client/client-control.ts';

/** The control token that the user has entered. */
export const controlToken = storedValue<string | undefined>(sessionStorage, 'atoll.control-token', undefined);

const connection = {
  fetch: (address: string, init: RequestInit): Promise<Response> => fetch(address, init),
  get headers() {
    return { ...ownHeaders(), ...controlHeader(controlToken.get()) };
  },
};

/** The client for the control interface of another world, from that world's base URL. */
export const controlAt = (worldUrl: string): ControlClient => controlClient(connection, worldUrl);

/** The client for this world: `control.ask('listWorlds')` and so on. */
export const control = controlAt(baseUrl);
