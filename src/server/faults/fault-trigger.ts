/** Decides whether the rule of a fault matches a request, and whether the fault is applied to the request. */
import type { PlainRequest, HostedOperation } from '../../openapi/openapi-host.ts';
import type { RandomSource } from '../../basics/random-source.ts';
import type { FaultRule } from './fault.ts';
import type { FaultCounts } from './fault-state.ts';

export type FaultTrigger = {
  /** True when the rule matches this request. `requested` are the names in the request's `Atoll-Fault` header. */
  matches(request: PlainRequest, operation: HostedOperation | undefined, requested: readonly string[]): boolean;
  /** Counts one matching request. Returns true when the fault is to be applied to it. */
  trigger(): boolean;
  triggeredCount(): number;
};

export const createFaultTrigger = (rule: FaultRule, random: RandomSource, counts: FaultCounts): FaultTrigger => {
  const isPath = rule.path === undefined ? undefined : pathTest(rule.path);
  return {
    matches: (request, operation, requested) =>
      (rule.header === undefined || requested.includes(rule.header)) &&
      (rule.operations === undefined || (operation !== undefined && rule.operations.includes(operation.id))) &&
      (rule.method === undefined || rule.method === request.method) &&
      (isPath === undefined || isPath(request.path)),
    trigger: () => {
      const { passed, struck } = counts.sum();
      if (passed < rule.after) {
        counts.add('passed');
        return false;
      }
      if (struck >= (rule.count ?? Number.POSITIVE_INFINITY)) return false;
      // A number is drawn even at rate 1, so that the rate does not change which numbers are drawn later.
      if (random() >= rule.rate) return false;
      counts.add('struck');
      return true;
    },
    triggeredCount: () => counts.sum().struck,
  };
};

/** Compares undecoded segments. `*` and `{name}` stand for one segment, `**` at the end for all segments that follow. */
const pathTest = (pattern: string): ((path: string) => boolean) => {
  const takesRest = pattern.endsWith('/**');
  const wanted = (takesRest ? pattern.slice(0, -3) : pattern).split('/');
  return (path) => {
    const segments = path.split('/');
    const hasLength = takesRest ? segments.length > wanted.length : segments.length === wanted.length;
    return hasLength && wanted.every((part, index) => isWildcard(part) || part === segments[index]);
  };
};

const isWildcard = (part: string): boolean => part === '*' || /^\{[^{}]+\}$/.test(part);
