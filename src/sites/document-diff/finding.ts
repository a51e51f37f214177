/** What one pass over two documents finds, and how findings of both passes become changes. */
import {
  parties,
  worse,
  type ChangeKind,
  type DocumentChange,
  type JudgedParty,
  type Party,
} from './document-change.ts';
import type { DocumentReader } from './document-reader.ts';
import { answerRules } from './rules/answer-rules.ts';
import { documentRules } from './rules/document-rules.ts';
import { operationRules } from './rules/operation-rules.ts';
import type { Rule, Saying } from './rules/rule.ts';
import { schemaRules } from './rules/schema-rules.ts';

const rules = { ...operationRules, ...answerRules, ...documentRules, ...schemaRules };
export type RuleName = keyof typeof rules;

export type Place = { readonly subject: string; readonly place: string };

/** `detail` is what the sentence of the rule needs. */
export type Finding = Place & { readonly rule: RuleName; readonly detail: string };

/**
 * A pass looks for what `before` has and `after` has not. The forward pass finds what is lost from the earlier document to
 * the later one, the other one finds what is gained.
 */
export type Pass = {
  readonly before: DocumentReader;
  readonly after: DocumentReader;
  readonly isForward: boolean;
  /** Pairs of named schemas that are or have been compared, by direction: schemas may hold themselves. */
  readonly seen: { readonly sent: Set<string>; readonly received: Set<string> };
};

export const finding = (rule: RuleName, { subject, place }: Place, detail = ''): Finding => ({
  ...{ rule, subject, place, detail },
});

/** A place in another one. */
export const within = ({ subject, place }: Place, step: string): Place => ({
  subject,
  place: place === '' ? step : `${place} ${step}`,
});

/** The subject of something that both documents have: the name in the earlier one. */
export const earlier = <T>({ isForward }: Pass, before: T, after: T): T => (isForward ? before : after);

/** The worst that a pass says of clients. Nothing found harms nobody. */
export const worstForClients = (findings: readonly Finding[]): ChangeKind =>
  findings.reduce<ChangeKind>(
    (worst, { rule }) => worse(worst, sayingOf(rule, true)?.client ?? 'harmless'),
    'harmless',
  );

/** The saying of a finding; none where the forward pass has said it already. */
const sayingOf = (name: RuleName, isForward: boolean): Saying | undefined => {
  const rule: Rule = rules[name];
  if ('altered' in rule) return isForward ? rule.altered : undefined;
  return isForward ? rule.lost : rule.gained;
};

/** Every change once: what is lost or altered, then what is gained. */
export const changesOf = (
  lost: readonly Finding[],
  gained: readonly Finding[],
  judged: JudgedParty,
): DocumentChange[] => {
  const losses = onlyOnce(lost);
  const hidden = new Set(losses.flatMap(hiddenBy));
  return [
    ...losses.flatMap((one) => changeOf(one, true, judged)),
    ...onlyOnce(gained)
      .filter((one) => !hidden.has(keyOf(one)))
      .flatMap((one) => changeOf(one, false, judged)),
  ];
};

const keyOf = ({ rule, subject, place }: Finding): string => [rule, subject, place].join('\n');

const onlyOnce = (findings: readonly Finding[]): Finding[] => [
  ...new Map(findings.map((one) => [`${keyOf(one)}\n${one.detail}`, one])).values(),
];

/** What is demanded is new as well, and what is gone is not demanded any more: that is not said twice. */
const hiddenBy = (one: Finding): string[] => {
  const rule: Rule = rules[one.rule];
  const names = 'lost' in rule ? (rule.hides ?? []) : [];
  return names.map((name) => [name, one.subject, one.place].join('\n'));
};

const changeOf = (
  { rule, subject, place, detail }: Finding,
  isForward: boolean,
  judged: JudgedParty,
): DocumentChange[] => {
  const saying = sayingOf(rule, isForward);
  if (saying === undefined) return [];
  const kinds: Readonly<Record<Party, ChangeKind>> = { client: saying.client, server: saying.server };
  const kind = judged === 'both' ? worse(kinds.client, kinds.server) : kinds[judged];
  const breaks = parties.filter((party) => kinds[party] === 'breaking');
  const change = saying.change.replace('{}', () => detail);
  return [{ kind, kinds, breaks, rule, subject, place, change, reason: saying.reason }];
};
