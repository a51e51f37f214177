/** Defines what the removal of secrets works with. */
import type { Placeholders } from './placeholders.ts';
import type { RedactionRules } from './redaction-rules.ts';

/** What redaction works with. */
export type Redacting = {
  readonly rules: RedactionRules;
  readonly placeholders: Placeholders;
  /** Whether texts are checksums and the like, which look random. */
  readonly keepsRandom?: boolean;
};
