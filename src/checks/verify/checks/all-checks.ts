/** Joins the checks of all topics, and chooses some by patterns. A file of checks adds itself to one of the lists here. */
import { literalPattern } from '../../../basics/formats/literal-pattern.ts';
import { ConfigurationError } from '../../../basics/configuration-error.ts';
import { operationsOf } from '../../../repository/repository-engine.ts';
import type { TargetContract } from '../../target/contract-source.ts';
import { isBeyondContract } from '../beyond-contract.ts';
import type { Check, Severity } from '../check.ts';
import { probeChecks } from '../probes/probe-checks.ts';
import { contentChecks } from './content/content.ts';
import { linkByKindChecks } from './links/links-by-kind.ts';
import { linkChecks } from './links/links.ts';
import { linksetChecks } from './links/linksets.ts';
import { errorChecks } from './reading/errors.ts';
import { everyReadChecks } from './reading/every-read.ts';
import { formatChecks } from './reading/formats.ts';
import { idChecks } from './reading/ids.ts';
import { jsonLdChecks } from './reading/jsonld.ts';
import { listChecks } from './reading/lists.ts';
import { lookupChecks } from './reading/lookups.ts';
import { methodChecks } from './reading/methods.ts';
import { modelChecks } from './reading/model.ts';
import { recordFieldChecks } from './reading/record-fields.ts';
import { recordValueChecks } from './reading/record-values.ts';
import { visibilityChecks } from './reading/visibility.ts';
import { uploadBodyChecks } from './uploads/upload-bodies.ts';
import { fieldChecks } from './writing/field-checks.ts';
import { momentChecks } from './writing/moments.ts';
import { oddChecks } from './writing/odd-values.ts';

/** The checks for a contract, in the order of the report. Their names are unique. */
export const allChecks = (contract: TargetContract): readonly Check[] => [
  ...readingChecks(contract),
  ...writingChecks(contract),
  ...probeChecks(contract),
];

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
  const parts = pattern.split('*').map(literalPattern);
  const whole = new RegExp(`^${parts.join('.*')}$`);
  return ({ name, operations }) => whole.test(name) || operations.some((id) => whole.test(id));
};

/** The checks of a contract, or those that fit one of these patterns, as `chosenChecks` reads them. */
export const contractChecks = (contract: TargetContract, only?: readonly string[]): readonly Check[] =>
  chosenChecks(allChecks(contract), only);

const writingChecks = (contract: TargetContract): readonly Check[] => [
  ...momentChecks(contract),
  ...fieldChecks(contract),
  ...oddChecks(contract),
  ...uploadBodyChecks,
];

const readingTopics = [
  everyReadChecks,
  errorChecks,
  formatChecks,
  idChecks,
  methodChecks,
  recordFieldChecks,
  recordValueChecks,
  linkChecks,
  linkByKindChecks,
  linksetChecks,
  jsonLdChecks,
  contentChecks,
  listChecks,
  lookupChecks,
  modelChecks,
  visibilityChecks,
];

/** What the rules about an operation are where they are none of the contract. */
const lowered = ({ document }: TargetContract): ReadonlyMap<string, Severity> =>
  new Map(
    operationsOf(document).flatMap((operation): [string, Severity][] => {
      if (operation.id.endsWith('Linkset')) return [[operation.id, 'advice']];
      return isBeyondContract(document, operation) ? [[operation.id, 'reference']] : [];
    }),
  );

/** A rule about what is beyond the contract is none of the contract. */
const readingChecks = (contract: TargetContract): readonly Check[] => {
  const severities = lowered(contract);
  return readingTopics
    .flatMap((checks) => checks(contract))
    .map((check) => {
      const lower = check.operations.flatMap((id) => severities.get(id) ?? []);
      if (check.severity === 'advice' || lower.length === 0) return check;
      return { ...check, severity: lower.includes('advice') ? 'advice' : 'reference' };
    });
};
