/** `atoll serve`: starts the server, prints its addresses, and stops it in order. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { entityTypes } from '../core/model/entity.ts';
import { namedDocument } from '../server/sources/named-document.ts';
import { firstContent, isPackagedSite } from '../server/site-folders/packaged-sites.ts';
import { teamDatabase } from '../team/team-database.ts';
import { ConfigurationError } from '../basics/configuration-error.ts';
import { systemClock, systemIds } from '../server/worlds/world-clock.ts';
import type { Started, StartOptions } from '../server/start/start.ts';
import type { CommandContext } from './command-context.ts';
import { addControlRate, addControlToken, readControlToken, type ControlTokenOptions } from './control-options.ts';
import {
  appendValue,
  basicChallengeOption,
  cachesOption,
  controlOriginsOption,
  demoAccountsOption,
  digitsParser,
  eventsOption,
  pagesOption,
  readList,
  reactionsDelayOption,
  readPort,
  callbacksOption,
  statelessOption,
  documentOption,
  trafficOption,
} from './option-parsers.ts';
import {
  addDrupalOptions,
  importSourceOf,
  readSigningKey,
  refuseContradictions,
  type DrupalOptions,
} from './serve-options.ts';
import { contentLines } from './serving/content-lines.ts';
import { addBytes, readBytes, type BytesOptions } from './serving/bytes-options.ts';
import { addLogOptions, createLog, logEvent, logReload, type LogOptions } from './serving/server-log.ts';
import { startTable } from './serving/start-table.ts';
import { addDrainNotice, readDrainNotice, stopInOrder, type NoticeOptions } from './serving/stop-in-order.ts';
import {
  addStore,
  directoryOf,
  readStore,
  repositoryPlace,
  type RepositoryPlace,
  type StoreOptions,
} from './serving/store-options.ts';
import { surviveHandlers } from './stray-errors.ts';

/** The options that `start` takes as they are. */
type StartOption =
  | ('host' | 'port' | 'site' | 'baseUrl' | 'durability' | 'checkReplies' | 'advice' | 'traffic' | 'watch')
  | (
      | 'pages'
      | 'allowedHosts'
      | 'controlOrigins'
      | 'maxConnections'
      | 'caches'
      | 'basicChallenge'
      | 'controlRate'
      | 'reactionsDelay'
      | 'events'
      | 'callbacks'
      | 'stateless'
    );

type ServeOptions = Pick<StartOptions, StartOption> &
  DrupalOptions &
  LogOptions &
  NoticeOptions &
  ControlTokenOptions &
  Pick<StoreOptions, 'store'> &
  BytesOptions & {
    readonly data: string;
    readonly memory?: boolean;
    readonly fixture?: string;
    readonly overlay?: string[];
    readonly document?: string[];
    readonly handlers?: string;
    readonly cors: string;
    readonly demoAccounts?: boolean;
    readonly jwtKey?: string;
    readonly seed?: string;
    readonly json?: boolean;
    readonly quiet?: boolean;
    readonly replay?: string;
  };

export const addServe = (program: Command, context: CommandContext): void => {
  const serveCommand = addReach(addOutput(program.command('serve').description('Serve a repository.')));
  const withContent = addBytes(
    addStore(addControlRate(addControlToken(addDrainNotice(addReactions(addDrupalOptions(serveCommand)))))),
  )
    .option(
      '--data <dir>',
      'where the repository is kept; with --store the directory of bytes that all processes share',
      './atoll-data',
    )
    .option('--memory', 'keep everything in memory and write no file')
    .option(
      '--fixture <name|path>',
      'what a new repository is filled with: starter, empty, sample or sample:N, a directory, or a YAML or JSON file (default: starter, or sample where that does not fit the site)',
    );
  addSources(withContent)
    .addOption(
      new Option('--durability <level>', 'what an acknowledged write survives').choices(['full', 'os']).default('full'),
    )
    .addOption(
      new Option('--check-replies <mode>', 'what to do with a response that the document does not allow')
        .choices(['off', 'log', 'fail'])
        .default('log'),
    )
    .addOption(
      new Option('--advice <where>', 'where clients see which values were changed on storing')
        .choices(['traffic', 'header'])
        .default('traffic'),
    )
    .addOption(cachesOption())
    .addOption(pagesOption())
    .addOption(trafficOption())
    .addOption(demoAccountsOption())
    .option('--quiet', 'on a terminal: print no line for each request')
    .option('--seed <text>', 'with --memory: the same seed gives the same uuids, secrets and sample at every start')
    .option('--jwt-key <file>', 'the RSA private key (PEM) that signs tokens')
    .action(async (options: ServeOptions, command: Command) => {
      if (options.replay !== undefined) {
        const { serveRecording } = await import('./recording/serve-recording.ts');
        return serveRecording(options.replay, command, context);
      }
      refuseContradictions(command);
      return serve(options, command, context);
    });
};

/** The options that name site, documents, overlays and handlers. */
const addSources = (command: Command): Command =>
  command
    .option('--site <name|dir>', 'the site: default, starter-site, or a directory (default: the built-in site)')
    .addOption(documentOption())
    .addOption(statelessOption())
    .addOption(callbacksOption())
    .option('--overlay <file>', 'an OpenAPI Overlay over the document; may be repeated', appendValue)
    .option('--handlers <dir>', 'a folder of handlers for the operations of your documents and overlays')
    .option(
      '--watch',
      'read document, overlays, handlers and site again when they change (default: where one is named)',
    )
    .option('--no-watch', 'read them at the start only');

const addReactions = (command: Command): Command => command.addOption(reactionsDelayOption()).addOption(eventsOption());

/** The options that a replay has, too: what it reports, and what it answers from. */
const addOutput = (command: Command): Command =>
  addLogOptions(command.option('--replay <dir>', 'answer from a recording, and from nothing else')).option(
    '--json',
    'print one line of JSON when ready, and nothing else',
  );

/** The options that say where the server listens, and which clients it answers. */
const addReach = (command: Command): Command =>
  command
    .option('--port <number>', 'the port to listen on; 0 takes any free one', readPort, 8000)
    .option('--host <host>', 'the host to listen on', 'localhost')
    .addOption(
      new Option('--base-url <url>', 'how clients reach the server (default: http://localhost:PORT)')
        .argParser(readUrl)
        .env('ATOLL_BASE_URL'),
    )
    .option(
      '--allowed-hosts <names>',
      'host names that are answered besides localhost and that of the base URL, comma-separated',
      readList,
    )
    .option(
      '--cors <origins>',
      'origins that may read answers: loopback, off, or a comma-separated list, in which null stands for pages opened as files',
      'loopback',
    )
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
export const loadServer = () => Promise.all([import('pino'), import('../server/start/start.ts')]);

const serve = async (options: ServeOptions, command: Command, context: CommandContext): Promise<void> => {
  const [{ pino }, { start }] = await loadServer();
  const { cors, overlay, document, handlers, jwtKey, bytes, ...passed } = options;
  const fixture = options.fixture;
  const drupalConfig = importSourceOf(options);
  const store = await readStore(command, context.environment);
  const directory = directoryOf(command, store);
  const log = createLog(pino, options, context);
  const noticeMs = readDrainNotice(options, context.environment);
  surviveHandlers(handlers, context, {
    error: (line) => log.error(line),
    fatal: (error) => log.fatal({ err: error }, 'an unexpected error ended the server'),
  });
  const started = await start({
    ...passed,
    root: context.root,
    // `npm start` runs this command, and says so as long as it does.
    isConsoleBeingBuilt: () => context.environment['ATOLL_BUILDS_CONSOLE'] === 'true',
    prepared: context.prepared,
    data: directory,
    openDatabase: teamDatabase(store),
    bucket: readBytes({ bytes }, context.environment),
    drupalConfig,
    ...firstContent(fixture, { site: options.site, isImported: drupalConfig !== undefined }),
    overlays: overlay,
    documents: document?.map(namedDocument),
    handlerFolder: handlers,
    watch:
      options.watch ?? [overlay, document, handlers, drupalConfig, ownSite(options)].some((path) => path !== undefined),
    cors: cors === 'loopback' || cors === 'off' ? cors : readList(cors),
    demoAccounts: options.demoAccounts === true,
    signingKey: await readSigningKey(jwtKey),
    controlToken: await readControlToken(options, context.environment),
    seed: readSeed(options),
    clock: systemClock,
    ids: systemIds,
    warn: (message) => log.warn(message),
    onReload: (reload) => logReload(log, reload),
    onEvent: (event) => logEvent(log, event),
    areAnswersHeard: log.isLevelEnabled('debug'),
    onError: (error) => log.error({ err: error }, 'an answer could not be written'),
  });
  for (const line of contentLines(started, options)) log.info(line);
  if (store === undefined && (await countRecords(started)) > manyRecords) context.limitHeapGrowth();
  // Before the ready line: a script that reads it may stop the server at once.
  stopInOrder(started, noticeMs, context, log);
  const place = repositoryPlace(store, directory);
  await sayReady(started, place, options, context);
  await started.warmSigningKey();
  await started.loadSoon();
};

/** Only a terminal gets a line for each request, so only there their printer is loaded. */
const sayReady = async (
  started: Started,
  place: RepositoryPlace,
  { json, quiet, checkReplies }: ServeOptions,
  context: CommandContext,
): Promise<void> => {
  if (context.isTerminal && quiet !== true && json !== true) {
    const { printRequests } = await import('./serving/request-lines.ts');
    printRequests(started, checkReplies, context);
  }
  context.print(json === true ? readyLine(started, place) : await startTable(started, place));
};

/** The folder of a site that can change while the server runs. */
const ownSite = ({ site }: ServeOptions): string | undefined => (isPackagedSite(site) ? undefined : site);

/** With more records than this, they make up most of the heap, not the requests. */
const manyRecords = 20_000;

const countRecords = async ({ world }: Started): Promise<number> => {
  const totals = entityTypes.map(async (type) => (await world.store.list(type, { offset: 0, limit: 0 })).total);
  return (await Promise.all(totals)).reduce((sum, total) => sum + total, 0);
};

const readSeed = ({ seed, memory }: ServeOptions): string | undefined => {
  if (seed === undefined || memory === true) return seed;
  throw new ConfigurationError('--seed goes with --memory: on disk a restart would draw the same uuids once more.');
};

const readyLine = ({ url }: Started, { data, store }: RepositoryPlace): string =>
  JSON.stringify({ ready: true, url, data: data ?? null, ...(store === undefined ? {} : { store }) });
