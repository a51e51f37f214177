/** Defines what the commands use of the process. `main.ts` provides it. */
import type { Command } from 'commander';

/** Adds a command to the program, or to a command that has others. */
export type AddCommand = (program: Command, context: CommandContext) => void;

/** What the commands use of the process. */
export type CommandContext = {
  /** The folder of the package. */
  readonly root: string;
  /** The file that the build prepared: what a start need not read and check again. */
  readonly prepared: string;
  /** Writes a line to standard output. */
  readonly print: (text: string) => void;
  /** Writes a line to standard error. */
  readonly warn: (text: string) => void;
  /** Replaces the last progress text on a terminal. Does nothing elsewhere. */
  readonly progress: (text: string) => void;
  /** Whether people read standard error on a terminal. */
  readonly isTerminal: boolean;
  /** Writes to standard error as it is. */
  readonly writeLog: (text: string) => void;
  /** Standard input. */
  readonly input: () => AsyncIterable<Uint8Array>;
  /** Trades processor time for memory. Good for a large repository, bad for a small one that streams bytes. */
  readonly limitHeapGrowth: () => void;
  /** Calls back at the first signal that asks the process to end, and at each later one. */
  readonly onStop: (first: () => void, later: () => void) => void;
  /** Calls back at each signal that asks the process to end, which then does not end it any more. */
  readonly onSignal: (listener: (signal: NodeJS.Signals) => void) => void;
  /** Calls back with each error that nobody caught, which then does not end the process. */
  readonly onStrayError: (listener: (error: unknown) => void) => void;
  /** Calls back when nobody reads standard output any more. What is printed later goes nowhere. */
  readonly onOutputClosed: (listener: () => void) => void;
  readonly exit: (code: number) => void;
  /** Ends the process by this signal. */
  readonly exitBySignal: (signal: NodeJS.Signals) => void;
  readonly environment: NodeJS.ProcessEnv;
};
