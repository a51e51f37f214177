/** `atoll traffic` and `atoll traffic assert`: show, follow, export and count the requests of a running server. By hand, for each asks several operations, or reads a stream. */
import { type Command, Option } from 'commander';
import { writeFile } from 'node:fs/promises';
import type { ControlSchemas as Schemas, Input } from '../../client/client-control.ts';
import type { TrafficFilter } from '../../exchange/exchange-worlds.ts';
import { trafficText } from './traffic-text.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { digitsParser } from '../options/option-parsers.ts';
import { inputFrom, withInputs } from './input-options.ts';
import { controlOf, orConfigurationError, sendCommand, type ServerOptions, withServer } from './server-connection.ts';

/** Reports each entry until the server ends or the signal comes. Throws `ConfigurationError` when the server refuses or does not answer. */
const followTraffic = async (
  server: ServerOptions,
  input: Input<'streamTraffic'> & { readonly signal: AbortSignal },
  onEntry: (entry: Entry) => void,
): Promise<void> => {
  const { body } = await controlOf(server).open('streamTraffic', input).catch(orConfigurationError);
  try {
    if (body !== null) await readEntries(body, onEntry);
  } catch (error) {
    if (!input.signal.aborted) throw error;
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

/** The filters that concern the request, not the reply. */
const requestFilters = ['operation', 'method', 'path', 'since'] as const;

type ListOptions = ServerOptions &
  TrafficFilter & {
    readonly json?: boolean;
    readonly follow?: boolean;
    readonly har?: string;
  };

type AssertOptions = ServerOptions & TrafficFilter & { readonly times?: number; readonly atLeast?: number };

export const addTraffic = (program: Command, context: CommandContext): void => {
  const traffic = withInputs(withServer(program.command('traffic')), 'listTraffic')
    .description('Show the last requests of a running server, and what in them breaks the contract.')
    .option('--json', 'print JSON lines')
    .addOption(new Option('--follow', 'print each further request as it is answered').conflicts(['har', 'limit']))
    .addOption(new Option('--har <file>', 'write an HTTP Archive instead').conflicts(['limit', 'json']))
    .enablePositionalOptions()
    .hook('preSubcommand', refuseEarlyOptions)
    .action((options: ListOptions) => show(options, context));
  withInputs(withServer(traffic.command('assert')), 'countTraffic')
    .description('Count matching requests; ends with 6 when their number is not the expected one.')
    .option('--times <number>', 'the exact number of requests; 0 for none', readCount)
    .option('--at-least <number>', 'the least number of requests (default: 1)', readCount)
    .action((options: AssertOptions) => assert(options, context));
};

/** Such options would not reach the subcommand: `traffic --url … clear` would clear the traffic of another server. */
const refuseEarlyOptions = (traffic: Command, subcommand: Command): void => {
  const early = traffic.options.find((option) => traffic.getOptionValueSource(option.attributeName()) === 'cli');
  if (early === undefined) return;
  traffic.error(`error: options stand behind the command: atoll traffic ${subcommand.name()} ${early.long ?? ''} …`);
};

const readCount = digitsParser(/^\d{1,6}$/, 'A number of requests is 0 or more.');

const show = async (options: ListOptions, context: CommandContext): Promise<void> => {
  const print = (entry: Entry): void =>
    context.print(options.json === true ? JSON.stringify(entry) : trafficText(entry));
  if (options.har !== undefined) {
    const archive = await sendCommand(options, 'exportTraffic', inputFrom('exportTraffic', options));
    await writeFile(options.har, `${JSON.stringify(archive, null, 2)}\n`);
  } else if (options.follow === true) {
    const unread = new AbortController();
    context.onOutputClosed(() => unread.abort());
    await followTraffic(options, { ...inputFrom('streamTraffic', options), signal: unread.signal }, print);
  } else {
    const page = await sendCommand(options, 'listTraffic', inputFrom('listTraffic', options));
    for (const entry of page.entries) print(entry);
    if (page.dropped > 0) context.warn(`${page.dropped} older requests are not remembered any more.`);
    if (page.lost > 0) context.warn(`${page.lost} requests were lost: the server could not write them.`);
  }
};

const assert = async (options: AssertOptions, context: CommandContext): Promise<void> => {
  const { times, atLeast = 1 } = options;
  const input = inputFrom('countTraffic', options);
  const { count, dropped, lost } = await sendCommand(options, 'countTraffic', input);
  const filters = Object.values(input.query ?? {}).join(' ') || 'any request';
  context.print(
    `${filters}: ${count}${dropped === 0 ? '' : `, and ${dropped} older requests are not remembered any more`}`,
  );
  if (lost > 0) context.warn(`${lost} requests were lost: the server could not write them.`);
  if (times === undefined ? count >= atLeast : count === times) return;
  context.warn(`Wanted: ${times === undefined ? `at least ${atLeast}` : `exactly ${times}`}.`);
  const query = Object.fromEntries(requestFilters.map((name) => [name, options[name]]));
  const similar = await sendCommand(options, 'listTraffic', { query });
  for (const entry of similar.entries.slice(-10)) context.warn(trafficText(entry));
  context.exit(exitCodes.goalMissed);
};
