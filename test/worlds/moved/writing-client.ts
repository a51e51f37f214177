/** A client that writes as the administrator, and reads what a server answers of its records. */
import type { Atoll } from '../../../src/cli/entries/atoll.ts';
import { basic } from '../../support/requests.ts';

type Items = readonly Readonly<Record<string, unknown>>[];
export type Shown = Readonly<Record<string, Items>>;

/** The id, under the name that records of its type have for it. */
const idOf = (record: Shown): number =>
  Number(
    (record['nid'] ?? record['mid'] ?? record['fid'] ?? record['tid'] ?? record['rid'] ?? record['id'])?.[0]?.['value'],
  );

type SentBytes = { readonly bytes: Uint8Array; readonly headers: Readonly<Record<string, string>> };

export type WritingClient = {
  readonly atoll: Atoll;
  /** Sends JSON and takes a record. Throws when it is refused. */
  readonly send: (method: string, path: string, body?: object) => Promise<Shown>;
  /** The same, of which only the id matters. */
  readonly make: (path: string, body: object) => Promise<number>;
  readonly patch: (path: string, body: object) => Promise<void>;
  readonly remove: (path: string) => Promise<void>;
  /** Sends bytes, and returns the last part of the `Location` of what they made. */
  readonly put: (path: string, body: SentBytes) => Promise<number>;
  readonly upload: (path: string, name: string, bytes: Uint8Array) => Promise<number>;
};

type Sent = { readonly headers: Readonly<Record<string, string>>; readonly body?: string | Buffer<ArrayBuffer> };

export const writingClient = (atoll: Atoll): WritingClient => {
  const ask = async (method: string, path: string, { headers: own, ...init }: Sent): Promise<Response> => {
    const headers = { ...basic('admin').headers, ...own };
    const response = await atoll.fetch(`${path}${path.includes('?') ? '&' : '?'}_format=json`, {
      ...init,
      method,
      headers,
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response;
  };
  const send: WritingClient['send'] = async (method, path, body) => {
    const response = await ask(method, path, {
      headers: { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return (response.status === 204 ? {} : await response.json()) as Shown; // a record of the contract
  };
  return {
    atoll,
    send,
    make: async (path, body) => idOf(await send('POST', path, body)),
    patch: async (path, body) => {
      await send('PATCH', path, body);
    },
    remove: async (path) => {
      await send('DELETE', path);
    },
    put: async (path, { bytes, headers }) => {
      const { headers: answered } = await ask('PUT', path, { headers, body: Buffer.from(bytes) });
      return Number(/\/media\/(\d+)/.exec(answered.get('location') ?? '')?.[1]);
    },
    upload: async (path, name, bytes) => {
      const headers = {
        'Content-Type': 'application/octet-stream',
        'Content-Disposition': `file; filename="${name}"`,
      };
      return idOf((await (await ask('POST', path, { headers, body: Buffer.from(bytes) })).json()) as Shown); // a file
    },
  };
};
