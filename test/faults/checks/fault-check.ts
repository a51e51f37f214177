/** Has the tools of fault checks: a client that adds faults to a world, and assertions about its replies. */
import type { components } from '../../../src/client/generated/contract.ts';
import { basicCredentials } from '../../../src/basics/formats/basic-credentials.ts';
import { sendRaw, type ReceivedReply, type RequestOptions } from '../../support/raw-client.ts';

/** A world of the `starter` fixture, reached by a real socket. */
export type CheckedWorld = {
  /** Sends a request to a path or an absolute address, as the editor unless `headers` has another `Authorization`. */
  request(method: string, address: string, options?: RequestOptions): Promise<ReceivedReply>;
  /** Adds a fault to the world. */
  add(fault: object): Promise<void>;
  /** Removes all faults of the world. */
  clear(): Promise<void>;
};

/** Resolves when the fault does what its page says. Rejects with a sentence about what happened instead. */
export type FaultCheck = (world: CheckedWorld) => Promise<void>;

/** The world at a base URL. */
export const checkedWorld = (url: string): CheckedWorld => {
  const absolute = (address: string): string => (address.startsWith('/') ? url + address : address);
  const control = async (method: string, body?: object): Promise<void> => {
    const options = body === undefined ? {} : { headers: { 'Content-Type': json }, body: JSON.stringify(body) };
    const reply = await sendRaw(method, `${url}/_atoll/faults`, options);
    expectThat(reply.status === 201 || reply.status === 204, `${method} /_atoll/faults`, reply);
  };
  return {
    request: (method, address, { headers = {}, ...options } = {}) =>
      sendRaw(method, absolute(address), {
        ...options,
        headers: { Authorization: basicCredentials('editor', 'editor'), ...headers },
      }),
    add: (fault) => control('POST', fault),
    clear: () => control('DELETE'),
  };
};

export const json = 'application/json';

/** Throws an error with the expectation and the reply, unless the condition holds. */
export const expectThat = (isTrue: boolean, expectation: string, reply: ReceivedReply): void => {
  if (isTrue) return;
  const received = reply.status === undefined ? 'no answer' : `${reply.status} and ${reply.bytes} bytes`;
  throw new Error(`${expectation}: got ${received}${reply.error === undefined ? '' : `, then ${reply.error}`}.`);
};

/** Expects a complete reply with this status. */
export const expectStatus = (status: number, subject: string, reply: ReceivedReply): void =>
  expectThat(reply.status === status && reply.error === undefined, `${subject} should be ${status}`, reply);

/** Expects that the connection was reset before the first byte of a reply. */
export const expectReset = (subject: string, reply: ReceivedReply): void =>
  expectThat(
    reply.status === undefined && reply.error === 'ECONNRESET',
    `${subject} should end in a reset connection`,
    reply,
  );

/** The source field of an image. */
export const sourceOf = (reply: ReceivedReply): { readonly target_id?: unknown; readonly url?: string } =>
  (JSON.parse(reply.body) as components['schemas']['MediaRecord']).field_media_image?.[0] ?? {}; // the document says so

/** The address of the content of an image. */
export const contentAddress = (reply: ReceivedReply): string => sourceOf(reply).url ?? '';
