/** Writes what the page wants of the worker into the address of its script, which the worker still has when it is restarted. */
import type { OptionsOf } from '../../basics/options/option-rows.ts';
import type { startOptions } from '../../server/server.ts';

/** The options of a repository that a page gives to the worker as they are. */
export type ServedOptions = Omit<OptionsOf<typeof startOptions, 'createAtoll'>, 'baseUrl' | 'persist'>;

/** What a worker serves, and how. */
export type WorkerSettings = ServedOptions & {
  /** The path below which the repository answers, without a slash at its end. Empty for the whole origin. */
  readonly prefix: string;
  /** Paths below the prefix that go to the network all the same. One that ends with `*` stands for all that begin so. */
  readonly except: readonly string[];
  /** The name of the database that keeps the repository. Without it, each start of the worker begins with an empty one. */
  readonly persist?: string | undefined;
  /** The path of a copy of `dist/console`, with a slash at its end. */
  readonly console?: string | undefined;
};

/** Marks the address of a worker of Atoll. Its value is the version of the page that registered it. */
const mark = 'atoll';

/** The address of the script with the settings. */
export const scriptWith = (script: URL, settings: WorkerSettings, version: string): URL => {
  const address = new URL(script);
  const { searchParams: query } = address;
  query.set(mark, version);
  const { except, ...others } = settings;
  for (const path of except) query.append('except', path);
  for (const [name, value] of Object.entries(others)) if (value !== undefined) query.set(name, String(value));
  return address;
};

/** Whether the address is one of `scriptWith`. */
export const isOwnScript = (address: string): boolean => new URL(address).searchParams.has(mark);

/** Whether the repository answers at a path. */
export const isServed = (pathname: string, { prefix, except }: WorkerSettings): boolean =>
  (pathname === prefix || pathname.startsWith(`${prefix}/`)) && !except.some((path) => matches(pathname, path));

const matches = (pathname: string, path: string): boolean =>
  path.endsWith('*') ? pathname.startsWith(path.slice(0, -1)) : pathname === path;
