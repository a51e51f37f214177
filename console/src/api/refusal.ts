/** Defines the error of a refused request, of either interface. */
import { CommandRefusal } from '../../../src/client/client-control.ts';
import { isAtollError } from '../../../src/client/client.ts';

/** Thrown when the repository refuses a request that the console has written itself. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The status of a refusal. Undefined for another error, such as a server that does not answer. */
export const statusOf = (error: unknown): number | undefined =>
  error instanceof Refusal || error instanceof CommandRefusal || isAtollError(error) ? error.status : undefined;

/** What to tell the user. The words of the server where it has answered. */
export const wordsOf = (error: unknown): string => {
  if (error instanceof CommandRefusal) return error.reason;
  if (statusOf(error) !== undefined) return (error as Error).message;
  if (error instanceof TypeError) return 'The server does not answer. Is it running?';
  return error instanceof Error ? error.message : String(error);
};
