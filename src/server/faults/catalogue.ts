/** Lists all faults and reads the values of their parameters. `service-faults.ts`, `site-faults.ts` and `transport-faults.ts` define the faults. */
import type { FaultKind, Parameter, Values } from './fault.ts';
import { serviceFaults } from './service-faults.ts';
import { siteFaults } from './site-faults.ts';
import { transportFaults } from './transport-faults.ts';
import { unprocessable } from '../../openapi/openapi-terms.ts';

/** Every fault, service faults first. Each has a section of its name in `docs/use/faults.md`. */
export const faultCatalogue: readonly FaultKind[] = [...serviceFaults, ...siteFaults, ...transportFaults];

/** Throws 422 with the known names when there is no such fault. */
export const findFault = (name: string): FaultKind => {
  const kind = faultCatalogue.find((candidate) => candidate.name === name);
  if (kind !== undefined) return kind;
  const names = faultCatalogue.map((known) => known.name).join(', ');
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
