/** What a tool answers when it cannot do its work: the reason, and what to do about it. */
import { ConfigurationError } from '../basics/configuration-error.ts';
import { CommandRefusal } from '../client/client-control.ts';
import { TargetError } from '../exchange/exchange.ts';

/** `remedy` is a sentence that an agent can act on. */
export class ToolRefusal extends Error {
  override name = 'ToolRefusal';
  readonly remedy: string;

  constructor(message: string, remedy: string, options?: ErrorOptions) {
    super(message, options);
    this.remedy = remedy;
  }
}

const remedies: Readonly<Record<number, string>> = {
  400: 'Correct the argument that the message names.',
  403: 'Start `atoll mcp` with the --control-token of that server, or without --url for a server of its own.',
  404: 'Look for names that exist: worlds with action "list" has worlds and snapshots, faults with action "list" has faults.',
  409: 'Choose another name, or leave the name out.',
  422: 'Correct the argument that the message names.',
  429: 'Wait a minute, then call again.',
  503: 'Call again later. When it says that there are too many worlds, drop some with worlds, action "drop".',
};

/** Any error of a tool, as a refusal. */
export const refusalOf = (error: unknown): ToolRefusal => {
  if (error instanceof ToolRefusal) return error;
  const cause = { cause: error };
  if (error instanceof CommandRefusal) {
    return new ToolRefusal(error.reason, remedies[error.status] ?? 'Look at the log of the server.', cause);
  }
  if (error instanceof ConfigurationError || error instanceof TargetError) {
    return new ToolRefusal(error.message, 'Change what the message names, then call again.', cause);
  }
  if (error instanceof Error && error.name === 'AbortError') {
    return new ToolRefusal('The call was cancelled.', 'Call again if the answer is still wanted.', cause);
  }
  if (error instanceof TypeError && error.message === 'fetch failed') {
    return new ToolRefusal('The server does not answer.', 'Start it: atoll serve. Then call again.', cause);
  }
  const message = error instanceof Error ? error.message : String(error);
  return new ToolRefusal(message, 'This is unexpected. The log on standard error says more.', cause);
};
