/** `atoll faults catalogue`: prints the faults that there are, without a server. */
import { faultCatalogue, type FaultKind } from '../../server/server.ts';
import type { AddCommand } from '../command-context.ts';
import { groupNamed } from './control-commands.ts';

export const addFaultCatalogue: AddCommand = (program, context) => {
  groupNamed(program, 'faults')
    .command('catalogue')
    .description('List the faults that there are, with their parameters.')
    .action(async () => {
      const { repository } = context.rim;
      const ofRepository = repository === undefined ? [] : await (await repository()).loadFaults();
      for (const kind of faultCatalogue(ofRepository)) context.print(kindText(kind));
    });
};

const kindText = ({ name, summary, source, parameters }: FaultKind): string =>
  [name, `    ${summary}`, `    Source: ${source}`, ...Object.entries(parameters).map(parameterLine)].join('\n');

const parameterLine = ([name, parameter]: readonly [string, FaultKind['parameters'][string]]): string => {
  const values =
    parameter.type === 'number' ? `${parameter.minimum} to ${parameter.maximum}` : parameter.choices?.join(', ');
  const notes = [values, parameter.default === undefined ? undefined : `default ${parameter.default}`];
  const noted = notes.filter((note) => note !== undefined).join('; ');
  return `    --set ${name}=…  ${parameter.summary}${noted === '' ? '' : ` (${noted})`}`;
};
