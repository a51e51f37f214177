/** `atoll export --store` and `atoll import --store`: take the main world out of a database, and put one into a new one. */
import { repositoryOnDisk } from '../../application/application-disk.ts';
import { join } from 'node:path';
import type { Site } from '../../repository/repository.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { shownDatabase, type DatabasePlace, systemClock, systemIds } from '../../server/server.ts';
import type { FixtureContent } from '../../server/server-application.ts';
import type { OpenedWorlds } from '../../server/server-worlds.ts';
import { mainName } from '../../openapi/openapi-host.ts';
import type { CommandContext } from '../command-context.ts';
import { loadDatabases } from '../serving/open-databases.ts';
import { writePlace } from './archive-places.ts';

export type StoreArchive = {
  readonly store: DatabasePlace;
  /** The directory of bytes. Undefined where they are in buckets. */
  readonly data: string | undefined;
  readonly site: Site;
  readonly context: CommandContext;
};

/** Writes the main world of a database to a place. Servers may go on meanwhile. */
export const exportFromStore = async (archive: StoreArchive, place: string): Promise<void> => {
  if (!(await holdsRepository(archive))) throw new ConfigurationError(`${shown(archive)} holds no repository.`);
  await withWorlds(archive, async ({ worlds }) => {
    const held = await worlds.hold(mainName);
    try {
      await writePlace(place, held.content, archive.context);
    } finally {
      await held.release();
    }
  });
};

/** Fills a database that holds no repository. A reset of the main world leads to an empty one. */
export const importToStore = async (archive: StoreArchive, content: FixtureContent): Promise<void> => {
  if (await holdsRepository(archive)) {
    throw new ConfigurationError(
      `${shown(archive)} holds a repository already. Name a new database, or import into a running server with --url.`,
    );
  }
  await withWorlds(archive, ({ worlds }) => worlds.replaceContent(mainName, content));
};

const shown = ({ store }: StoreArchive): string => shownDatabase(store.url);

const holdsRepository = async ({ store, context }: StoreArchive): Promise<boolean> =>
  (await loadDatabases(context.rim)).hasRepository(store);

const withWorlds = async (
  { store, data, site, context }: StoreArchive,
  work: (opened: OpenedWorlds) => Promise<void>,
): Promise<void> => {
  const databases = await loadDatabases(context.rim);
  const opened = await databases.open(store, {
    ...{ application: repositoryOnDisk, data, site, clock: systemClock, ids: systemIds, warn: context.warn },
    ...{ baseUrl: 'http://localhost', fixture: join(context.root, 'data/fixtures/empty') },
  });
  try {
    await work(opened);
  } finally {
    await opened.close();
  }
};
