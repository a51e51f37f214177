/** A real PostgreSQL of a test's own, in a temporary directory on a port of its own, with databases made as they are asked for. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile, chown, mkdir, mkdtemp, readFile, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** How to get what is missing. */
const howToInstall = 'There is no PostgreSQL on this machine. Run as root: bash test/system/postgres/install.sh';

/** The account of the databases. Its password is asked for at every connection over TCP. */
export const postgresAccount = { user: 'atoll', password: 'secret-of-the-test' };

/** What may be asked of a cluster. */
export type PostgresOptions = {
  /** Lines of `postgresql.conf`, such as `max_connections = 20`. */
  readonly settings?: readonly string[];
  /** The data directory is a disk of its own with so many megabytes; needs root. */
  readonly diskMegabytes?: number;
  /** It runs in this network namespace and listens on this address of it; needs root. */
  readonly namespace?: { readonly name: string; readonly address: string };
};

/** A running cluster. Every method may be called again after `stop`, but for those that ask the server something. */
export type Postgres = {
  /** The whole text of a connection to the database `postgres`: `postgres://user:password@host:port/postgres`. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** The data directory. */
  readonly directory: string;
  /** Makes an empty database with a new name and answers its connection text. */
  database(): Promise<string>;
  /** Ends the sessions of a database of `database()` and drops it. */
  dropDatabase(url: string): Promise<void>;
  /** Runs SQL as superuser, in the database of `url` where one is given; answers the lines that psql prints, without headings. */
  run(sql: string, url?: string): Promise<readonly string[]>;
  /** `pg_ctl stop`; `immediate` ends all processes without writing anything, as a crash does. Nothing to do when it is down. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>;
  /** `pg_ctl start` on the same port and data, after `stop` or a crash. Resolves when it answers. */
  start(): Promise<void>;
  isRunning(): boolean;
  /** What the server wrote. */
  log(): Promise<string>;
  /** Stops it and removes the directory. */
  close(): Promise<void>;
};

/** Finds the directory with `initdb` and `pg_ctl`: in PATH, or the newest of Debian's. */
const binaries = (): string => {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((one, other) => Number(other) - Number(one)) : [];
  const places = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(debian, version, 'bin')),
    ...['/opt/homebrew/bin', '/usr/local/pgsql/bin'],
  ];
  const found = places.find((place) => ['initdb', 'pg_ctl', 'psql'].every((name) => existsSync(join(place, name))));
  if (found === undefined) throw new Error(howToInstall);
  return found;
};

type Owner = { readonly uid: number; readonly gid: number };

/** `initdb` refuses root, so root runs everything as `postgres`, or as `nobody` where there is no such account. */
const owner = (): Owner | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = ['-u', '-g'].map((option) =>
      Number.parseInt(spawnSync('id', [option, name], { encoding: 'utf8' }).stdout, 10),
    );
    if (uid !== undefined && gid !== undefined && !Number.isNaN(uid + gid)) return { uid, gid };
  }
  throw new Error('PostgreSQL refuses to run as root, and there is neither an account "postgres" nor "nobody".');
};

type Ran = { readonly code: number | null; readonly out: string; readonly error: string };

const execute = async (
  command: string,
  args: readonly string[],
  { as, env = {}, input = '' }: { as?: Owner | undefined; env?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<Ran> => {
  const child = spawn(command, args, { ...as, cwd: '/', env: { ...process.env, ...env }, stdio: 'pipe' });
  let [out, error] = ['', ''];
  child.stdout.on('data', (piece: Buffer) => (out += piece.toString()));
  child.stderr.on('data', (piece: Buffer) => (error += piece.toString()));
  child.stdin.on('error', () => undefined); // the program may end before it has read everything
  child.stdin.end(input);
  // Not "close": the server that pg_ctl starts keeps the pipes open.
  const [code] = (await once(child, 'exit')) as [number | null]; // as Node emits it
  return { code, out, error };
};

const mustRun = async (...call: Parameters<typeof execute>): Promise<string> => {
  const { code, out, error } = await execute(...call);
  if (code !== 0) throw new Error(`${call[0]} ${call[1].join(' ')} ended with ${code}: ${error}${out}`);
  return out;
};

/** A port below those that the system gives to who asks for any, so that nothing takes it while the server is down. */
const anyPort = (): number => 20_000 + Math.floor(Math.random() * 12_000);

/**
 * Stops the server and removes its directory when its input ends, so also when the test's process is killed. It asks whether
 * the process of the number in `postmaster.pid` is this server: after a kill the number may be another one's.
 */
const guardScript = `cat > /dev/null
pid=$(head -n 1 "$1/data/postmaster.pid" 2> /dev/null)
isServer() { { tr '\\0' ' ' < "/proc/$pid/cmdline" || ps -o args= -p "$pid"; } 2> /dev/null | grep -q "$1/data"; }
if [ -n "$pid" ] && isServer "$1"; then
  kill -QUIT "$pid"
  while isServer "$1"; do sleep 0.05; done
fi
if [ -n "$2" ]; then umount -l "$1/data"; fi
rm -rf "$1"`;

/** Starts the guard of a directory. What it answers ends everything. */
const startGuard = (home: string, isMounted: boolean): (() => Promise<void>) => {
  const child = spawn('sh', ['-c', guardScript, 'sh', home, isMounted ? 'mounted' : ''], {
    ...{ cwd: '/', detached: true },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  const ended = once(child, 'exit');
  return async () => {
    child.ref(); // who closes waits for it
    child.stdin.end();
    await ended;
  };
};

/** The commands on one cluster, run as the account that owns it. */
type Commands = {
  readonly home: string;
  readonly data: string;
  readonly options: PostgresOptions;
  /** Runs a program of PostgreSQL's. Rejects with what it wrote when it fails. */
  readonly call: (name: string, args: readonly string[], input?: string) => Promise<string>;
  /** Starts the server; answers false when somebody else has the port. */
  readonly launch: () => Promise<boolean>;
};

const createCommands = (bin: string, home: string, as: Owner | undefined, options: PostgresOptions): Commands => {
  const data = join(home, 'data');
  const log = join(home, 'log');
  const call = (name: string, args: readonly string[], input = ''): Promise<string> =>
    mustRun(join(bin, name), args, { as, input });
  const { namespace } = options;
  return {
    ...{ home, data, options, call },
    launch: async () => {
      const before = existsSync(log) ? (await readFile(log, 'utf8')).length : 0;
      const start = [join(bin, 'pg_ctl'), ...['-D', data, '-l', log, '-w', '-t', '120', '-s', 'start']];
      const inside =
        namespace === undefined || as === undefined
          ? start
          : [
              ...['ip', 'netns', 'exec', namespace.name],
              ...['setpriv', `--reuid=${as.uid}`, `--regid=${as.gid}`, '--clear-groups', ...start],
            ];
      const [command = '', ...args] = inside;
      const { code, error } = await execute(command, args, namespace === undefined ? { as } : {});
      if (code === 0) return true;
      const written = (await readFile(log, 'utf8')).slice(before);
      if (/Address already in use/.test(written)) return false;
      throw new Error(`PostgreSQL did not start: ${error}${written}`);
    },
  };
};

const addressOf = ({ namespace }: PostgresOptions): string => namespace?.address ?? '127.0.0.1';

/** Makes the files of a cluster and starts it; answers its port. */
const initialise = async ({ home, data, options, call, launch }: Commands): Promise<number> => {
  const version = Number(/\d+/.exec(await call('initdb', ['--version']))?.[0]);
  // Sorts as people do, so that SQL which leans on the order of bytes is found out.
  const order = version < 15 ? [] : ['--locale-provider=icu', '--icu-locale=en-US'];
  await call('initdb', [
    ...['-D', data, '--no-sync', '--encoding=UTF8', '--locale=C', ...order, '--username=postgres', '--wal-segsize=1'],
    ...['--auth-local=trust', '--auth-host=scram-sha-256'],
  ]);
  const configuration = join(data, 'postgresql.conf');
  const settings = [
    `listen_addresses = '${addressOf(options)}'`,
    `unix_socket_directories = '${home}'`,
    // The machine does not fail in these tests. When the server alone does, what it gave to the system is not lost.
    'fsync = off',
    ...['max_connections = 200', 'shared_buffers = 64MB', 'timezone = UTC', ...(options.settings ?? [])],
  ];
  const access = `host all all ${options.namespace === undefined ? '127.0.0.1/32' : '0.0.0.0/0'} scram-sha-256\n`;
  await appendFile(join(data, 'pg_hba.conf'), access);
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const port = anyPort();
    await appendFile(configuration, `\n${[...settings, `port = ${port}`].join('\n')}\n`);
    if (await launch()) return port;
  }
  throw new Error('No port for PostgreSQL in 20 attempts.');
};

const nameIn = (url: string): string => new URL(url).pathname.slice(1);

/** Makes a cluster and starts it. Rejects with how to install PostgreSQL when there is none. Takes about two seconds. */
export const startPostgres = async (options: PostgresOptions = {}): Promise<Postgres> => {
  const bin = binaries();
  const as = owner();
  const home = await mkdtemp(join(await realpath(tmpdir()), 'atoll-postgres-'));
  const close = startGuard(home, options.diskMegabytes !== undefined);
  try {
    if (as !== undefined) await chown(home, as.uid, as.gid);
    const commands = createCommands(bin, home, as, options);
    if (options.diskMegabytes !== undefined) {
      await mkdir(commands.data);
      const { uid, gid } = as ?? { uid: 0, gid: 0 };
      const size = `size=${options.diskMegabytes}m,mode=0700,uid=${uid},gid=${gid}`;
      await mustRun('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', commands.data]);
    }
    const running = createPostgres(commands, await initialise(commands), close);
    await running.run(`CREATE ROLE ${postgresAccount.user} LOGIN CREATEDB PASSWORD '${postgresAccount.password}'`);
    return running;
  } catch (error) {
    await close();
    throw error;
  }
};

const createPostgres = (commands: Commands, port: number, close: () => Promise<void>): Postgres => {
  const { home, data, call, launch } = commands;
  const host = addressOf(commands.options);
  const { user, password } = postgresAccount;
  const urlOf = (name: string): string => `postgres://${user}:${password}@${host}:${port}/${name}`;
  const isRunning = (): boolean => {
    const file = join(data, 'postmaster.pid');
    if (!existsSync(file)) return false;
    try {
      return process.kill(Number.parseInt(readFileSync(file, 'utf8'), 10), 0);
    } catch {
      return false;
    }
  };
  // By the socket, which needs no network.
  const run = async (sql: string, url = urlOf('postgres')): Promise<readonly string[]> => {
    const args = [
      '-h',
      home,
      '-p',
      String(port),
      '-U',
      'postgres',
      '-d',
      nameIn(url),
      '-XAtq',
      '-v',
      'ON_ERROR_STOP=1',
    ];
    const out = await call('psql', [...args, '-f', '-'], sql);
    return out.split('\n').filter((line) => line !== '');
  };
  let made = 0;
  return {
    ...{ url: urlOf('postgres'), host, port, directory: data, run, isRunning, close },
    database: async () => {
      const name = `atoll_${process.pid}_${(made += 1)}`;
      await run(`CREATE DATABASE ${name} OWNER ${user}`);
      return urlOf(name);
    },
    dropDatabase: async (url) => {
      await run(`DROP DATABASE IF EXISTS ${nameIn(url)} WITH (FORCE)`);
    },
    stop: async (mode = 'fast') => {
      if (isRunning()) await call('pg_ctl', ['-D', data, '-m', mode, '-w', '-t', '120', '-s', 'stop']);
    },
    start: async () => {
      if (!(await launch())) throw new Error(`Another program has taken the port ${port} of PostgreSQL.`);
    },
    log: () => readFile(join(home, 'log'), 'utf8'),
  };
};
