/** Finds faults by their names and reads the values of their parameters. `transport-faults.ts` defines those of any network; an application has others. */
import type { FaultKind, Parameter, Values } from './fault.ts';
import { transportFaults } from './transport-faults.ts';
import { unprocessable } from '../../openapi/openapi-terms.ts';

/** Every fault, those of the application first. Each has a section of its name in `docs/use/faults.md`. */
export const faultCatalogue = (ofApplication: readonly FaultKind[]): readonly FaultKind[] => [
  ...ofApplication,
  ...transportFaults,
];

/** Throws 422 with the known names when there is no such fault. */
export const findFault = (catalogue: readonly FaultKind[], name: string): FaultKind => {
  const kind = catalogue.find((candidate) => candidate.name === name);
  if (kind !== undefined) return kind;
  const names = catalogue.map((known) => known.name).join(', ');
  throw unprocessable(`There is no fault "${name}". There are ${names}.`);
};

/**
 * Checks the parameter values given for a fault and adds the fault's defaults. Throws 422 with the name of a wrong
 * parameter.
 */
export const readValues = (kind: FaultKind, values: Values): Values => {
  const unknown = Object.keys(values).find((name) => !Object.hasOwn(kind.parameters, name));
  if (unknown !== undefined) {
    const names = Object.keys(kind.parameters).join(', ');
    throw unprocessable(`${kind.name} has no parameter "${unknown}". It has ${names === '' ? 'none' : names}.`);
  }
  return Object.fromEntries(
    Object.entries(kind.parameters).map(([name, parameter]) => {
      const value = values[name] ?? parameter.default;
      return [name, value === undefined ? undefined : readValue(`${kind.name}: ${name}`, parameter, value)];
    }),
  );
};

/** Converts text to a number where needed, because headers and command lines contain only text. */
const readValue = (where: string, parameter: Parameter, value: number | string): number | string => {
  if (parameter.type === 'number') {
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && number >= parameter.minimum && number <= parameter.maximum) return number;
    throw unprocessable(`${where} is a number from ${parameter.minimum} to ${parameter.maximum}.`);
  }
  const text = String(value);
  if (parameter.choices === undefined || parameter.choices.includes(text)) return text;
  throw unprocessable(`${where} is one of ${parameter.choices.join(', ')}.`);
};
