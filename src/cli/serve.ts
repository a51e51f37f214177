/** `atoll serve`: starts the server, prints its addresses, and stops it in order. */
import { resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Logger } from 'pino';
import type { EngineEvent } from '../engine/finish.ts';
import { entityTypes } from '../model/entity.ts';
import type { Reload } from '../control/reload-handlers.ts';
import { demoAccountsOf } from '../library/demo-accounts.ts';
import { entryPoints } from '../control/content/entry-points.ts';
import { firstContent, isPackagedSite } from '../site/packaged-sites.ts';
import { ConfigurationError, flawText } from '../site/read-yaml.ts';
import { systemClock, systemIds } from '../worlds/system-clock.ts';
import type { Started, StartOptions } from '../server/start.ts';
import type { CommandContext } from './command-context.ts';
import { exitCodeOf, exitCodes } from './exit-codes.ts';
import {
  appendValue,
  basicChallengeOption,
  cachesOption,
  controlOriginsOption,
  digitsParser,
  pagesOption,
  readList,
  readPort,
  trafficOption,
} from './option-parsers.ts';
import {
  addDrupalOptions,
  importLine,
  importSourceOf,
  readSigningKey,
  refuseContradictions,
  type DrupalOptions,
} from './serve-options.ts';
import { readableLine } from './terminal-log.ts';
import { surviveHandlers } from './stray-errors.ts';

/** The options that `start` takes as they are. */
type StartOption =
  | ('host' | 'port' | 'site' | 'baseUrl' | 'durability' | 'checkReplies' | 'advice' | 'traffic' | 'watch')
  | ('pages' | 'allowedHosts' | 'controlOrigins' | 'maxConnections' | 'caches' | 'basicChallenge');

type ServeOptions = Pick<StartOptions, StartOption> &
  DrupalOptions & {
    readonly data: string;
    readonly memory?: boolean;
    readonly fixture?: string;
    readonly overlay?: string[];
    readonly handlers?: string;
    readonly cors: string;
    readonly demoAccounts?: boolean;
    readonly jwtKey?: string;
    readonly controlToken?: string;
    readonly seed?: string;
    readonly logLevel: string;
    readonly json?: boolean;
    readonly replay?: string;
  };

/** How long open requests may take after the first signal. */
const drainMs = 30_000;

export const addServe = (program: Command, context: CommandContext): void => {
  addDrupalOptions(addReach(addOutput(program.command('serve').description('Serve a repository.'))))
    .option('--data <dir>', 'where the repository is kept', './atoll-data')
    .option('--memory', 'keep everything in memory and write no file')
    .option(
      '--fixture <name|path>',
      'what a new repository is filled with: starter, empty, sample or sample:N, a directory, or a YAML or JSON file (default: starter, or sample where that does not fit the site)',
    )
    .option('--site <name|dir>', 'the site: starter-site, or a directory (default: the built-in site)')
    .option('--overlay <file>', 'an OpenAPI Overlay over the document; may be repeated', appendValue)
    .option('--handlers <dir>', 'a folder of handlers for the operations that overlays add')
    .option('--watch', 'read document, overlays, handlers and site anew when they change (default: where one is named)')
    .option('--no-watch', 'read them at the start only')
    .addOption(
      new Option('--durability <level>', 'what an acknowledged write survives').choices(['full', 'os']).default('full'),
    )
    .addOption(
      new Option('--check-replies <mode>', 'what to do with an answer that the document does not allow')
        .choices(['off', 'log', 'fail'])
        .default('log'),
    )
    .addOption(
      new Option('--advice <where>', 'where clients are told what was not stored as they sent it')
        .choices(['traffic', 'header'])
        .default('traffic'),
    )
    .addOption(cachesOption())
    .addOption(pagesOption())
    .addOption(trafficOption())
    .option('--demo-accounts', 'allow accounts with published passwords on a host that others can reach')
    .option(
      '--control-token <token>',
      'opens the control interface to other machines; every client must send it (or set ATOLL_CONTROL_TOKEN)',
    )
    .option(
      '--seed <text>',
      'with --memory: the same requests draw the same uuids and secrets at every start; also what a sample is drawn by',
    )
    .option('--jwt-key <file>', 'the RSA private key (PEM) that tokens are signed with')
    .action(async (options: ServeOptions, command: Command) => {
      if (options.replay !== undefined) {
        const { serveRecording } = await import('./recording/serve-recording.ts');
        return serveRecording(options.replay, command, context);
      }
      refuseContradictions(command);
      return serve(options, context);
    });
};

/** The options that a replay has, too: what is told, and what is answered from. */
const addOutput = (command: Command): Command =>
  command
    .option('--replay <dir>', 'answer from a recording, and from nothing else')
    .addOption(
      new Option('--log-level <level>', 'what is logged')
        .choices(['debug', 'info', 'warn', 'error', 'silent'])
        .default('info'),
    )
    .option('--json', 'print one line of JSON when ready, and nothing else');

/** The options that say where the server listens, and to whom it answers. */
const addReach = (command: Command): Command =>
  command
    .option('--port <number>', 'the port to listen on; 0 takes any free one', readPort, 8000)
    .option('--host <host>', 'the host to listen on', 'localhost')
    .option('--base-url <url>', 'how clients reach the server (default: http://localhost:PORT)', readUrl)
    .option(
      '--allowed-hosts <names>',
      'host names that are answered beside localhost and that of the base URL, comma-separated',
      readList,
    )
    .option('--cors <origins>', 'origins that may read answers: loopback, off, or a comma-separated list', 'loopback')
    .addOption(controlOriginsOption())
    .addOption(basicChallengeOption())
    .option(
      '--max-connections <number>',
      'connections at a time (default: half of the open files that the system allows, at most 10000)',
      readConnections,
    );

const readConnections = digitsParser(/^[1-9]\d{0,5}$/, 'A number of connections is from 1 to 999999.');

const readUrl = (text: string): string => {
  if (/^https?:\/\/[^/?#\s]+(\/[^?#\s]*)?$/.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError('A base URL begins with http:// or https:// and has no query.');
};

/** Loads what only a server needs. Without it every other command starts in half the time. */
export const loadServer = () => Promise.all([import('pino'), import('../server/start.ts')]);

const serve = async (options: ServeOptions, context: CommandContext): Promise<void> => {
  const [{ pino }, { start }] = await loadServer();
  const { memory, data, json, logLevel, cors, overlay, handlers, jwtKey, ...passed } = options;
  const fixture = options.fixture;
  const drupalConfig = importSourceOf(options);
  const directory = memory === true ? undefined : resolve(data);
  const forPeople = { write: (line: string) => context.writeLog(readableLine(line)) };
  const log = pino({ level: logLevel, base: null }, context.isTerminal ? forPeople : pino.destination(2));
  surviveHandlers(handlers, context, {
    error: (line) => log.error(line),
    fatal: (error) => log.fatal({ err: error }, 'an unexpected error ended the server'),
  });
  const started = await start({
    ...passed,
    root: context.root,
    prepared: context.prepared,
    data: directory,
    drupalConfig,
    ...firstContent(fixture, { site: options.site, isImported: drupalConfig !== undefined }),
    overlays: overlay,
    handlerFolder: handlers,
    watch:
      options.watch ??
      [overlay, handlers, drupalConfig, isPackagedSite(options.site) ? undefined : options.site].some(
        (path) => path !== undefined,
      ),
    cors: cors === 'loopback' || cors === 'off' ? cors : readList(cors),
    demoAccounts: options.demoAccounts === true,
    signingKey: await readSigningKey(jwtKey),
    controlToken: readControlToken(options, context),
    seed: readSeed(options),
    clock: systemClock,
    ids: systemIds,
    warn: (message) => log.warn(message),
    onReload: (reload) => logReload(log, reload),
    onEvent: (event) => logEvent(log, event),
    onError: (error) => log.error({ err: error }, 'an answer could not be written'),
  });
  if (started.imported !== undefined) log.info(importLine(started.imported));
  if ((await countRecords(started)) > manyRecords) context.limitHeapGrowth();
  if (!started.isNew && fixture !== undefined) {
    log.info(`The repository exists already; the fixture ${fixture} is ignored.`);
  }
  // Before the ready line: a script that reads it may stop the server at once.
  stopInOrder(started, context, log);
  context.print(json === true ? readyLine(started, directory) : await startTable(started, directory));
  await started.warmSigningKey();
  await started.loadSoon();
};

/** With more records than this, they make up most of the heap, not the requests. */
const manyRecords = 20_000;

const countRecords = async ({ world }: Started): Promise<number> => {
  const totals = entityTypes.map(async (type) => (await world.store.list(type, { offset: 0, limit: 0 })).total);
  return (await Promise.all(totals)).reduce((sum, total) => sum + total, 0);
};

/** From the option or the environment. A list of processes does not show the environment. */
const readControlToken = ({ controlToken }: ServeOptions, { environment }: CommandContext): string | undefined => {
  const token = controlToken ?? environment['ATOLL_CONTROL_TOKEN'];
  if (token === undefined || /^[\x21-\x7e]{8,256}$/.test(token)) return token;
  throw new ConfigurationError('A control token has 8 to 256 printable characters without blanks.');
};

const readSeed = ({ seed, memory }: ServeOptions): string | undefined => {
  if (seed === undefined || memory === true) return seed;
  throw new ConfigurationError('--seed goes with --memory: on disk a restart would draw the same uuids once more.');
};

const eventTexts = {
  answered: ['debug', 'answered'],
  'lenient-body': ['info', 'lenient: a body was read although its schema does not allow it'],
  'reply-breaks-contract': ['warn', 'an answer breaks the contract'],
} as const;

const logEvent = (log: Logger, event: EngineEvent): void => {
  if (event.kind === 'failed') log.error({ err: event.error, operation: event.operation }, 'a request failed');
  else if (event.kind === 'write-refused') log.warn(refusedWrite(event), 'a write was refused');
  else log[eventTexts[event.kind][0]](event, eventTexts[event.kind][1]);
};

/** The cause as a text: a stack would say no more. */
const refusedWrite = ({ operation, status, message, cause }: EngineEvent & { readonly kind: 'write-refused' }) => ({
  ...{ operation, status, message },
  ...(cause instanceof Error ? { cause: cause.message } : {}),
});

const logReload = (log: Logger, { isServed, changed, flaws, warnings }: Reload): void => {
  if (isServed) log.info({ changed }, 'read anew: document, overlays, handlers and site');
  for (const flaw of warnings) log.warn(flawText(flaw));
  for (const flaw of flaws) log.error({ changed }, `the last good ones are served: ${flawText(flaw)}`);
};

const readyLine = ({ url }: Started, directory: string | undefined): string =>
  JSON.stringify({ ready: true, url, data: directory ?? null });

const startTable = async ({ url, world }: Started, directory: string | undefined): Promise<string> => {
  const accounts = demoAccountsOf(world.site).map(({ name, password }) => `${name} / ${password}`);
  const entries = await entryPoints(world);
  const [first] = entries;
  const rows: [string, string][] = [
    ['Atoll', url],
    ['Console', `${url}/_atoll/`],
    ['API page', `${url}/_atoll/docs`],
    ['Document', `${url}/openapi.yaml`],
    ...(accounts.length === 0 ? [] : [['Accounts', accounts.join(', ')] as [string, string]]),
    ...entries.map((entry): [string, string] => [entry.title, entry.url]),
    ...(first === undefined ? [] : [['Try', `curl -i "${first.url}"`] as [string, string]]),
    ['Data', directory ?? 'in memory only, gone when this ends'],
    ['Durability', world.durability],
  ];
  return [...rows.map(([name, value]) => `${name}\n    ${value}`), 'Ready'].join('\n');
};

const stopInOrder = (started: Started, context: CommandContext, log: Logger): void => {
  let isLost = false;
  context.onStop(
    () => {
      void started.health().then((reasons) => {
        isLost = reasons.some(({ code }) => code === 'directory_lost');
      });
      log.info('stopping: open requests are finished first');
      started.stop(drainMs).then(
        () => context.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'the end was not orderly');
          context.exit(exitCodeOf(error));
        },
      );
    },
    // A second signal does not wait for open requests.
    () => context.exit(isLost ? exitCodes.damaged : exitCodes.ok),
  );
};
