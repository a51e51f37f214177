/** Sends commands to the control interface of a world with any `fetch`. */
import type { Fetch } from './fetch.ts';

export type ServerConnection = {
  readonly fetch: Fetch;
  /** Sent with every command. */
  readonly headers: Readonly<Record<string, string>>;
};

/** `path` is relative to `/_atoll`. The caller names the type of the reply as `src/control/openapi.yaml` defines it. */
export type SendCommand = <Answer = undefined>(method: string, path: string, body?: object) => Promise<Answer>;

/** A refused command. The message is written for the reader of a failed test. */
export class CommandRefusal extends Error {
  override name = 'CommandRefusal';
  readonly status: number;
  /** The server's message, or the command and the status when it sent none. */
  readonly reason: string;

  constructor(command: string, status: number, message: string | undefined) {
    super(`${command}: ${status}${message === undefined ? '' : ` ${message}`}`);
    this.status = status;
    this.reason = message ?? `${command} answered ${status}.`;
  }
}

/** The header for a control token. Empty without a token. */
export const controlHeader = (token: string | undefined): Readonly<Record<string, string>> =>
  token === undefined ? {} : { 'Atoll-Control': token };

/** Returns the function that sends commands to a world. It rejects with a `CommandRefusal`, or as `fetch` does. */
export const createCommandSender =
  ({ fetch, headers }: ServerConnection, worldUrl: string): SendCommand =>
  async <Answer>(method: string, path: string, body?: object) => {
    const address = `${worldUrl.replace(/\/$/, '')}/_atoll${path}`;
    const response = await fetch(address, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = jsonOf(text);
    if (response.ok && answer !== noJson) return answer as Answer;
    const message =
      answer === noJson ? undefined : (answer as { readonly message?: string } | null | undefined)?.message; // every refusal of the server has this form
    throw new CommandRefusal(`${method} ${address}`, response.status, response.ok ? 'This is no Atoll.' : message);
  };

const noJson = Symbol('no JSON');

/** Returns undefined for an empty text and `noJson` for one that cannot be parsed. */
const jsonOf = (text: string): unknown => {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return noJson;
  }
};
