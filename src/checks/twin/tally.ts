/** Counts what the twin finds. Differences of one kind are one finding with a few examples, so that a long run needs no more memory. */
import {
  type AnsweredTwice,
  type Difference,
  type DifferenceClass,
  differenceClasses,
  type Judged,
} from '../compare/difference.ts';
import { patternOfPlace } from '../compare/json-paths.ts';
import { replaceTokens } from '../compare/tokens.ts';
import { sessionCookieNames } from '../../repository/repository-engine.ts';
import {
  createRedaction,
  type Redaction,
  isSecretMember,
  redacted,
  shownJson,
  shownText,
  type WireRequest,
} from '../../exchange/exchange.ts';
import type { Draft } from './acceptances.ts';
import type { Json } from '../../basics/json.ts';

/** The most characters of a value. */
const longest = 300;

/** Undefined stays: the answer has no such value. */
const shownValue = (
  { operation }: Pick<AnsweredTwice, 'operation'>,
  { place, redaction }: Pick<Difference, 'place'> & { readonly redaction: Redaction },
  value: unknown,
): string | undefined => {
  if (value === undefined) return undefined;
  const names = place.split('/').filter((step) => !/^(?:\d+|-|\*)$/.test(step));
  if (isSecretMember(names.at(-1) ?? '')) return redacted;
  const isWhole = place === '/body' && typeof value === 'string';
  const text = isWhole
    ? shownText(value, operation)
    : typeof value === 'string'
      ? value
      : JSON.stringify(shownJson(value as Json)); // parsed from JSON
  const clean = withoutShapes(redaction.text(text));
  return clean.length > longest ? `${clean.slice(0, longest)}…` : clean;
};

/** Method and path. */
const shownRequest = ({ method, path }: WireRequest, redaction: Redaction): string =>
  `${method} ${withoutShapes(redaction.path(path))}`.slice(0, 2 * longest);

const sessionIds = new RegExp(String.raw`(\b${sessionCookieNames}=)[^;\s,"]+`, 'g');

/** Tokens and session ids look alike everywhere. */
const withoutShapes = (text: string): string =>
  replaceTokens(text, ({ kind, text: token }) => (kind === 'secret' ? redacted : token))
    .replace(sessionIds, `$1${redacted}`)
    .replace(/\b(Basic|Bearer)\s+(?!realm)[\w+/=.~-]{6,}/g, `$1 ${redacted}`);

/** Without the secrets of the request and both answers. `published` are passwords that everybody may read. */
const redactionOf = ({ request, target, atoll }: AnsweredTwice, published: readonly string[]): Redaction => {
  const times = { at: 0, durationMs: 0, account: undefined };
  const redaction = createRedaction({ published });
  for (const reply of [target, atoll]) redaction.learn({ ...times, request, reply });
  return redaction;
};

/** Values are short texts without secrets; undefined for what an answer does not have. */
export type Example = {
  /** The number of the request, from 1. */
  readonly number: number;
  readonly request: string;
  readonly statuses: { readonly target: number; readonly atoll: number };
  readonly place: string;
  readonly target: string | undefined;
  readonly atoll: string | undefined;
  /** The bodies of two statuses. */
  readonly detail?: { readonly target: string | undefined; readonly atoll: string | undefined } | undefined;
};

export type Finding = {
  readonly operation: string;
  /** A pattern: indexes are `*`. */
  readonly place: string;
  readonly class: DifferenceClass;
  readonly because: string;
  readonly count: number;
  readonly examples: readonly Example[];
};

/** Requests by what came of them: each counts once, by its worst difference. */
export type Counts = { readonly [Name in 'requests' | 'equal' | DifferenceClass | 'skipped' | 'failed']: number };

export type Outcome = {
  readonly counts: Counts;
  /** New ones first, the most frequent ones first among them. */
  readonly findings: readonly Finding[];
  /** How many requests were not compared, by the reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Differences beyond the number of findings that are kept. */
  readonly more: number;
};

const maxFindings = 2000;
const maxExamples = 3;
const maxReasons = 100;

type Kept = Omit<Finding, 'count' | 'examples'> & { count: number; examples: Example[] };

/** `published` are passwords that everybody may read: they stay in texts. */
export const createTally = (published: readonly string[] = []) => {
  const counts = { requests: 0, equal: 0, explained: 0, accepted: 0, new: 0, skipped: 0, failed: 0 };
  const findings = createFindings(published);
  const reasons = new Map<string, number>();
  const because = (reason: string): void => {
    const general = reason.replace(/\d+/g, '#');
    const known = reasons.has(general) || reasons.size < maxReasons ? general : 'other reasons';
    reasons.set(known, (reasons.get(known) ?? 0) + 1);
  };
  const count = (what: keyof Counts): void => {
    counts.requests += 1;
    counts[what] += 1;
  };
  return {
    add: (answered: AnsweredTwice, differences: readonly Judged[]): void => {
      count([...differenceClasses].reverse().find((one) => differences.some((each) => each.class === one)) ?? 'equal');
      for (const one of differences) findings.note(answered, one, counts.requests);
    },
    skip: (reason: string): void => {
      count('skipped');
      because(reason);
    },
    /** A request that one of the servers did not answer. */
    fail: (reason: string): void => {
      count('failed');
      because(reason);
    },
    outcome: (): Outcome => ({
      ...{ counts: { ...counts }, findings: sorted(findings.all()), more: findings.more() },
      skipped: Object.fromEntries(reasons),
    }),
    drafts: (): readonly Draft[] =>
      findings
        .all()
        .filter((one) => one.class === 'new')
        .map(draftOf),
  };
};

type Noted = { readonly number: number; readonly published: readonly string[] };

const createFindings = (published: readonly string[]) => {
  const findings = new Map<string, Kept>();
  let more = 0;
  return {
    note: (answered: AnsweredTwice, judged: Judged, number: number): void => {
      const place = patternOfPlace(judged.place);
      const values = place === '/status' ? [judged.target, judged.atoll] : [];
      const key = [judged.class, answered.operation, place, judged.because, ...values].join('\n');
      const known = findings.get(key) ?? {
        ...{ operation: answered.operation, place, class: judged.class, because: judged.because },
        ...{ count: 0, examples: [] },
      };
      if (known.count === 0 && findings.size >= maxFindings) {
        more += 1;
        return;
      }
      findings.set(key, known);
      known.count += 1;
      if (known.examples.length < maxExamples) known.examples.push(exampleOf(answered, judged, { number, published }));
    },
    all: (): Kept[] => [...findings.values()],
    more: (): number => more,
  };
};

/** Two statuses of one place are a finding of their own, so that its first example has them. */
const draftOf = ({ operation, place, examples: [first] }: Kept): Draft => ({
  ...{ operation, place },
  ...(place === '/status' ? first?.statuses : {}),
});

const exampleOf = (answered: AnsweredTwice, judged: Judged, { number, published }: Noted): Example => {
  const redaction = redactionOf(answered, published);
  const shown = (value: unknown, place = judged.place) => shownValue(answered, { place, redaction }, value);
  const { detail } = judged;
  return {
    number,
    request: shownRequest(answered.request, redaction),
    statuses: { target: answered.target.status, atoll: answered.atoll.status },
    place: judged.place,
    target: shown(judged.target),
    atoll: shown(judged.atoll),
    ...(detail === undefined
      ? {}
      : { detail: { target: shown(detail.target, '/body'), atoll: shown(detail.atoll, '/body') } }),
  };
};

const sorted = (kept: readonly Kept[]): Finding[] =>
  kept
    .map((one) => ({ ...one }))
    .sort((a, b) => differenceClasses.indexOf(b.class) - differenceClasses.indexOf(a.class) || b.count - a.count);
