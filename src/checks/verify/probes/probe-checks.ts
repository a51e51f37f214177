/** Makes checks of probes: each is taken with the target and with an Atoll of the same configuration, and their answers are compared. */
import { areEqual } from '../../../basics/equal-values.ts';
import { isRecord, parsedJson } from '../../../basics/json.ts';
import { headerValue, keptText, type WireReply } from '../../../exchange/exchange.ts';
import { compareReplies } from '../../compare/compare.ts';
import type { Difference, Side } from '../../compare/difference.ts';
import { noteTimes } from '../../compare/equal-values.ts';
import { learnAliases, learnMade } from '../../compare/learn.ts';
import { splitText } from '../../compare/tokens.ts';
import { matchesPlace } from '../../compare/json-paths.ts';
import { refusal } from '../../differences/on-purpose.ts';
import type { TargetContract } from '../../target/contract-source.ts';
import { CheckFailure, CheckSkip, shown } from '../answer.ts';
import type { Check, CheckContext, Reference } from '../check.ts';
import { beginDialogue, type Dialogue, type Taken } from './dialogue.ts';
import type { Step } from '../../target/probe-files.ts';
import { probesFor, type Probe } from './expand.ts';

export const probeChecks = (contract: TargetContract): readonly Check[] =>
  probesFor(contract, contract.probes).map((probe) => {
    const { name, shows: rule, source, severity, operations, isExclusive } = probe;
    return {
      ...{ name, rule, source, severity, operations, isExclusive, isWriting: true },
      run: (context) => runProbe(probe, context),
    };
  });

/** `onPurpose`: the question of the deliberate difference that explains it. */
type Found = {
  readonly asked: string;
  readonly difference: Difference;
  readonly onPurpose: string | undefined;
};

/** Throws `CheckFailure` for a difference that nothing explains, and `CheckSkip` where a row explains all of them. */
const runProbe = async (probe: Probe, context: CheckContext): Promise<void> => {
  const reference = await context.reference();
  const found: Found[] = [];
  const reasons: string[] = [];
  const names = probe.isForEachAccount ? context.accounts.map(({ name }) => name) : [undefined];
  for (const name of names) {
    try {
      await takeWithBoth(probe, { context, reference, found }, name);
    } catch (error) {
      if (!(error instanceof CheckSkip)) throw error;
      reasons.push(error.message);
    }
  }
  const unexplained = found.filter(({ onPurpose }) => onPurpose === undefined);
  if (unexplained.length > 0) throw new CheckFailure(unexplained.slice(0, mostShown).map(sentenceOf).join('\n'));
  if (reasons.length === names.length) throw new CheckSkip([...new Set(reasons)].join(' '));
  const questions = new Set(found.flatMap(({ onPurpose = [] }) => onPurpose));
  if (questions.size > 0) throw new CheckSkip(`A real site differs on purpose: ${[...questions].join('; ')}.`);
};

const mostShown = 5;

/** `found` gets each difference at once: those before a skipped step count, too. */
type Both = { readonly context: CheckContext; readonly reference: Reference; readonly found: Found[] };

const takeWithBoth = async (
  probe: Probe,
  { context, reference, found }: Both,
  name: string | undefined,
): Promise<void> => {
  const accountIn = ({ accounts }: CheckContext) => {
    const account = accounts.find((each) => each.name === name);
    if (name === undefined || account !== undefined) return account;
    throw new CheckSkip(`The roles of ${name} are not known.`);
  };
  const target = beginDialogue(probe, context, accountIn(context));
  const atoll = beginDialogue(probe, reference.context, accountIn(reference.context));
  const skipped: CheckSkip[] = [];
  for (const step of probe.steps) {
    const taken = await takeStep(step, { target, atoll }).catch((error: unknown) => {
      // A site without tokens takes the other ways to authenticate all the same.
      if (!(error instanceof CheckSkip) || step.by === undefined) throw error;
      skipped.push(error);
    });
    if (taken === undefined) continue;
    const [theirs, ours] = taken;
    const { request } = theirs.answer.exchange;
    learnFrom({ target: theirs, atoll: ours }, reference);
    const explained = context.explain({ request, target: theirs.reply, atoll: ours.reply, operation: '' });
    const who = step.as === 'the account' ? (name ?? '') : step.as;
    const asked = `${request.method} ${request.path} as ${who}`;
    const differences = differencesIn(step, { target: theirs, atoll: ours }, reference);
    found.push(...differences.map((difference) => ({ asked, difference, onPurpose: explained(difference) })));
    // What follows presumes that both have done it, or none.
    if (theirs.reply.status < 400 !== ours.reply.status < 400) break;
  }
  const [first] = skipped;
  if (first !== undefined && skipped.length === probe.steps.length) throw first;
};

const takeStep = async (step: Step, { target, atoll }: Readonly<Record<Side, Dialogue>>) => {
  const theirs = await target.take(step);
  const ours = await atoll.take(step).catch((error: unknown) => {
    // The target is not to blame for it.
    throw error instanceof CheckFailure
      ? new CheckSkip(`Atoll itself could not take it: ${error.message}`, { cause: error })
      : error;
  });
  return [theirs, ours] as const;
};

/** What both were sent, they must show as it was. What both have made stands for each other. */
const learnFrom = ({ target, atoll }: Readonly<Record<Side, Taken>>, { comparison }: Reference): void => {
  const { request } = target.answer.exchange;
  const ours = keptText(atoll.answer.exchange.request.body);
  for (const { kind, text } of splitText(keptText(request.body)).tokens.filter((token) => ours.includes(token.text))) {
    if (kind === 'uuid') comparison.pairs.learn({ kind, target: text, atoll: text });
    if (kind === 'time') noteTimes(text, comparison);
  }
  const replies = { target: target.reply, atoll: atoll.reply };
  learnMade(replies, comparison);
  learnAliases(request, target.reply, comparison);
};

const differencesIn = (step: Step, taken: Readonly<Record<Side, Taken>>, { comparison }: Reference): Difference[] => {
  const { target, atoll } = { target: taken.target.reply, atoll: taken.atoll.reply };
  const { method } = taken.target.answer.exchange.request;
  const compared = compareReplies(method, { target, atoll }, comparison);
  const matters = ({ place }: Difference): boolean =>
    place === '/status' || step.matters.some((wanted) => matchesPlace(wanted, place) || wanted.startsWith(`${place}/`));
  const changes = { target: taken.target.changes, atoll: taken.atoll.changes };
  const unchanged = { target: taken.target.isUnchanged, atoll: taken.atoll.isUnchanged };
  return [
    ...compared.filter(matters),
    ...(target.status === atoll.status && method !== 'HEAD' ? refusalDifferences({ target, atoll }) : []),
    ...(step.matters.includes('/unchanged') && unchanged.target !== unchanged.atoll
      ? [{ place: '/unchanged', ...unchanged }]
      : []),
    ...(step.matters.includes('/changes') && !areEqual(changes.target, changes.atoll)
      ? [{ place: '/changes', ...changes }]
      : []),
  ];
};

/** A refusal of Atoll with a message has one at the target too, and a challenge the same scheme. The words may be others. */
const refusalDifferences = ({ target, atoll }: Readonly<Record<Side, WireReply>>): Difference[] => {
  if (atoll.status < 400) return [];
  const [theirs, ours] = [target, atoll].map(({ body }) => parsedJson(keptText(body)));
  const [message, wanted] = [theirs, ours].map((json) => (isRecord(json) ? json['message'] : undefined));
  const isMissing = typeof wanted === 'string' && (typeof message !== 'string' || (message === '' && wanted !== ''));
  const scheme = ({ headers }: WireReply): string | undefined =>
    headerValue(headers, 'www-authenticate')?.split(/[ =]/, 2).join(' ').toLowerCase();
  return [
    ...(isMissing && isRecord(theirs) ? [{ place: '/body/message', target: message, atoll: wanted }] : []),
    ...(isMissing && !isRecord(theirs) ? [{ place: '/body', target: keptText(target.body), atoll: refusal }] : []),
    ...(scheme(target) === scheme(atoll)
      ? []
      : [{ place: '/headers/WWW-Authenticate', target: scheme(target), atoll: scheme(atoll) }]),
  ];
};

const sentenceOf = ({ asked, difference: { place, target, atoll } }: Found): string => {
  if (place === '/status') return `${asked} answered ${shown(target)} in place of ${shown(atoll)}.`;
  if (place === '/unchanged')
    return `${asked}: the record is ${atoll === true ? 'another one' : 'as it was'} after it.`;
  if (place === '/changes') return `${asked}: ${shown(target)} has changed in place of ${shown(atoll)}.`;
  return `${asked} has ${shown(target)} at ${place} in place of ${shown(atoll)}.`;
};
