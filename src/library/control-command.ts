/** Sends commands to the control interface of a world, by way of any `fetch`. */
import type { Fetch } from './fetch.ts';

/** How the commands of a server are reached. */
export type ServerConnection = {
  readonly fetch: Fetch;
  /** Sent with every command. */
  readonly headers: Readonly<Record<string, string>>;
};

/** `path` begins below `/_atoll`. The caller names what `src/control/openapi.yaml` promises, by which the server is held. */
export type Ask = <Answer = undefined>(method: string, path: string, body?: object) => Promise<Answer>;

/** A command that was refused: the message is for whoever reads the failed test. */
export class CommandRefusal extends Error {
  override name = 'CommandRefusal';
  readonly status: number;
  /** The server's own words; without any, the command and the status. */
  readonly reason: string;

  constructor(command: string, status: number, said: string | undefined) {
    super(`${command}: ${status}${said === undefined ? '' : ` ${said}`}`);
    this.status = status;
    this.reason = said ?? `${command} answered ${status}.`;
  }
}

/** The header that a control token is sent in; none without a token. */
export const controlHeader = (token: string | undefined): Readonly<Record<string, string>> =>
  token === undefined ? {} : { 'Atoll-Control': token };

/** The commands of the world at this address. Each rejects with a `CommandRefusal`, or as `fetch` does. */
export const commandsOf =
  ({ fetch, headers }: ServerConnection, worldUrl: string): Ask =>
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
    const said = answer === noJson ? undefined : (answer as { readonly message?: string } | null | undefined)?.message; // every refusal of the server has this form
    throw new CommandRefusal(`${method} ${address}`, response.status, response.ok ? 'This is no Atoll.' : said);
  };

const noJson = Symbol('no JSON');

/** Undefined for an empty text. */
const jsonOf = (text: string): unknown => {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return noJson;
  }
};
