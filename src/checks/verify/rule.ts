/** Rules as rows, and the checks that are made of them: a head, a sentence, and what it takes to hold. */
import type { Check, CheckContext, Severity } from './check.ts';

/** Where most rules about writes come from. */
export const sources = {
  endpoints: 'contract: Endpoints',
  lifecycle: 'contract: States and transitions',
  errors: 'contract: Errors',
  fields: 'contract: Resources and their fields',
  upload: 'contract: Endpoints, the upload endpoint',
  links: 'contract: Signposting',
  authentication: 'contract: Authentication',
  validation: 'a real site: validation (422)',
  order: 'a real site: the order in which a request is checked',
  recorded: 'a real site: what the real service answers',
} as const;

type More = {
  /** Operations besides those of the topic. */
  readonly also?: readonly string[];
  /** The types of records that it is about. All when it is left out. */
  readonly types?: readonly string[];
  readonly isExclusive?: boolean;
};

type See<Seen> = (seen: Seen, context: CheckContext) => unknown;

/** A rule about what all rules of a topic look at: a record, an upload, an answer. `see` ends and throws as `run` of a check does. */
export type Rule<Seen = CheckContext> = Pick<Check, 'name' | 'rule' | 'severity'> &
  More & { readonly source: string | undefined; readonly see: See<Seen> };

/** The head of a row: its name and, where its topic does not give one, its source. Then its sentence, and what it takes. */
const rowsOf =
  (severity: Severity) =>
  (name: string, source?: string) =>
  <Seen = CheckContext>(rule: string, see: See<Seen>, more: More = {}): Rule<Seen> => ({
    ...{ name, severity, source, rule, see, ...more },
  });

export const contractRule = rowsOf('contract');
export const referenceRule = rowsOf('reference');
export const adviceRule = rowsOf('advice');

/** What rules are about. */
export type Topic<Seen> = Pick<Check, 'operations'> & {
  /** What the names begin with. */
  readonly topic?: string;
  /** Begins each sentence, before a colon. */
  readonly about?: string;
  /** Ends, in brackets, each sentence without a full stop: several topics have the same. */
  readonly of?: string;
  /** Default: the real site. */
  readonly source?: string;
  readonly isWriting?: boolean;
  /** The type of the records. */
  readonly type?: string;
  /** `name`: that of the rule. */
  readonly see: (context: CheckContext, name: string) => Seen | Promise<Seen>;
};

/** The checks of rules about one thing. */
export const checksOf = <Seen>(topic: Topic<Seen>, rules: readonly Rule<Seen>[]): readonly Check[] =>
  rules
    .filter(({ types }) => topic.type === undefined || types?.includes(topic.type) !== false)
    .map(({ name, rule, source = topic.source ?? sources.recorded, severity, also = [], isExclusive, see }) => ({
      ...{ name: topic.topic === undefined ? name : `${topic.topic}.${name}`, rule: sentenceOf(rule, topic) },
      ...{ source, severity, isWriting: topic.isWriting === true, isExclusive: isExclusive === true },
      operations: [...new Set([...topic.operations, ...also])],
      run: async (context) => see(await topic.see(context, name), context),
    }));

const sentenceOf = (rule: string, { about, of }: Pick<Topic<never>, 'about' | 'of'>): string => {
  if (about !== undefined) return `${about}: ${rule}`;
  return of === undefined || rule.endsWith('.') ? rule : `${rule} (${of}).`;
};

/** What rules are about that look themselves at what they are about. */
type Room = Partial<Omit<Topic<never>, 'see'>>;

const alone = { operations: [], see: (context: CheckContext) => context };

/** The checks of rules that send GET, HEAD or OPTIONS alone. */
export const checksThatRead = (rules: readonly Rule[], room: Room = {}): readonly Check[] =>
  checksOf({ ...alone, ...room }, rules);

/** The checks of rules that write. */
export const checksThatWrite = (rules: readonly Rule[], room: Room = {}): readonly Check[] =>
  checksOf({ ...alone, isWriting: true, ...room }, rules);
