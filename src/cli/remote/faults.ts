/** `atoll faults`: lists, adds and removes faults of a running server; prints the catalogue. */
import { InvalidArgumentError, Option } from 'commander';
import { faultCatalogue } from '../../server/faults/catalogue.ts';
import type { FaultKind, Parameter } from '../../server/faults/fault.ts';
import type { ControlSchemas as Schemas } from '../../client/control/control-types.ts';
import type { AddCommand } from '../command-context.ts';
import { group, row } from './remote-command.ts';
import { appendValue, numberParser } from '../option-parsers.ts';

type AddOptions = Omit<Schemas['FaultCreate'], 'fault' | 'operations' | 'parameters'> & {
  readonly set?: Record<string, string>;
  readonly operation?: string[];
};

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'];

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

const addCatalogue: AddCommand = (faults, context) => {
  faults
    .command('catalogue')
    .description('List the faults that there are, with their parameters.')
    .action(() => faultCatalogue.forEach((kind) => context.print(kindText(kind))));
};

export const addFaults = group('faults', 'Failures on demand: what a client does when things go wrong.', [
  row('ls', 'List the faults of a world.', 'listFaults', {
    items: ({ faults }) => faults,
    line: faultLine,
  }),
  row('add', 'Add a fault to a world and print its id.', 'addFault', {
    usage: (command) =>
      command
        .argument('<name>', 'the name of the fault in the catalogue')
        .option('--set <name=value>', 'a parameter; may be repeated', readParameter)
        .option('--operation <id>', 'only this operation; may be repeated', appendValue)
        .addOption(new Option('--method <method>', 'only this method').choices(methods))
        .option('--path <pattern>', 'only this path: /node/* for one segment, /sites/** for the rest')
        .option('--header <name>', 'only requests with "Atoll-Fault: <name>"')
        .option('--rate <share>', 'the share of requests that it applies to, 0 to 1', readNumber)
        .option('--after <number>', 'the number of requests to leave alone first', readNumber)
        .option('--count <number>', 'the number of requests that it applies to', readNumber)
        .option('--seed <text>', 'the seed of its random choices: the same seed hits the same requests'),
    input: ({ set, operation, method, path, header, rate, after, count, seed }: AddOptions, fault: string) => ({
      body: { fault, method, path, header, rate, after, count, seed, operations: operation, parameters: set },
    }),
    line: ({ id }) => id,
  }),
  row('rm', 'Remove a fault.', 'removeFault', {
    usage: (command) => command.argument('<id>', 'its id'),
    input: (_options: object, id: string) => ({ path: { fault_id: id } }),
  }),
  row('clear', 'Remove all faults of a world.', 'clearFaults'),
  addCatalogue,
]);
