/** Makes the library's view of a server: its commands, those of its main world, and further worlds. */
import {
  forkWorld,
  serverCommands,
  worldCommands,
  type AtollWorld,
  type LibraryConnection,
  type ServerCommands,
  type WorldCommands,
  type WorldOptions,
} from './controlled-world.ts';

/** A server: its commands, the commands of its main world, and `world` to make further worlds. */
export type AtollServer = WorldCommands &
  ServerCommands & {
    /** Makes an isolated world with its own base URL, for example one for each test. */
    world(nameOrOptions?: string | WorldOptions): Promise<AtollWorld>;
  };

/** The server at a base URL without a trailing slash. */
export const serverAt = (url: string, connection: LibraryConnection): AtollServer => ({
  ...worldCommands(connection, { name: 'main', url }),
  ...serverCommands(connection, url),
  world: (options = {}) => forkWorld(connection, url, typeof options === 'string' ? { name: options } : options),
});
