/** Sends callbacks, to this machine or to one origin and nowhere else, and notes what has become of them. */
import { isLoopbackOrigin } from '../../basics/formats/loopback.ts';
import type { ObservedCallback } from '../../openapi/openapi-host.ts';

export type CallbackSender = {
  /** Sends it soon. Never throws. */
  readonly send: (callback: ObservedCallback, body: string | Uint8Array | undefined) => void;
  /** Gives up those that are under way. */
  readonly end: () => void;
};

/** By which a server knows that a request is a callback: it answers without callbacks of its own. */
export const callbackHeader = 'Atoll-Callback';

/** How long an answer may take, in milliseconds. */
const answerMs = 10_000;
const mostUnderWay = 100;

/** `target`: `loopback` for loopback addresses, or one origin such as `http://hooks.example:8080`. */
export const createCallbackSender = (target: string): CallbackSender => {
  const ending = new AbortController();
  let underWay = 0;
  const fail = (callback: ObservedCallback, delivery: 'forbidden' | 'failed', reason: string): void =>
    void Object.assign(callback, { delivery, reason });
  const send = async (callback: ObservedCallback, body: string | Uint8Array | undefined): Promise<void> => {
    const { name, method, url, mediaType } = callback;
    callback.delivery = 'waiting';
    underWay += 1;
    try {
      const response = await fetch(url, {
        method,
        headers: {
          [callbackHeader]: encodeURIComponent(name),
          ...(mediaType === undefined ? {} : { 'Content-Type': mediaType }),
        },
        ...(body === undefined || method === 'GET' || method === 'HEAD'
          ? {}
          : { body: body as string | Uint8Array<ArrayBuffer> }),
        // A redirect could lead to another address.
        redirect: 'manual',
        signal: AbortSignal.any([ending.signal, AbortSignal.timeout(answerMs)]),
      });
      await response.body?.cancel();
      Object.assign(callback, { delivery: 'answered', status: response.status });
    } catch (error) {
      fail(callback, 'failed', reasonOf(error));
    } finally {
      underWay -= 1;
    }
  };
  return {
    send: (callback, body) => {
      if (!isAllowed(callback.url, target))
        fail(callback, 'forbidden', target === 'loopback' ? 'is not a loopback address' : `is not at ${target}`);
      else if (underWay >= mostUnderWay)
        fail(callback, 'failed', `more than ${mostUnderWay} callbacks wait for their answers`);
      else void send(callback, body);
    },
    end: () => ending.abort(new Error('the server ends')),
  };
};

/** A name such as `user@` before the host is part of no origin, and `fetch` refuses it. */
const isAllowed = (url: string, target: string): boolean => {
  const { origin } = new URL(url);
  return target === 'loopback' ? isLoopbackOrigin(origin) : origin === new URL(target).origin;
};

const reasonOf = (error: unknown): string => {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
};
