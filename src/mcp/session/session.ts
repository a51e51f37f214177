/** What one agent has: a server, the worlds that it has made, and what it may change. */
import { controlClient, type ControlClient } from '../../client/client-control.ts';
import { isLoopbackUrl } from '../../basics/formats/loopback.ts';
import { mainName, type ExportedConfiguration } from '../../openapi/openapi-host.ts';
import type {
  Fetch,
  LibraryConnection,
  ServerConnection,
  WorldCommands,
  AtollServer,
} from '../../exchange/exchange-worlds.ts';
import { serverAt } from '../../exchange/exchange.ts';
import { ToolRefusal } from '../tool-refusal.ts';

/** Throws `ToolRefusal` for the address of another machine. A text that is not an address is left to its reader. */
export const refuseRemote = (address: string, { allowRemote }: { readonly allowRemote: boolean }): void => {
  if (allowRemote || !/^[a-z][a-z0-9+.-]*:\/\//i.test(address)) return;
  if (URL.canParse(address) && isLoopbackUrl(address)) return;
  throw new ToolRefusal(
    `${URL.canParse(address) ? new URL(address).origin : 'The address'} is not on this machine.`,
    'Ask the user to start atoll mcp with --allow-remote, or name a server on this machine.',
  );
};

/** The server that the agent works with. `url` has no slash at its end. */
export type JoinedServer = { readonly url: string; readonly connection: ServerConnection };

type Guides = {
  list(): Promise<readonly { readonly name: string; readonly title: string }[]>;
  /** The Markdown of a guide. Undefined when there is none of this name. */
  read(name: string): Promise<string | undefined>;
};

/** Where the package and the site are. */
export type SiteLocations = {
  /** The folder of the package. */
  readonly root: string;
  /** The file that the build prepared. */
  readonly prepared?: string | undefined;
  /** The name of a site of the package, or the directory of a site. Undefined for the default site. */
  readonly site: string | undefined;
  /** An exported configuration that the site is made from, in place of `site`. */
  readonly drupalConfig?: ExportedConfiguration | undefined;
  readonly overlays?: readonly string[] | undefined;
};

export type SessionOptions = {
  /** Resolves when the server answers. */
  readonly server: Promise<JoinedServer>;
  /** Whether the joined world, which is the main one, may be changed, and files be written. */
  readonly allowWrites: boolean;
  /** Whether a tool may ask servers on other machines. */
  readonly allowRemote: boolean;
  readonly locations: SiteLocations;
  /** `ATOLL_PASSWORD_…` of accounts that are not demo accounts. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly guides: Guides;
  readonly version: string;
};

/** Signs in once for each account of a world. */
export type KeptSessions = Map<string, Promise<Readonly<Record<string, string>>>>;

/** One call of a tool. Its requests end when the call is cancelled. */
export type Call = {
  readonly options: SessionOptions;
  readonly signal: AbortSignal;
  readonly fetch: Fetch;
  /** Sent with every command. */
  readonly headers: Readonly<Record<string, string>>;
  readonly server: AtollServer;
  /** The worlds that this agent has made: by name, when each was made. */
  readonly own: Map<string, string>;
  readonly sessions: KeptSessions;
  /** Throws `ToolRefusal` when there is no such world. */
  world(name: string | undefined): Promise<WorldCommands>;
  /** A world that this agent may change. Throws `ToolRefusal` for others. */
  changeableWorld(name: string | undefined): Promise<WorldCommands>;
  /** The control interface of a world. */
  control(world: WorldCommands): ControlClient;
};

export type Session = {
  readonly options: SessionOptions;
  call(signal: AbortSignal): Promise<Call>;
  /** Drops the worlds that this agent has made. */
  end(): Promise<void>;
};

export const createSession = (options: SessionOptions): Session => {
  const own: Call['own'] = new Map();
  const sessions: KeptSessions = new Map();
  const call: Session['call'] = async (signal) => {
    const { url, connection } = await untilAborted(options.server, signal);
    const fetch: Fetch = (input, init) => {
      const signals = [signal, ...(init?.signal ? [init.signal] : [])];
      return connection.fetch(input, { ...init, signal: AbortSignal.any(signals) });
    };
    const bound: LibraryConnection = { fetch, headers: connection.headers, passwordOf: refusePassword };
    const server = { ...serverAt(url, bound), name: joinedName(url) };
    const world = worldFinder(server, bound, options);
    // A world may go by itself. Another agent may then give its name to one of its own.
    const isReplaced = async (name: string): Promise<boolean> =>
      (await server.worlds()).some((each) => each.name === name && each.created !== own.get(name));
    return {
      ...{ options, signal, fetch, headers: connection.headers, server, own, sessions, world },
      changeableWorld: async (name) => {
        const isJoined = name === undefined || name === server.name;
        const isAllowed = (isJoined && options.allowWrites) || (own.has(name ?? '') && !(await isReplaced(name ?? '')));
        if (!isAllowed) throw readOnly(name ?? server.name, isJoined);
        return world(name);
      },
      control: (of) => controlClient(bound, of.url),
    };
  };
  return {
    options,
    call,
    end: async () => {
      if (own.size === 0) return;
      const last = await call(new AbortController().signal);
      const { ask } = last.control(last.server);
      const known = await last.server.worlds().catch(() => []);
      const left = known.filter(({ name, created }) => own.get(name) === created);
      await Promise.all(left.map(({ name }) => ask('dropWorld', { path: { world_name: name } }).catch(() => {})));
      own.clear();
    },
  };
};

/** Accounts are known with their passwords before a token is asked for. */
const refusePassword = (account: string): string => {
  throw new ToolRefusal(
    `The password of "${account}" is not known.`,
    'Name an account that worlds, action "list" shows.',
  );
};

const untilAborted = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = (): void => reject(new DOMException('The call was cancelled.', 'AbortError'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });

/** The world whose address was joined. */
const joinedName = (url: string): string => /\/~([a-z0-9-]+)$/.exec(url)?.[1] ?? mainName;

const worldFinder =
  (server: AtollServer, connection: LibraryConnection, options: SessionOptions) =>
  async (name: string | undefined): Promise<WorldCommands> => {
    if (name === undefined || name === server.name) return server;
    const known = await server.worlds();
    const found = known.find((each) => each.name === name);
    if (found !== undefined) {
      // A server behind a proxy has another address than the one that was joined.
      refuseRemote(found.url, options);
      return { ...serverAt(found.url, connection), name: found.name };
    }
    throw new ToolRefusal(
      `There is no world "${name}".`,
      `There are: ${known.map((each) => each.name).join(', ')}. Make one with worlds, action "fork".`,
    );
  };

const readOnly = (name: string, isJoined: boolean): ToolRefusal => {
  const fork = 'Call worlds with action "fork", and name the new world in "world".';
  return isJoined
    ? new ToolRefusal(
        `The world "${name}" is read-only here.`,
        `${fork} To change it all the same, start atoll mcp with --allow-writes.`,
      )
    : new ToolRefusal(`"${name}" was not made by this agent, so it is read-only here.`, fork);
};
