/** Reads the header by which a request asks for faults: `Atoll-Fault: slow, latency;ms=200`. */
import { faultHeader } from '../../core/model/fault-header-name.ts';
import { Problem } from '../../core/problem.ts';
import type { Values } from './fault.ts';

/** A fault that a request asks for. Its values are still text. */
export type RequestedFault = { readonly name: string; readonly values: Values };

/** Commas separate faults, and semicolons separate a fault's name and values. Throws 400 for another form. */
export const readFaultHeader = (header: string | undefined): RequestedFault[] =>
  (header ?? '')
    .split(',')
    .map((item) => item.split(';').map((part) => part.trim()))
    .flatMap(([name = '', ...pairs]) => (name === '' ? [] : [{ name, values: readPairs(pairs) }]));

const readPairs = (pairs: readonly string[]): Values =>
  Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf('=');
      if (equals < 1) throw new Problem(400, `${faultHeader}: "${pair}" is not of the form name=value.`);
      return [pair.slice(0, equals).trim(), pair.slice(equals + 1).trim()];
    }),
  );
