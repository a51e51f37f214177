/** `atoll faults`: lists, adds and removes faults of a running server, and prints the catalogue. */
import { InvalidArgumentError, Option, type Command } from 'commander';
import { faultCatalogue } from '../../faults/catalogue.ts';
import type { FaultKind, Parameter } from '../../faults/fault.ts';
import { sendCommand, withServer, type Schemas, type ServerOptions } from './server-connection.ts';
import type { CommandContext } from '../command-context.ts';
import { appendValue, numberParser } from '../option-parsers.ts';

type AddOptions = ServerOptions &
  Omit<Schemas['FaultCreate'], 'fault' | 'operations' | 'parameters'> & {
    readonly set?: Readonly<Record<string, string>>;
    readonly operation?: string[];
  };

export const addFaults = (program: Command, context: CommandContext): void => {
  const command = program.command('faults').description('Failures on demand: what a client does when things go wrong.');
  withServer(command.command('ls'))
    .description('List the faults of a world.')
    .action(async (options: ServerOptions) => {
      const { faults } = await sendCommand<Schemas['FaultList']>(options, 'GET', '/faults');
      for (const fault of faults) context.print(faultLine(fault));
    });
  addAdd(command, context);
  withServer(command.command('rm'))
    .description('Remove a fault.')
    .argument('<id>', 'its id')
    .action((id: string, options: ServerOptions) =>
      sendCommand(options, 'DELETE', `/faults/${encodeURIComponent(id)}`),
    );
  withServer(command.command('clear'))
    .description('Remove all faults of a world.')
    .action((options: ServerOptions) => sendCommand(options, 'DELETE', '/faults'));
  command
    .command('catalogue')
    .description('Print which faults there are, and their parameters.')
    .action(() => {
      for (const kind of faultCatalogue) context.print(kindText(kind));
    });
};

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'];

const addAdd = (command: Command, context: CommandContext): void => {
  withServer(command.command('add'))
    .description('Add a fault to a world and print its id.')
    .argument('<name>', 'its name in the catalogue')
    .option('--set <name=value>', 'a parameter; may be repeated', readParameter)
    .option('--operation <id>', 'an operation that it is for; may be repeated', appendValue)
    .addOption(new Option('--method <method>', 'only this method').choices(methods))
    .option('--path <pattern>', 'only this path: /node/* for one segment, /sites/** for the rest')
    .option('--header <name>', 'only requests with "Atoll-Fault: <name>"')
    .option('--rate <share>', 'the share of requests that it applies to, 0 to 1', readNumber)
    .option('--after <number>', 'so many requests are spared first', readNumber)
    .option('--count <number>', 'it applies to so many requests, then no more', readNumber)
    .option('--seed <text>', 'of its random choices: the same seed, the same requests')
    .action(async (name: string, { set, operation, url, controlToken, ...rule }: AddOptions) => {
      const fault = { fault: name, ...rule, operations: operation, parameters: set };
      const server: ServerOptions = { url, ...(controlToken === undefined ? {} : { controlToken }) };
      const { id } = await sendCommand<Schemas['FaultCreated']>(server, 'POST', '/faults', fault);
      context.print(id);
    });
};

const readParameter = (text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> => {
  const equals = text.indexOf('=');
  if (equals < 1) throw new InvalidArgumentError('A parameter is name=value.');
  return { ...before, [text.slice(0, equals)]: text.slice(equals + 1) };
};

const readNumber = numberParser(Number.isFinite, 'A number is wanted.');

const faultLine = ({ id, fault, parameters, struck, ...rule }: Schemas['Fault']): string => {
  const values = Object.entries({ ...parameters, ...rule }).map(([name, value]) => `${name}=${String(value)}`);
  return `${id.padStart(4)}  ${fault}  ${values.join(' ')}  (has struck ${struck} times)`;
};

const kindText = ({ name, summary, source, parameters }: FaultKind): string =>
  [name, `    ${summary}`, `    Source: ${source}`, ...Object.entries(parameters).map(parameterLine)].join('\n');

const parameterLine = ([name, parameter]: readonly [string, Parameter]): string => {
  const values =
    parameter.type === 'number' ? `${parameter.minimum} to ${parameter.maximum}` : parameter.choices?.join(', ');
  const notes = [values, parameter.default === undefined ? undefined : `default ${parameter.default}`];
  const noted = notes.filter((note) => note !== undefined).join('; ');
  return `    --set ${name}=…  ${parameter.summary}${noted === '' ? '' : ` (${noted})`}`;
};
