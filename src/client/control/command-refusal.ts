/** Defines the error of a command that the control interface refuses, or that something else has answered. */

/** The message is written for the reader of a failed test. */
export class CommandRefusal extends Error {
  override name = 'CommandRefusal';
  readonly status: number;
  /** The server's message, or the command and the status when it sent none. */
  readonly reason: string;
  /** Whether it was no refusal, but an answer that the document of the control interface does not have. */
  readonly isUnexpected: boolean;

  constructor(
    command: string,
    status: number,
    message: string | undefined,
    { isUnexpected = false }: { readonly isUnexpected?: boolean } = {},
  ) {
    super(`${command}: ${status}${message === undefined ? '' : ` ${message}`}`);
    this.status = status;
    // A server that answers 404 without a message of ours is another one.
    this.reason = message ?? `${command} answered ${status}.${status === 404 ? ' This is no Atoll.' : ''}`;
    this.isUnexpected = isUnexpected;
  }
}
