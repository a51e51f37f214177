/** Defines checks that write, with the sources that most of them share. */
import type { Check, CheckContext } from '../../check.ts';

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

type OfKind = { readonly word: string };

/** A rule about each kind of records. */
export type KindRule<K extends OfKind> = Pick<Check, 'name' | 'rule' | 'source' | 'severity'> & {
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
  rules
    .filter(({ isFor = () => true }) => isFor(kind))
    .map(({ name, rule, source, severity, run }) =>
      writing({
        ...{ name: `${topic}.${kind.word}.${name}`, rule: `${kind.word}: ${rule}`, source, severity, operations },
        run: async (context) => {
          await run(context, kind);
        },
      }),
    );
