/** Defines the options of a repository without a server. */
import type { ReadSwaggerFile } from '../server/control/api-page.ts';
import type { ReadConsoleFile } from '../server/control/console-page.ts';
import type { EngineEvent } from '../core/engine/finish.ts';
import type { PreparedSite } from './prepared-site/prepared-site.ts';
import type { CacheMode } from '../core/site/site.ts';
import type { Clock } from '../openapi/openapi-records.ts';

export type BrowserOptions = {
  /** `atoll-server/browser/default-site`, `atoll-server/browser/starter-site`, or one that `atoll prepare` made. */
  readonly site: PreparedSite;
  /** The name of a fixture of the prepared site. Default: its first one. */
  readonly fixture?: string | undefined;
  /** The address that requests are made to, without a trailing slash. Default: the origin of the page. */
  readonly baseUrl?: string | undefined;
  /** Keeps the main world in the browser's IndexedDB, under this name. Default: in memory, until the page ends. */
  readonly persist?: string | undefined;
  /** A seed, so that the same requests give the same uuids and secrets. In memory only. */
  readonly seed?: string | undefined;
  /** The real time, in milliseconds since 1970. Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
  /** How reads are answered: `fresh`, or `reference`, from caches as those of a real site. Default: as the site says. */
  readonly caches?: CacheMode | undefined;
  /** Seconds from a write to what the site does by itself because of it, by the clock of the world. Default: 0. */
  readonly reactionsDelay?: number | undefined;
  /** Where clients see which values were stored otherwise than they sent them. `header` adds `Atoll-Advice` to the replies. */
  readonly advice?: 'traffic' | 'header' | undefined;
  /** Whether browsers get a readable page at the address of a record, such as `/node/5`. Default: true. */
  readonly pages?: boolean | undefined;
  /** Requests that are remembered in each world. Default: 1,000. With 0 there is neither traffic nor coverage. */
  readonly traffic?: number | undefined;
  /** Reads the files of the console, for a page that shows it under `/_atoll/`. */
  readonly readConsoleFile?: ReadConsoleFile | undefined;
  /** Reads the files of Swagger UI, for a page of the interface under `/_atoll/docs`. */
  readonly readSwaggerFile?: ReadSwaggerFile | undefined;
  /** Receives the engine's events: which operation was answered, what failed. */
  readonly onEvent?: ((event: EngineEvent) => void) | undefined;
  /** Receives errors that clients do not see. Default: the console. */
  readonly onError?: ((error: unknown) => void) | undefined;
};
