/** `atoll verify`: the contract as checks against any server, and `atoll verify clean` for what an interrupted run left. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { counted } from '../../basics/counted.ts';
import { isLoopbackUrl } from '../../basics/formats/loopback.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { failLevels, type FailLevel } from '../../checks/checks-choices.ts';
import type { CheckResult, Verification } from '../../checks/checks.ts';
import type { CommandContext } from '../command-context.ts';
import { exitCodes } from '../exit-codes.ts';
import { digitsParser, parserOf } from '../options/option-parsers.ts';
import { reportReader, type ReportFile, writeReportFiles } from '../report-files.ts';
import { addVerifyClean } from './verify-clean.ts';
import { openTarget, withAccounts, withContract, withTarget, type TargetOptions } from './target-options.ts';
import { entriesOf, list, seconds } from '../../basics/options/option-kinds.ts';

type VerifyOptions = Omit<TargetOptions, 'target'> & {
  readonly target?: string;
  readonly readOnly?: boolean;
  readonly allowWrites?: boolean;
  readonly label?: string;
  readonly container?: number;
  readonly journal?: string;
  readonly useTerm?: number;
  readonly modelTerm?: number;
  readonly from?: readonly string[];
  readonly only?: readonly string[];
  readonly list?: boolean;
  readonly report?: readonly ReportFile<'json' | 'junit' | 'html'>[];
  readonly failOn: FailLevel;
  readonly parallel?: number;
  readonly checkTimeout: number;
};

/** As shells tell a program that Ctrl-C has ended. */
const interruptedCode = 130;

export const addVerify = (program: Command, context: CommandContext): void => {
  const command = withAccounts(withContract(withTarget(program.command('verify'))))
    .description(
      'Check a server against the contract: reads only, unless --allow-writes is given; ends with 1 for findings.',
    )
    .option('--read-only', 'change nothing on the target (the default)')
    .option(
      '--allow-writes',
      'also make content, and remove it at the end; elsewhere than on this machine with --label or --container',
    )
    .option(
      '--label <text>',
      'what the titles of everything made begin with (default: atoll-verify, the time, and a random part)',
      readLabel,
    )
    .option('--container <id>', 'an existing node, below which everything is made', readId)
    .option('--journal <file>', 'where to note the records that it makes (default: a file below .atoll-verify)')
    .option('--use-term <id>', 'the term for the use of media, where none is found', readId)
    .option('--model-term <id>', 'the term for the model of nodes, where none is found', readId)
    .option('--from <paths>', 'where to begin to look for content, such as /node/5 (default: the first ids)', readPaths)
    .option(
      '--only <patterns>',
      'checks with these parts of names or these operations; * stands for any text',
      parserOf(list('<patterns>')),
    )
    .option('--list', 'print the checks with their rules, and ask nothing')
    .option(
      '--report <format=file,…>',
      'also write reports: json=FILE, junit=FILE, html=FILE',
      reportReader('json', 'junit', 'html'),
    )
    .option('--parallel <number>', 'how many checks run at a time (default: 8 on this machine, 3 elsewhere)', readCount)
    .option('--check-timeout <seconds>', 'the longest time of one check', parserOf(seconds()), 60)
    .addOption(
      new Option('--fail-on <severity>', 'end with 1 for a failure of this severity or a graver one')
        .choices(failLevels)
        .default('contract'),
    )
    .action((options: VerifyOptions) => verify(options, context));
  // `verify clean` has an option of the same name, and `--list` asks no target.
  for (const option of command.options) if (option.long === '--target') option.mandatory = false;
  addVerifyClean(command, context);
};

const readId = digitsParser(/^[1-9]\d{0,9}$/, 'An id is a whole number above 0.');
const readCount = digitsParser(/^[1-9]\d?$/, 'A whole number from 1 to 99 is wanted.');

const readLabel = (text: string): string => {
  if (/^[\w .:-]{8,80}$/.test(text) && text.trim() === text) return text;
  throw new InvalidArgumentError('A label has 8 to 80 letters, digits, spaces or any of . : _ -');
};

const readPaths = (text: string): readonly string[] =>
  entriesOf(text).map((path) => {
    if (/^(https?:\/\/[^/]+.*)?\/(node|media)\/\d+$/.test(path)) return path;
    throw new InvalidArgumentError(`"${path}" is not a path such as /node/5 or /media/7.`);
  });

const verify = async (options: VerifyOptions, context: CommandContext): Promise<void> => {
  if (options.list === true) return listChecks(options, context);
  const target = checkedTarget(options);
  const opened = await openTarget({ ...options, target }, context);
  await writeReportFiles(options.report);
  const stop = new AbortController();
  let journal: string | undefined;
  stopOnSignal(stop, { target, journalOf: () => journal }, context);
  const { verifyTarget } = await import('../../checks/checks.ts');
  const { only, from, parallel, checkTimeout } = options;
  const verified = await verifyTarget({
    ...{ opened, only, from, parallel, checkMs: checkTimeout * 1000, signal: stop.signal },
    writing: options.allowWrites === true ? writingOf(options) : undefined,
    onResult: progressOf(context),
    onJournal: ({ file }) => (journal = file),
  });
  context.progress('');
  context.print(verified.toText());
  const reports = {
    json: () => verified.toJson(),
    junit: () => verified.toJunit(),
    html: () => verified.toHtml(),
  };
  await writeReportFiles(options.report, (format) => reports[format]());
  const code = exitCodeOf(verified, options.failOn);
  if (code !== exitCodes.ok) context.exit(code);
};

const writingOf = ({ label, container, journal, useTerm, modelTerm }: VerifyOptions) => ({
  ...{ label, container, journal, useTerm, modelTerm },
});

/** Throws `ConfigurationError` for options that contradict each other. */
const checkedTarget = (options: VerifyOptions): string => {
  const { target, readOnly, allowWrites, label, container } = options;
  if (target === undefined) throw new ConfigurationError('Name the server with --target URL, or set ATOLL_TARGET.');
  if (readOnly === true && allowWrites === true)
    throw new ConfigurationError('--read-only and --allow-writes contradict each other. Leave out one of them.');
  const writing = Object.entries(writingOf(options)).find(([, value]) => value !== undefined)?.[0];
  if (allowWrites !== true && writing !== undefined) {
    const option = writing.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    throw new ConfigurationError(`--${option} is for a run that writes. Add --allow-writes.`);
  }
  if (allowWrites === true && !isLoopbackUrl(target) && label === undefined && container === undefined) {
    throw new ConfigurationError(
      `${target} is not on this machine. To write there, also mark the records that it makes with --label, or a node for it with --container.`,
    );
  }
  return target;
};

const listChecks = async (options: VerifyOptions, context: CommandContext): Promise<void> => {
  const opened = await openTarget({ ...options, target: options.target ?? 'http://localhost' }, context);
  const { contractChecks } = await import('../../checks/checks.ts');
  const checks = contractChecks(opened.contract, options.only);
  for (const { name, severity, isWriting, rule, source } of checks)
    context.print(`${name} (${severity}${isWriting ? ', writes' : ''})\n    ${rule} [${source}]`);
  context.print(counted(checks.length, 'check'));
};

const progressOf = (context: CommandContext): ((result: CheckResult) => void) => {
  let done = 0;
  let failed = 0;
  return ({ verdict }) => {
    done += 1;
    if (verdict === 'failed' || verdict === 'error') failed += 1;
    context.progress(`${done} checks, ${failed} failed`);
  };
};

/** The first signal ends the run and lets it remove what it made. The second one ends the process. */
const stopOnSignal = (
  stop: AbortController,
  { target, journalOf }: { readonly target: string; readonly journalOf: () => string | undefined },
  context: CommandContext,
): void => {
  context.onStop(
    () => {
      const end = journalOf() === undefined ? '' : ' It removes its records first; once more ends at once.';
      context.warn(`atoll: the run ends.${end}`);
      stop.abort();
    },
    () => {
      const journal = journalOf();
      if (journal !== undefined)
        context.warn(`atoll: remove the rest with: atoll verify clean --target ${target} --journal ${journal}`);
      context.exit(interruptedCode);
    },
  );
};

const exitCodeOf = (verified: Verification, level: FailLevel): number => {
  if (verified.gone !== undefined) return exitCodes.targetUnreachable;
  if (verified.isInterrupted) return interruptedCode;
  const isClean = (verified.removal?.left.length ?? 0) === 0;
  return verified.failures(level).length === 0 && isClean ? exitCodes.ok : exitCodes.findings;
};
