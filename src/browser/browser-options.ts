/** Defines the options of a repository without a server. */
import type { ReadSwaggerFile, ReadConsoleFile } from '../server/server-start.ts';
import type { EngineEvent } from '../openapi/openapi-host.ts';
import type { Clock } from '../openapi/openapi-records.ts';
import type { OptionsOf } from '../basics/options/option-rows.ts';
import type { startOptions } from '../server/server.ts';
import type { PreparedSite } from './prepared-site/prepared-site.ts';

/** The start options that hold here, and what only a program can give. */
export type BrowserOptions = OptionsOf<typeof startOptions, 'createAtoll'> & {
  /** `atoll-server/browser/default-site`, `atoll-server/browser/starter-site`, or one that `atoll prepare` made. */
  readonly site: PreparedSite;
  /** The real time, in milliseconds since 1970. Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
  /** Reads the files of the console, for a page that shows it under `/_atoll/`. */
  readonly readConsoleFile?: ReadConsoleFile | undefined;
  /** Reads the files of Swagger UI, for a page of the interface under `/_atoll/docs`. */
  readonly readSwaggerFile?: ReadSwaggerFile | undefined;
  /** Receives the engine's events: which operation was answered, what failed. */
  readonly onEvent?: ((event: EngineEvent) => void) | undefined;
  /** Receives errors that clients do not see. Default: the console. */
  readonly onError?: ((error: unknown) => void) | undefined;
};
