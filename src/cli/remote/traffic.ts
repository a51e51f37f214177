/** `atoll traffic`: shows, follows, exports, counts and clears the requests of a running server. */
import { type Command, Option } from 'commander';
import { writeFile } from 'node:fs/promises';
import type { ControlSchemas as Schemas } from '../../client/control/control-types.ts';
import type { TrafficFilter } from '../../exchange/worlds/controlled-world.ts';
import { trafficText } from '../../exchange/worlds/traffic-text.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { digitsParser, textParser } from '../option-parsers.ts';
import { row } from './remote-command.ts';
import { controlOf, orConfigurationError, sendCommand, type ServerOptions, withServer } from './server-connection.ts';

/** Reports each entry until the server ends or the signal comes. Throws `ConfigurationError` when the server refuses or does not answer. */
const followTraffic = async (
  server: ServerOptions,
  query: TrafficFilter,
  onEntry: (entry: Entry) => void,
  signal: AbortSignal,
): Promise<void> => {
  const { body } = await controlOf(server).open('streamTraffic', { query, signal }).catch(orConfigurationError);
  try {
    if (body !== null) await readEntries(body, onEntry);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};

const readEntries = async (body: ReadableStream<Uint8Array>, onEntry: (entry: Entry) => void): Promise<void> => {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    const piece = decoder.decode(bytes, { stream: true });
    // An empty line ends an event (HTML Standard §9.2.6). The server writes the data of an event on one line.
    const events = (rest + piece).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1];
      if (data !== undefined) onEntry(JSON.parse(data) as Entry); // `src/server/control/openapi.yaml` says so
    }
  }
};

type Entry = Schemas['TrafficEntry'];
type Exchange = Schemas['TrafficExchange'];

const filterNames = ['operation', 'status', 'method', 'path', 'identity', 'verdict', 'advice', 'since'] as const;
/** The filters that concern the request, not the reply. */
const requestFilterNames = ['operation', 'method', 'path', 'since'] as const;

type ListOptions = ServerOptions &
  TrafficFilter & {
    readonly limit?: string;
    readonly json?: boolean;
    readonly follow?: boolean;
    readonly har?: string;
  };

type AssertOptions = ServerOptions & TrafficFilter & { readonly times?: number; readonly atLeast?: number };

export const addTraffic = (program: Command, context: CommandContext): void => {
  const traffic = withFilters(withServer(program.command('traffic')))
    .description('Show the last requests of a running server, and what in them breaks the contract.')
    .option('--limit <number>', 'how many of the last requests to show (default: 100)', readLimit)
    .option('--json', 'print JSON lines')
    .addOption(new Option('--follow', 'print each further request as it is answered').conflicts(['har', 'limit']))
    .addOption(new Option('--har <file>', 'write an HTTP Archive instead').conflicts(['limit', 'json']))
    .enablePositionalOptions()
    .hook('preSubcommand', refuseEarlyOptions)
    .action((options: ListOptions) => show(options, context));
  withFilters(withServer(traffic.command('assert')))
    .description('Count matching requests; ends with 6 when their number is not the expected one.')
    .option('--times <number>', 'the exact number of requests; 0 for none', readCount)
    .option('--at-least <number>', 'the least number of requests (default: 1)', readCount)
    .action((options: AssertOptions) => assert(options, context));
  addShow(traffic, context);
  addClear(traffic, context);
};

/** Such options would not reach the subcommand: `traffic --url … clear` would clear the traffic of another server. */
const refuseEarlyOptions = (traffic: Command, subcommand: Command): void => {
  const early = traffic.options.find((option) => traffic.getOptionValueSource(option.attributeName()) === 'cli');
  if (early === undefined) return;
  traffic.error(`error: options stand behind the command: atoll traffic ${subcommand.name()} ${early.long ?? ''} …`);
};

const verdicts = ['kept', 'lenient', 'broken', 'reply-broken'];

const withFilters = (command: Command): Command =>
  command
    .option('--operation <id>', 'only this operation, such as createNode')
    .option('--status <status>', 'only this status: 404, or 4xx', readStatus)
    .option('--method <method>', 'only this method', readMethod)
    .option('--path <path>', 'only this path within the world; * matches any text')
    .option('--identity <name>', 'only this account, or anonymous')
    .addOption(new Option('--verdict <verdict>', 'only with this verdict').choices(verdicts))
    .addOption(new Option('--advice <some|none>', 'only with advice, or without').choices(['some', 'none']))
    .option('--since <id|instant>', 'only after this entry, or from this instant on', readSince);

const readStatus = textParser(/^[1-5](?:\d\d|xx)$/, 'A status is one such as 404, or its hundred, such as 4xx.');
const readMethod = textParser(/^[A-Za-z]+$/, 'A method is a word such as POST.');
const readLimit = textParser(/^[1-9]\d{0,4}$/, 'A limit is a number from 1 to 99999.');
const readId = digitsParser(/^\d{1,15}$/, 'A request has a number: the first column of "atoll traffic".');
const readSince = textParser(
  /^(?:\d{1,15}|\d{4}-\d\d-\d\dT[\d:.]{5,12}(?:Z|[+-]\d\d:\d\d))$/,
  'It is the number of a request, or a time such as 2026-01-02T03:04:05Z.',
);

const readCount = digitsParser(/^\d{1,6}$/, 'A number of requests is 0 or more.');

const show = async (options: ListOptions, context: CommandContext): Promise<void> => {
  const print = (entry: Entry): void =>
    context.print(options.json === true ? JSON.stringify(entry) : trafficText(entry));
  if (options.har !== undefined) {
    const archive = await sendCommand(options, 'exportTraffic', { query: filterOf(options) });
    await writeFile(options.har, `${JSON.stringify(archive, null, 2)}\n`);
  } else if (options.follow === true) {
    const unread = new AbortController();
    context.onOutputClosed(() => unread.abort());
    await followTraffic(options, filterOf(options), print, unread.signal);
  } else {
    const page = await sendCommand(options, 'listTraffic', { query: { ...filterOf(options), limit: options.limit } });
    for (const entry of page.entries) print(entry);
    if (page.dropped > 0) context.warn(`${page.dropped} older requests are not remembered any more.`);
    if (page.lost > 0) context.warn(`${page.lost} requests were lost: the server could not write them.`);
  }
};

const filterOf = (options: TrafficFilter, names: readonly (keyof TrafficFilter)[] = filterNames): TrafficFilter =>
  Object.fromEntries(names.map((name) => [name, options[name]]));

/** The text of the entry, then the messages as they went over the wire. */
const exchangeText = ({ request, response, ...entry }: Exchange): string =>
  [
    trafficText(entry),
    messageText(`${entry.method} ${entry.path}`, request),
    messageText(String(entry.status), response),
  ].join('\n\n');

const messageText = (startLine: string, { headers, bytes, body }: Schemas['TrafficMessage']): string => {
  const head = Object.entries(headers).flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}`));
  const text = body ?? (bytes === 0 ? undefined : `(${bytes} bytes)`);
  return [startLine, ...head, ...(text === undefined ? [] : ['', text])].join('\n');
};

const addShow = row('show', 'Show one request and its reply, with heads and short bodies.', 'getTraffic', {
  usage: (command) => command.argument('<id>', 'the number of the request', readId),
  input: (_options: object, id: number) => ({ path: { traffic_id: id } }),
  line: exchangeText,
  json: 'print it as JSON',
});

const addClear = row('clear', 'Forget the requests.', 'clearTraffic');

const assert = async (options: AssertOptions, context: CommandContext): Promise<void> => {
  const { times, atLeast = 1 } = options;
  const { count, dropped, lost } = await sendCommand(options, 'countTraffic', { query: filterOf(options) });
  const filters = filterNames.flatMap((name) => options[name] ?? []).join(' ') || 'any request';
  context.print(
    `${filters}: ${count}${dropped === 0 ? '' : `, and ${dropped} older requests are not remembered any more`}`,
  );
  if (lost > 0) context.warn(`${lost} requests were lost: the server could not write them.`);
  if (times === undefined ? count >= atLeast : count === times) return;
  context.warn(`Wanted: ${times === undefined ? `at least ${atLeast}` : `exactly ${times}`}.`);
  const similar = await sendCommand(options, 'listTraffic', { query: filterOf(options, requestFilterNames) });
  for (const entry of similar.entries.slice(-10)) context.warn(trafficText(entry));
  context.exit(exitCodes.goalMissed);
};
