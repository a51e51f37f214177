/** Asks the control interface, with the generated types of its document and the control token. */
import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from '../../../src/generated/control.ts';
import { baseUrl } from './address.ts';
import { ownHeaders } from './own-requests.ts';
import { Refusal } from './refusal.ts';
import { storedValue } from './stored-value.ts';

export type ControlSchemas = components['schemas'];

/** The control token that the user has entered. */
export const controlToken = storedValue<string | undefined>(sessionStorage, 'atoll.control-token', undefined);

const controlHeaders = (): Record<string, string> => {
  const token = controlToken.get();
  return { ...ownHeaders(), ...(token === undefined ? {} : { 'Atoll-Control': token }) };
};

/** The client for the control interface of another world, from that world's base URL. */
export const controlAt = (worldUrl: string): ControlClient =>
  createFetchClient<paths>({
    baseUrl: worldUrl,
    fetch: (request) => {
      for (const [name, value] of Object.entries(controlHeaders())) request.headers.set(name, value);
      return fetch(request);
    },
  });

export type ControlClient = Client<paths>;

/** The client for this world: `control.GET('/_atoll/worlds')` and so on. Give the result to `answerOf`. */
export const control = controlAt(baseUrl);

/** What openapi-fetch returns. */
type Asked<Data> = Promise<{ readonly data?: Data; readonly error?: unknown; readonly response: Response }>;

/** The body of a success. Throws a `Refusal` with the server's message for everything else. */
export const answerOf = async <Data>(asked: Asked<Data>): Promise<Data> => {
  const { data, error, response } = await asked;
  if (response.ok) return data as Data; // a success without a body has the type undefined
  throw new Refusal(response.status, messageOf(error) ?? `HTTP ${response.status}`);
};

const messageOf = (error: unknown): string | undefined => {
  const { message } = Object(error) as { readonly message?: unknown }; // any JSON
  return typeof message === 'string' ? message : undefined;
};

/** `fetch` for a path below `/_atoll` that is read as a stream or a file. Throws a `Refusal` when it is refused. */
export const fetchControl = async (path: string, init: RequestInit = {}): Promise<Response> => {
  const headers = { ...controlHeaders(), ...(init.headers as Record<string, string> | undefined) };
  const response = await fetch(baseUrl + path, { ...init, headers });
  if (response.ok) return response;
  const text = await response.text();
  throw new Refusal(response.status, messageOf(parsed(text)) ?? `HTTP ${response.status}`);
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
