/** The words of a check: a client that adds a fault to a world and says what it met. Which checks there are stands beside. */
import { basicCredentials } from '../../library/demo-accounts.ts';
import { sendRaw, type ReceivedReply, type SentRequest } from './raw-client.ts';

/** A world of the `starter` fixture over a real socket, and its faults. */
export type CheckedWorld = {
  /** A request to a path, or to an absolute address; as the editor, unless `headers` bring an `Authorization`. */
  ask(method: string, address: string, sending?: SentRequest): Promise<ReceivedReply>;
  /** The same without credentials. */
  askAnonymously(method: string, address: string, sending?: SentRequest): Promise<ReceivedReply>;
  add(fault: object): Promise<void>;
  clear(): Promise<void>;
};

/** Resolves when the fault does what its page says; rejects with a sentence about what was met instead. */
export type FaultCheck = (world: CheckedWorld) => Promise<void>;

/** The world behind a base URL. */
export const checkedWorld = (url: string): CheckedWorld => {
  const absolute = (address: string): string => (address.startsWith('/') ? url + address : address);
  const control = async (method: string, body?: object): Promise<void> => {
    const sending = body === undefined ? {} : { headers: { 'Content-Type': json }, body: JSON.stringify(body) };
    const met = await sendRaw(method, `${url}/_atoll/faults`, sending);
    expectThat(met.status === 201 || met.status === 204, `${method} /_atoll/faults`, met);
  };
  return {
    ask: (method, address, { headers = {}, ...sending } = {}) =>
      sendRaw(method, absolute(address), {
        ...sending,
        headers: { Authorization: basicCredentials('editor', 'editor'), ...headers },
      }),
    askAnonymously: (method, address, sending) => sendRaw(method, absolute(address), sending),
    add: (fault) => control('POST', fault),
    clear: () => control('DELETE'),
  };
};

export const json = 'application/json';

/** Rejects with what was looked for and what was met. */
export const expectThat = (isSo: boolean, what: string, met: ReceivedReply): void => {
  if (isSo) return;
  const came = met.status === undefined ? 'no answer' : `${met.status} and ${met.bytes} bytes`;
  throw new Error(`${what}: met ${came}${met.error === undefined ? '' : `, then ${met.error}`}.`);
};

/** The answer has this status and arrived whole. */
export const requireStatus = (status: number, what: string, met: ReceivedReply): void =>
  expectThat(met.status === status && met.error === undefined, `${what} should be ${status}`, met);

/** Not a byte of an answer arrived. */
export const requireReset = (what: string, met: ReceivedReply): void =>
  expectThat(met.status === undefined && met.error === 'ECONNRESET', `${what} should end in a reset connection`, met);

/** The parsed body. */
export const parsed = (met: ReceivedReply): unknown => JSON.parse(met.body);

/** The source field of an image. */
export const sourceOf = (met: ReceivedReply): Readonly<Record<string, unknown>> => {
  const {
    field_media_image: [source = {}],
  } = parsed(met) as { field_media_image: Record<string, unknown>[] }; // a media record
  return source;
};

/** Where the content of an image is. */
export const contentAddress = (met: ReceivedReply): string => String(sourceOf(met)['url']);
