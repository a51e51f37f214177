/** Defines checks that write, with the sources that most of them share. */
import type { Check } from '../../check.ts';

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
