/** `atoll twin`: sends requests to a server and to a local Atoll, and reports how their answers differ. */
import { Option, type Command } from 'commander';
import type { Rewritable } from '../../checks/checks-choices.ts';
import type { Twin } from '../../checks/checks-proxy.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { CacheMode } from '../../openapi/openapi-host.ts';
import { readAccountFile } from '../../exchange/exchange-target.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes, exitInOrder } from '../exit-codes.ts';
import { givenOption, parserOf } from '../options/option-parsers.ts';
import { reportReader, type ReportFile, writeNamed, writeReportFiles } from '../report-files.ts';
import { importSourceOf } from '../options/drupal-options.ts';
import { addOptions, refuseContradictions } from '../options/start-options.ts';
import { limitsOf } from '../options/limit-options.ts';
import { readRewritables, withContract, withTarget, type TargetOptions } from './target-options.ts';
import { repeated, seconds } from '../../basics/options/option-kinds.ts';
import { port } from '../../server/server.ts';

type Options = Omit<TargetOptions, 'target' | 'as'> & {
  readonly target?: string;
  readonly recorded?: string;
  readonly port: number;
  readonly host: string;
  readonly fixture?: string;
  readonly caches?: CacheMode;
  readonly answerWith: 'target' | 'atoll';
  readonly knownAs?: readonly string[];
  readonly rewrite?: readonly Rewritable[];
  readonly accept?: string;
  readonly writeAccept?: string;
  readonly report?: readonly ReportFile<'json' | 'junit' | 'html'>[];
  readonly for?: number;
  readonly record?: string;
};

/** How long open requests may take after the first signal. */
const drainMs = 10_000;

export const addTwin = (program: Command, context: CommandContext): void => {
  const command = addOptions(withContract(withTarget(program.command('twin'))), ['caches'])
    .description('Send each request to a server and to an Atoll, and report how their answers differ.')
    .option('--recorded <dir>', 'instead of a server: compare with the answers in a recording')
    .option('--port <number>', 'the port to listen on; 0 takes any free one', parserOf(port), 8002)
    .option('--host <host>', 'the host to listen on', 'localhost')
    .option('--fixture <name|path>', 'what Atoll begins with, as with `atoll serve`')
    .option('--accounts <file>', "a YAML file with the server's accounts: their passwords or tokens, and their roles")
    .addOption(
      new Option('--answer-with <side>', 'whose answers the clients get')
        .choices(['target', 'atoll'])
        .default('target'),
    )
    .option(
      '--known-as <url>',
      'another address by which links of the server name it; may be repeated',
      parserOf(repeated('<url>')),
    )
    .option(
      '--rewrite <what>',
      'lead clients back to the twin: links, cookies, bodies, comma-separated',
      readRewritables,
    )
    .option('--accept <file>', 'a YAML file of accepted differences')
    .option('--write-accept <file>', 'write the new differences as a draft of such a file')
    .option(
      '--report <format=file,…>',
      'also write reports: json=FILE, junit=FILE, html=FILE',
      reportReader('json', 'junit', 'html'),
    )
    .option('--for <seconds>', 'end after so many seconds (default: at Ctrl-C)', parserOf(seconds()))
    .option('--record <dir>', 'record the exchanges with both in this directory, without secrets')
    .action((options: Options) => {
      refuseUseless(options, command);
      refuseContradictions(command);
      return twin(options, context);
    });
  for (const option of command.options) if (option.long === '--target') option.mandatory = false;
};

const twin = async (options: Options, context: CommandContext): Promise<void> => {
  // Writes the reports empty first, so that a path that cannot be written ends the command before the run.
  await writeReportFiles(options.report);
  const own = {
    ...{
      root: context.root,
      prepared: context.prepared,
      site: options.site,
      drupalConfig: importSourceOf(options, context.rim),
    },
    ...{ fixture: options.fixture, caches: options.caches, accept: options.accept, warn: context.warn },
    accounts: options.accounts === undefined ? undefined : await readAccountFile(options.accounts),
  };
  if (options.recorded !== undefined) {
    const { compareRecorded } = await import('../../checks/checks-proxy.ts');
    const stop = new AbortController();
    context.onStop(
      () => stop.abort(),
      () => context.exit(exitCodes.findings),
    );
    await finish(await compareRecorded({ ...own, recorded: options.recorded, signal: stop.signal }), options, context);
    return;
  }
  const { startTwin } = await import('../../checks/checks-proxy.ts');
  const { target = '', host, port, knownAs, rewrite, answerWith, record } = options;
  const started = await startTwin({
    ...{ ...own, ...(await limitsOf(options)), target, host, port, aliases: knownAs, rewrite, answerWith },
    record: record === undefined ? undefined : { directory: record },
    onFailure: context.warn,
  });
  endInOrder(started, options, context);
  context.print(
    [`Twin\n    ${started.url}`, `Target\n    ${target}`, `Atoll\n    ${started.atollUrl}`, 'Ready'].join('\n'),
  );
};

/** The options that are about a server, or about the listener before it. */
const liveOptions: readonly string[] = 'record port host rate ca insecure timeout answerWith knownAs rewrite for'.split(
  ' ',
);

/** Throws `ConfigurationError`. */
const refuseUseless = ({ target, recorded }: Options, command: Command): void => {
  if (target === undefined && recorded === undefined) {
    throw new ConfigurationError('Name the server with --target URL, or a recording with --recorded DIR.');
  }
  const useless = givenOption(command, (name) => liveOptions.includes(name));
  if (recorded !== undefined && useless !== undefined) {
    throw new ConfigurationError(`--recorded asks no server, so ${useless} has no use. Leave out one of them.`);
  }
};

/** At Ctrl-C or when the time is over. A second signal does not wait for open requests. */
const endInOrder = (started: Twin, options: Options, context: CommandContext): void => {
  const end = exitInOrder(context, {
    end: async () => finish(await started.stop(drainMs), options, context),
    codeNow: () => exitCodes.findings,
    onError: (error) => context.warn(`atoll: ${error instanceof Error ? error.message : String(error)}`),
  });
  if (options.for !== undefined) setTimeout(end, options.for * 1000);
};

/** Writes the reports. Returns the exit code, and sets it. */
const finish = async (
  { report, draft }: Awaited<ReturnType<Twin['stop']>>,
  options: Options,
  context: CommandContext,
): Promise<number> => {
  const { twinReport } = await import('../../checks/checks-proxy.ts');
  context.print(twinReport(report, 'text').trimEnd());
  await writeReportFiles(options.report, (format) => twinReport(report, format));
  if (options.writeAccept !== undefined)
    await writeNamed(`--write-accept ${options.writeAccept}`, options.writeAccept, draft);
  const code = report.counts.new > 0 ? exitCodes.findings : exitCodes.ok;
  if (options.recorded !== undefined && code !== exitCodes.ok) context.exit(code);
  return code;
};
