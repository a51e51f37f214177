/** Whether a fault is for a request, and whether its turn has come. What it does then is not known here. */
import type { PlainRequest } from '../engine/exchange.ts';
import type { Operation } from '../document/operation.ts';
import type { FaultRule } from './fault.ts';

export type Matcher = {
  /** Whether the request is one of those that the rule is for. `asked`: the names in its `Atoll-Fault` header. */
  matches(request: PlainRequest, operation: Operation | undefined, asked: readonly string[]): boolean;
  /** Takes one turn; whether the fault strikes. */
  strikes(): boolean;
  /** How often it has struck. */
  struck(): number;
};

/** The state of one rule: how many have come by, how many were struck. */
export const createMatcher = (rule: FaultRule, chance: () => number): Matcher => {
  const isPath = rule.path === undefined ? undefined : pathTest(rule.path);
  let spared = 0;
  let struck = 0;
  return {
    matches: (request, operation, asked) =>
      (rule.header === undefined || asked.includes(rule.header)) &&
      (rule.operations === undefined || (operation !== undefined && rule.operations.includes(operation.id))) &&
      (rule.method === undefined || rule.method === request.method) &&
      (isPath === undefined || isPath(request.path)),
    strikes: () => {
      if (spared < rule.after) {
        spared += 1;
        return false;
      }
      if (struck >= (rule.count ?? Number.POSITIVE_INFINITY)) return false;
      // Drawn even where it is certain, so that a rate changes nothing of what is drawn later.
      if (chance() >= rule.rate) return false;
      struck += 1;
      return true;
    },
    struck: () => struck,
  };
};

/** Segments are compared as they come, undecoded; `*` and `{name}` stand for one, `**` at the end for all that follow. */
const pathTest = (pattern: string): ((path: string) => boolean) => {
  const takesRest = pattern.endsWith('/**');
  const wanted = (takesRest ? pattern.slice(0, -3) : pattern).split('/');
  return (path) => {
    const segments = path.split('/');
    const isLong = takesRest ? segments.length > wanted.length : segments.length === wanted.length;
    return isLong && wanted.every((part, index) => isWild(part) || part === segments[index]);
  };
};

const isWild = (part: string): boolean => part === '*' || /^\{[^{}]+\}$/.test(part);
