/** `atoll recording`: shows a recording, writes it as an HTTP Archive, and makes one out of such an archive. */
import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { counted } from '../../basics/counted.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { readVersion } from '../../server/server.ts';
import type { CommandContext } from '../command-context.ts';

type FromHarOptions = { readonly out: string; readonly target?: string; readonly redact?: string };

export const addRecording = (program: Command, context: CommandContext): void => {
  const recording = program.command('recording').description('Work with recorded exchanges.');
  recording
    .command('show <dir>')
    .description('Check a recording, and list its exchanges.')
    .action((directory: string) => show(directory, context));
  recording
    .command('har <dir>')
    .description('Write a recording as an HTTP Archive.')
    .option('--out <file>', 'the file (default: standard output)')
    .action((directory: string, { out }: { readonly out?: string }) => writeHar(directory, out, context));
  recording
    .command('from-har <file>')
    .description('Make a recording out of an HTTP Archive, without its secrets.')
    .requiredOption('--out <dir>', 'a new directory, or an earlier recording of the same target')
    .option('--target <url>', 'the base URL whose requests are taken (default: the origin with the most requests)')
    .option('--redact <file>', 'further rules for what is removed, in YAML')
    .action((file: string, options: FromHarOptions) => fromHar(file, options, context));
};

const show = async (directory: string, context: CommandContext): Promise<void> => {
  const { readRecording } = await import('../../exchange/exchange-files.ts');
  const { exchanges, target, begun } = await readRecording(directory);
  context.print(`${counted(exchanges.length, 'exchange')} of ${target}, begun ${begun}`);
  for (const { number, account, request, reply } of exchanges) {
    const caller = account === undefined ? '' : ` as ${account}`;
    context.print(`${String(number).padStart(6)} ${reply.status} ${request.method} ${request.path}${caller}`);
  }
};

const writeHar = async (directory: string, out: string | undefined, context: CommandContext): Promise<void> => {
  const { harOfRecording, readRecording } = await import('../../exchange/exchange-files.ts');
  const recording = await readRecording(directory, { keptBytes: Number.MAX_SAFE_INTEGER });
  const text = JSON.stringify(harOfRecording(recording, await readVersion(context.root)), null, 2);
  if (out === undefined) {
    context.print(text);
    return;
  }
  await writeFile(out, `${text}\n`);
  context.print(`Wrote ${counted(recording.exchanges.length, 'exchange')} to ${out}.`);
};

const fromHar = async (file: string, options: FromHarOptions, context: CommandContext): Promise<void> => {
  const { openRecorder, readHar, readRules } = await import('../../exchange/exchange-files.ts');
  const rules = options.redact === undefined ? undefined : await readRules(options.redact);
  const { target, exchanges, elsewhere, unanswered } = await readHar(file, readTarget(options.target));
  const recorder = await openRecorder(options.out, { target, rules, by: `atoll ${await readVersion(context.root)}` });
  try {
    for (const exchange of exchanges) await recorder.add(exchange);
  } finally {
    await recorder.close();
  }
  context.print(`Recorded ${counted(exchanges.length, 'exchange')} of ${target} in ${options.out}.`);
  if (elsewhere > 0) context.print(`Left out: ${counted(elsewhere, 'request')} to other servers.`);
  if (unanswered > 0) context.print(`Left out: ${counted(unanswered, 'request')} without an answer.`);
};

const readTarget = (url: string | undefined): string | undefined => {
  if (url === undefined) return undefined;
  if (/^https?:\/\/[^/?#\s]+(\/[^?#\s]*)?$/.test(url) && URL.canParse(url)) return url.replace(/\/$/, '');
  throw new ConfigurationError(`--target ${url}: a base URL begins with http:// or https:// and has no query.`);
};
