/** `verify_target`: runs the checks of the contract against a server, reading only. */
import { isLoopbackUrl } from '../../basics/formats/loopback.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { list, optional, structure, table, text, whole } from '../shape.ts';
import { dataNotice, notice, defineTool } from '../tool.ts';
import { type Call, refuseRemote } from '../session/session.ts';
import { ToolRefusal } from '../tool-refusal.ts';
import { inBrief } from '../sandbox/answer-text.ts';
import { worldName } from '../sandbox/sandbox-request.ts';

export const verifyTarget = defineTool({
  name: 'verify_target',
  title: 'Verify a server',
  description:
    'Runs the checks of the contract against a server, or a world of this one, and reports those that fail. It reads only; `atoll verify --allow-writes` checks writes. All checks take up to a minute, so name some with "only".',
  hints: { readOnly: true, openWorld: true },
  input: structure({
    target: optional(
      text('The base URL of a server on this machine. The world when left out.', {
        pattern: '^https?://',
        maxLength: 500,
      }),
    ),
    world: optional(worldName),
    only: optional(
      list(text('A part of the name of checks, or the id of an operation.'), 'Only these checks.', { minItems: 1 }),
    ),
  }),
  output: structure({
    target: text('What was checked.'),
    requests: whole('How many requests were sent.'),
    counts: table(whole('How many checks.'), 'passed, failed, skipped, error, total.'),
    notice,
    data: list(
      structure({
        check: text('The name of the check.'),
        verdict: text('failed or error.'),
        rule: text('The rule in one sentence.'),
        source: text('Where the rule comes from.'),
        message: text('The finding.'),
        curl: optional(text('A request that shows it.')),
      }),
      'The checks that did not pass and were not skipped.',
    ),
  }),
  long: 'data',
  run: async ({ target: named, world, only }, call) => {
    const target = (named ?? (await call.world(world)).url).replace(/\/+$/, '');
    refuseRemote(target, call.options);
    const { counts, requests, results, gone } = await verified(target, only, call);
    if (gone !== undefined) throw new ToolRefusal(gone.message, 'Start the server, then call again.', { cause: gone });
    const failures = results.filter(({ verdict }) => verdict === 'failed' || verdict === 'error');
    return {
      ...{ target, requests, counts: { ...counts }, notice: dataNotice('data') },
      data: failures.map(({ check, verdict, message = '', broken, exchanges }) => {
        const { curl } = exchanges.at(-1) ?? {};
        const [first] = broken;
        return {
          ...{ check: check.name, verdict, rule: check.rule, source: check.source },
          message: inBrief(
            message === '' && first !== undefined ? `${first.request}: ${first.pointer} ${first.message}` : message,
          ),
          curl: curl && inBrief(curl, 500),
        };
      }),
    };
  },
});

/** Loaded here, because no other tool needs the checks. */
const verified = async (target: string, only: readonly string[] | undefined, { options, signal }: Call) => {
  const checks = await import('../../checks/checks.ts');
  const { locations, environment } = options;
  const perSecond = isLoopbackUrl(target) ? undefined : 5;
  const opened = await checks.readTarget({ target, locations, environment, perSecond });
  const run = await checks.verifyTarget({ opened, only, signal }).catch((error: unknown) => {
    const remedy = 'The pages below atoll://rules name the checks. Leave out "only" for all.';
    throw only !== undefined && error instanceof ConfigurationError ? new ToolRefusal(error.message, remedy) : error;
  });
  signal.throwIfAborted();
  return { ...run, results: JSON.parse(opened.redaction.text(JSON.stringify(run.results))) as typeof run.results };
};
