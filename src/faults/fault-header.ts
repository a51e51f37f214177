/** How a request asks for faults by its own header: `Atoll-Fault: slow, latency;ms=200`. What they do is not known here. */
import { Problem } from '../problem.ts';
import type { Values } from './fault.ts';

/** The header by which a request asks for faults, and by which a reply that was struck says so. */
export const faultHeader = 'Atoll-Fault';

/** The same as it stands among the headers of a request. */
export const faultHeaderKey = 'atoll-fault';

/** A fault that is asked for: its name, and values as text. */
export type AskedFault = { readonly name: string; readonly values: Values };

/** Names between commas, each with values after semicolons. Throws 400 for what is not of that form. */
export const readFaultHeader = (header: string | undefined): AskedFault[] =>
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
