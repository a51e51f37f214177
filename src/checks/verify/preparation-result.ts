/** Tells the preparation of a writing run as the result of a check: what the target did not take, and what broke the document. */
import type { Asking, AskingParts } from './asking.ts';
import type { Check } from './check.ts';
import type { CheckResult } from './check-result.ts';
import { showBroken } from './reports/shown-broken.ts';
import { showExchange } from './reports/shown-exchange.ts';

export const preparationResult = (asking: Asking, failures: readonly string[], parts: AskingParts): CheckResult => {
  const { broken } = asking;
  const hasFailed = failures.length > 0 || broken.length > 0;
  const message =
    failures.length > 0 ? failures.join('\n') : broken.length > 0 ? 'An answer breaks the document.' : undefined;
  return {
    check: {
      name: 'run.preparation',
      rule: 'Nodes and media of every kind can be made, and read by whoever made them.',
      source: 'contract: Nodes, Create; Upload',
      severity: 'contract',
      operations: ['createNode', 'putNodeMedia'],
      isWriting: true,
    },
    verdict: hasFailed ? 'failed' : 'passed',
    severity: 'contract',
    message: message === undefined ? undefined : parts.redaction.text(message),
    broken: broken.map((one) => showBroken(one, parts.redaction)),
    exchanges: hasFailed ? asking.exchanges.map((exchange) => showExchange(exchange, { parts })) : [],
    durationMs: 0,
  };
};

/** A check that was not begun. */
export const skippedResult = (check: Check, message: string): CheckResult => ({
  ...{ check, verdict: 'skipped', severity: check.severity, message },
  ...{ broken: [], exchanges: [], durationMs: 0 },
});
