/** Defines checks that write, with the sources that most of them share. */
import type { Check, CheckContext, RuleHead } from '../../check.ts';

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

/** `name`, `rule`, `source` and `severity` as in `Check`. */
export const writing = (check: Omit<Check, 'isWriting'>): Check => ({ ...check, isWriting: true });

/** A rule about what all rules of a topic look at: a record, an upload, an answer. */
export type SeenRule<T> = Pick<Check, 'name' | 'rule' | 'severity'> & {
  /** That of the topic when it is left out. */
  readonly source?: string;
  /** Operations besides those of the topic. */
  readonly also?: readonly string[];
  readonly see: (seen: T, context: CheckContext) => unknown;
};

type Topic<T> = {
  /** What the names begin with. */
  readonly topic: string;
  /** What the sentences are about; nothing when it is left out. */
  readonly about?: string;
  readonly source?: string;
  readonly operations: readonly string[];
  /** `name`: that of the rule. */
  readonly seenBy: (context: CheckContext, name: string) => T | Promise<T>;
};

/** The checks of a topic. */
export const seenChecks = <T>(
  { topic, about, source: usual = sources.recorded, operations, seenBy }: Topic<T>,
  rules: readonly SeenRule<T>[],
): readonly Check[] =>
  rules.map(({ name, rule, source = usual, severity, also = [], see }) =>
    writing({
      ...{ name: `${topic}.${name}`, rule: about === undefined ? rule : `${about}: ${rule}`, source, severity },
      operations: [...operations, ...also],
      run: async (context) => {
        await see(await seenBy(context, name), context);
      },
    }),
  );

type OfKind = { readonly word: string };

/** A rule about each kind of records. */
export type KindRule<K extends OfKind> = RuleHead & {
  readonly run: (context: CheckContext, kind: K) => unknown;
  /** Whether it is about records of this kind. */
  readonly isFor?: (kind: K) => boolean;
};

/** The checks of rules for a kind of records. */
export const kindChecks = <K extends OfKind>(
  topic: string,
  kind: K,
  rules: readonly KindRule<K>[],
  operations: readonly string[],
): readonly Check[] =>
  seenChecks(
    { topic: `${topic}.${kind.word}`, about: kind.word, operations, seenBy: (context) => context },
    rules
      .filter(({ isFor = () => true }) => isFor(kind))
      .map(({ run, ...head }): SeenRule<CheckContext> => ({ ...head, see: (context) => run(context, kind) })),
  );
