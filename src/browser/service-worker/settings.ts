/** Writes what the page wants of the worker into the address of its script, which the worker still has when it is restarted. */
import type { CacheMode } from '../../core/site/site.ts';
import type { BrowserOptions } from '../browser-options.ts';

/** The options of a repository that a page gives to the worker as they are. */
export type ServedOptions = Pick<BrowserOptions, 'fixture' | 'seed' | 'caches' | 'advice' | 'pages' | 'traffic'>;

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
  query.set('prefix', settings.prefix);
  for (const path of settings.except) query.append('except', path);
  for (const name of ['fixture', 'seed', 'persist', 'caches', 'advice', 'pages', 'traffic', 'console'] as const) {
    const value = settings[name];
    if (value !== undefined) query.set(name, String(value));
  }
  return address;
};

/** Whether the address is one of `scriptWith`. */
export const isOwnScript = (address: string): boolean => new URL(address).searchParams.has(mark);

/** The settings in the address of the script. A script without settings serves `/repo` at the origin. */
export const settingsOf = (address: string): WorkerSettings => {
  const { searchParams: query } = new URL(address);
  const text = (name: string): string | undefined => query.get(name) ?? undefined;
  const pages = text('pages');
  const traffic = text('traffic');
  return {
    prefix: text('prefix') ?? '/repo',
    except: query.getAll('except'),
    ...{ fixture: text('fixture'), seed: text('seed'), persist: text('persist'), console: text('console') },
    caches: text('caches') as CacheMode | undefined, // `scriptWith` wrote it
    advice: text('advice') as WorkerSettings['advice'], // `scriptWith` wrote it
    pages: pages === undefined ? undefined : pages === 'true',
    traffic: traffic === undefined ? undefined : Number(traffic),
  };
};

/** Whether the repository answers at a path. */
export const isServed = (pathname: string, { prefix, except }: WorkerSettings): boolean =>
  (pathname === prefix || pathname.startsWith(`${prefix}/`)) && !except.some((path) => matches(pathname, path));

const matches = (pathname: string, path: string): boolean =>
  path.endsWith('*') ? pathname.startsWith(path.slice(0, -1)) : pathname === path;
