/** Chooses checks by patterns of their names and operations. */
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { Check } from './check.ts';

/**
 * A pattern is a part of a name or the id of an operation; `*` stands for any text, and then the pattern is the whole name.
 * Throws `ConfigurationError` when no check fits.
 */
export const chosenChecks = (checks: readonly Check[], only: readonly string[] | undefined): readonly Check[] => {
  if (only === undefined) return checks;
  const fits = only.map(fitting);
  const chosen = checks.filter((check) => fits.some((fit) => fit(check)));
  if (chosen.length > 0) return chosen;
  throw new ConfigurationError(
    `No check fits ${only.map((each) => `"${each}"`).join(', ')}. \`atoll verify --list\` names them all.`,
  );
};

const fitting = (pattern: string): ((check: Check) => boolean) => {
  if (!pattern.includes('*')) return ({ name, operations }) => name.includes(pattern) || operations.includes(pattern);
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const whole = new RegExp(`^${parts.join('.*')}$`);
  return ({ name, operations }) => whole.test(name) || operations.some((id) => whole.test(id));
};
