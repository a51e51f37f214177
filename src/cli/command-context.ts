/** Defines what the commands use of the process and of the rim. `main.ts` provides it. */
import type { Command } from 'commander';
import type { ExportedConfiguration, HostedSite, ImportSource } from '../openapi/openapi-host.ts';
import type { FixtureContent, ApplicationOnDisk } from '../server/server-application.ts';
import type { Entity } from '../openapi/openapi-records.ts';
import type { FaultKind, Databases } from '../server/server.ts';

/** Adds a command to the program, or to a command that has others. */
export type AddCommand = (program: Command, context: CommandContext) => void;

/** What the commands use of the process. */
export type CommandContext = {
  /** The parts of the rim that the program has. */
  readonly rim: Rim;
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

/** The commands of a part, by the names that `all-commands.ts` has them by. */
export type CommandsByName = Readonly<Record<string, AddCommand>>;

/** A part that has commands. */
export type CommandPart = { readonly loadCommands: () => Promise<CommandsByName> };

/** The options that have a use together with `serve --replay`. */
export type ReplayOptions = {
  readonly host: string;
  readonly port: number | false;
  readonly baseUrl: string | undefined;
  readonly allowedHosts: readonly string[] | undefined;
  readonly logLevel: string;
  readonly json: boolean | undefined;
};

/** The records and files that a recording shows. */
export type RecordedContent = FixtureContent & {
  readonly entities: readonly Entity[];
  /** `3 nodes, 2 media, 1 file` */
  readonly summary: string;
};

/** The repository: what a server hosts together with documents, and the faults that only it has. */
export type RepositoryPart = CommandPart & {
  readonly loadApplication: () => Promise<ApplicationOnDisk>;
  readonly loadFaults: () => Promise<readonly FaultKind[]>;
};

/** What `checks` gives to commands of others. */
export type ChecksPart = CommandPart & {
  /** Serves until a signal. Rejects with `ConfigurationError` for an option that has no use together with `--replay`. */
  readonly serveRecording: (
    directory: string,
    options: ReplayOptions,
    command: Command,
    context: CommandContext,
  ) => Promise<void>;
  /** Rejects with `ConfigurationError` for a recording without records of the site. */
  readonly readRecorded: (directory: string, site: HostedSite, context: CommandContext) => Promise<RecordedContent>;
  /** Follows the links of a server, from these addresses on, as nobody and as the account `admin`. Resolves with a table. */
  readonly walkedTable: (base: string, from: readonly string[]) => Promise<string>;
};

/** What `sites` gives to all that starts a server. */
export type SitesPart = CommandPart & {
  /** Makes the files of a site from exported configuration. Rejects with `ConfigurationError`. */
  readonly importSource: (source: ImportSource) => ReturnType<ExportedConfiguration['read']>;
};

/** Each part is loaded late: most commands need none of them. */
export type Rim = {
  /** Without it a server serves documents alone. */
  readonly repository?: () => Promise<RepositoryPart>;
  readonly databases?: () => Promise<{ readonly databases: Databases }>;
  readonly sites?: () => Promise<SitesPart>;
  readonly checks?: () => Promise<ChecksPart>;
  readonly browser?: () => Promise<CommandPart>;
  readonly mcp?: () => Promise<CommandPart>;
};
