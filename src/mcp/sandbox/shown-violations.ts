/** Shows violations in an answer of a tool: short, and with the line of the rule. */
import type { TrafficExchange } from '../../exchange/worlds/controlled-world.ts';
import { inBrief } from './answer-text.ts';

type Violation = TrafficExchange['requestFaults'][number];

/** Of very many the first ones. */
const most = 10;

export const shownViolations = (violations: readonly Violation[]) =>
  violations.slice(0, most).map(({ rule, pointer, message, arrived, document }) => ({
    ...{ rule, pointer, message: inBrief(message) },
    ...(arrived === undefined ? {} : { arrived: inBrief(arrived, 120) }),
    ...(document === undefined ? {} : { line: document.line }),
  }));
