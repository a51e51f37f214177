/** Starts a whole server: site, documents, listener, world, application, in the order in which a fault does least harm. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createApp } from './app.ts';
import type { Clock, Identifiers } from './content/given.ts';
import type { EngineEvent, ReplyChecks } from './contract/finish.ts';
import type { CorsOrigins } from './http/cors.ts';
import { listen } from './http/server.ts';
import { openWorld } from './open-world.ts';
import { readSources } from './prepared.ts';
import { ConfigurationError } from './site/read-yaml.ts';
import type { Site } from './site/site.ts';
import type { Durability } from './storage/files.ts';
import type { World } from './world.ts';

export type StartOptions = {
  /** The folder of the package: its documents, default site and fixtures. */
  readonly root: string;
  /** The file that the build prepared, beside the program. Without it everything is read and checked. */
  readonly prepared?: string | undefined;
  /** `localhost` listens on both loopback families. */
  readonly host: string;
  /** 0 for any free one. */
  readonly port: number;
  /** The data directory; without one nothing is written to disk. */
  readonly data: string | undefined;
  /** The name of a fixture of the package, or a directory in the export format. */
  readonly fixture: string;
  /** The directory of the site; the default site's when left out. */
  readonly site: string | undefined;
  /** How clients reach the server, when that is not where it listens. */
  readonly baseUrl: string | undefined;
  readonly durability: Durability;
  readonly checkReplies: ReplyChecks;
  readonly cors: CorsOrigins;
  /** Whether accounts with published passwords may be reached from other machines. */
  readonly demoAccounts: boolean;
  readonly signingKey: string | undefined;
  readonly clock: Clock;
  readonly ids: Identifiers;
  readonly warn: (message: string) => void;
  readonly onEvent: (event: EngineEvent) => void;
  readonly onError: (error: unknown) => void;
};

export type Started = {
  readonly url: string;
  readonly world: World;
  /** False when the data directory held a repository already. */
  readonly isNew: boolean;
  /** Makes the key for tokens if there is none; the first token would wait for it. */
  readonly warmSigningKey: () => Promise<unknown>;
  /** Drains for up to `drainMs`, then lets go of everything. */
  stop(drainMs: number): Promise<void>;
};

/** Time and chance of the machine. */
export const realClock: Clock = { now: () => Date.now() };
export const realIds: Identifiers = {
  uuid: () => randomUUID(),
  secret: () => randomBytes(32).toString('base64url'),
};

/** Room for some thousands of replies; beyond it the oldest are made anew. */
const keptBytes = 32 * 1024 * 1024;

/** Rejects with `ConfigurationError`, or an error with one of the codes that `cli/exit-codes.ts` knows. */
export const start = async (options: StartOptions): Promise<Started> => {
  const [sources, fixture, version] = await Promise.all([
    readSources(options.root, options.site, options.prepared),
    findFixture(options),
    readVersion(options.root),
  ]);
  const { site } = sources;
  refuseOpenDemoAccounts(site, options);
  const listener = await listen(options.host, options.port);
  try {
    const baseUrl = (options.baseUrl ?? `http://${urlHost(options.host)}:${listener.port}`).replace(/\/$/, '');
    const opened = await openWorld({ ...options, site, fixture, baseUrl });
    const { world } = opened;
    const worldOf = (): World => world;
    const app = await createApp({
      ...options,
      ...sources,
      worldOf,
      baseUrl,
      version,
      keptBytes,
    }).catch(async (error: unknown) => {
      await opened.close();
      throw error;
    });
    listener.serve(app);
    const stop = async (drainMs: number): Promise<void> => {
      await listener.stop(drainMs);
      await opened.close();
    };
    return { url: baseUrl, world, isNew: opened.isNew, warmSigningKey: opened.warmSigningKey, stop };
  } catch (error) {
    await listener.stop(0);
    throw error;
  }
};

const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

const urlHost = (host: string): string => {
  if (isLoopback(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
};

const refuseOpenDemoAccounts = (site: Site, options: StartOptions): void => {
  const demo = site.accounts.filter(({ demoPassword }) => demoPassword !== undefined).map(({ name }) => name);
  const outside = [options.host, ...(options.baseUrl === undefined ? [] : [new URL(options.baseUrl).hostname])].find(
    (host) => !isLoopback(host.replace(/^\[|\]$/g, '')),
  );
  if (demo.length === 0 || options.demoAccounts || outside === undefined) return;
  throw new ConfigurationError(
    `The accounts ${demo.join(', ')} have published passwords and ${outside} can be reached from elsewhere. ` +
      'Add --demo-accounts to allow that, or name a --site with accounts of your own.',
  );
};

const findFixture = async ({ root, fixture }: StartOptions): Promise<string> => {
  const candidates = [...(/^[\w-]+$/.test(fixture) ? [join(root, 'data/fixtures', fixture)] : []), resolve(fixture)];
  for (const candidate of candidates) {
    const found = await stat(join(candidate, 'export.json')).catch(() => undefined);
    if (found !== undefined) return candidate;
  }
  throw new ConfigurationError(
    `There is no fixture "${fixture}". Name empty, starter, or a directory with an export.json.`,
  );
};

const readVersion = async (root: string): Promise<string> => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }; // our own file
  return version;
};
