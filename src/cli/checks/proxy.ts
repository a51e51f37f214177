/** `atoll proxy`: sits between a client and a server, and shows what of both breaks the contract. */
import { InvalidArgumentError, type Command } from 'commander';
import { counted } from '../../basics/counted.ts';
import { rewritables, type Rewritable } from '../../checks/checks-choices.ts';
import type { BrokenReply, Proxy } from '../../checks/checks-proxy.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { CommandContext } from '../command-context.ts';
import { readControlToken } from '../options/secret-files.ts';
import { exitCodes, exitInOrder } from '../exit-codes.ts';
import { namedDocument } from '../../server/server-application.ts';
import { checkedDocumentOption, numberParser, parserOf } from '../options/option-parsers.ts';
import { importSourceOf } from '../options/drupal-options.ts';
import { addOptions, readOptions, refuseContradictions } from '../options/start-options.ts';
import { limitsOf } from '../options/limit-options.ts';
import { readRewritables, withContract, withTarget, type TargetOptions } from './target-options.ts';
import { list } from '../../basics/options/option-kinds.ts';
import { port } from '../../server/server.ts';

type Options = Omit<TargetOptions, 'accounts' | 'as'> & {
  readonly document?: string[];
  readonly port: number;
  readonly host: string;
  readonly baseUrl?: string;
  readonly allowedHosts?: string[];
  readonly controlOrigins?: string[];
  readonly fail?: boolean;
  readonly rewrite?: Rewritable[];
  readonly forwarded?: boolean;
  readonly keep: number;
  readonly record?: string;
  readonly redact?: string;
  readonly traffic: number;
  readonly json?: boolean;
};

/** How long open exchanges may take after the first signal. */
const drainMs = 30_000;

const kibibyte = 1024;

export const addProxy = (program: Command, context: CommandContext): void => {
  const command = program
    .command('proxy')
    .description('Stand between a client and a server, and check both against the contract.');
  addOptions(addListening(withContract(withTarget(command))), ['traffic'])
    .addOption(checkedDocumentOption())
    .option('--fail', 'answer 502 with the rule where a reply of the server breaks the contract; end with 1 then')
    .option(
      '--rewrite <what>',
      `lead clients back to the proxy: ${rewritables.join(', ')}, comma-separated (default: bytes pass as they are)`,
      readRewritables,
    )
    .option('--forwarded', 'tell the server of the client: X-Forwarded-For, X-Forwarded-Host, X-Forwarded-Proto')
    .option(
      '--keep <kib>',
      'how much of each body is kept while it passes, in KiB; a longer JSON body is not checked',
      readKibibytes,
      kibibyte,
    )
    .option('--record <dir>', 'record the exchanges in this directory, without secrets')
    .option('--redact <file>', 'with --record: further rules for what is removed, in YAML')
    .option('--json', 'print one line of JSON when ready')
    .action((options: Options) => {
      refuseContradictions(command);
      return proxy(options, command, context);
    });
};

const tokenOptions = ['controlToken', 'controlTokenFile'] as const;

/** The options that say where the proxy listens, and which clients it answers. */
const addListening = (command: Command): Command =>
  addOptions(command, [...tokenOptions, 'controlOrigins'])
    .option('--port <number>', 'the port to listen on; 0 takes any free one', parserOf(port), 8001)
    .option('--host <host>', 'the host to listen on', 'localhost')
    .option('--base-url <url>', 'how clients reach the proxy (default: http://localhost:PORT)', readBaseUrl)
    .option(
      '--allowed-hosts <names>',
      'host names that are answered besides localhost, comma-separated',
      parserOf(list('<names>')),
    );

const readKibibytes = numberParser(
  (number) => Number.isInteger(number) && number >= 1 && number <= 65_536,
  'KiB are a whole number from 1 to 65536.',
);

const readBaseUrl = (text: string): string => {
  if (/^https?:\/\/[^/?#\s]+\/?$/.test(text) && URL.canParse(text)) return text.replace(/\/$/, '');
  throw new InvalidArgumentError('The base URL of a proxy is scheme, host and port, without a path.');
};

const proxy = async (options: Options, command: Command, context: CommandContext): Promise<void> => {
  if (options.redact !== undefined && options.record === undefined) {
    throw new ConfigurationError('--redact goes with --record. Add it.');
  }
  const [{ startProxy }, { readRules }] = await Promise.all([
    import('../../checks/checks-proxy.ts'),
    import('../../exchange/exchange-files.ts'),
  ]);
  const { target, document, host, port, baseUrl, allowedHosts, controlOrigins, rewrite, forwarded } = options;
  const rules = options.redact === undefined ? undefined : await readRules(options.redact);
  const started = await startProxy({
    ...{
      root: context.root,
      prepared: context.prepared,
      site: options.site,
      drupalConfig: importSourceOf(options, context.rim),
    },
    documents: document?.map(namedDocument),
    ...{ target, ...(await limitsOf(options)), host, port, baseUrl, allowedHosts, controlOrigins },
    controlToken: await readControlToken(readOptions(command, 'serve', context.environment, tokenOptions)),
    ...{ fails: options.fail, rewrite, forwarded, keptBytes: options.keep * kibibyte, traffic: options.traffic },
    record: options.record === undefined ? undefined : { directory: options.record, rules },
    onBroken: tellOnce((broken: BrokenReply) => brokenLines(broken), context),
    onFailure: tellOnce((message: string) => message, context),
    warn: context.warn,
  });
  // Before the ready line: a script that reads it may stop the proxy at once.
  stopInOrder(started, options, context);
  context.print(
    options.json === true ? JSON.stringify({ ready: true, url: started.url, target }) : table(started, target),
  );
};

/** The rules of a reply, each on a line. */
const brokenLines = ({ method, path, operation, status, rules }: BrokenReply): string =>
  [
    `${method} ${path}: the ${status} of ${operation} breaks the contract`,
    ...rules.map(({ pointer, message, rule, document }) => {
      const place = document === undefined ? '' : `  [${document.file ?? 'openapi.yaml'}:${document.line}]`;
      return `  ${pointer} ${message} (${rule})${place}`;
    }),
  ].join('\n');

/** The most different lines that are printed. The rest is in the traffic. */
const mostLines = 200;

/** Tells each text once, with the digits of addresses left out of the comparison. */
const tellOnce = <T>(textOf: (value: T) => string, { warn }: CommandContext): ((value: T) => void) => {
  const printed = new Set<string>();
  return (value) => {
    const text = textOf(value);
    const key = text.replace(/\d+/g, '#');
    if (printed.has(key) || printed.size >= mostLines) return;
    printed.add(key);
    warn(printed.size === mostLines ? `${text}\nFurther lines are in the traffic: atoll traffic` : text);
  };
};

const table = ({ url }: Proxy, target: string): string =>
  [`Proxy\n    ${url}`, `Target\n    ${target}`, `Console\n    ${url}/_atoll/`, 'Ready'].join('\n');

const stopInOrder = (started: Proxy, { fail }: Options, context: CommandContext): void => {
  const codeOf = (): number => (fail === true && started.counts().broken > 0 ? exitCodes.findings : exitCodes.ok);
  exitInOrder(context, {
    end: async () => {
      await started.stop(drainMs);
      const { broken, failed } = started.counts();
      context.warn(
        `${counted(broken, 'reply', 'replies')} broke the contract, ${counted(failed, 'request')} got no answer.`,
      );
      return codeOf();
    },
    codeNow: codeOf,
    onError: (error) => context.warn(`atoll: the end was not orderly: ${String(error)}`),
  });
};
