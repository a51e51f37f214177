/** Joins the checks that only read. */
import type { TargetContract } from '../../../target/contract-source.ts';
import type { Check, Severity } from '../../check.ts';
import { everyReadChecks } from './every-read.ts';
import { contentChecks } from '../content/content.ts';
import { errorChecks } from './errors.ts';
import { formatChecks } from './formats.ts';
import { idChecks } from './ids.ts';
import { jsonLdChecks } from './jsonld.ts';
import { linkByKindChecks } from '../links/links-by-kind.ts';
import { linkChecks } from '../links/links.ts';
import { linksetChecks } from '../links/linksets.ts';
import { listChecks } from './lists.ts';
import { lookupChecks } from './lookups.ts';
import { mediaValueChecks } from './media-values.ts';
import { methodChecks } from './methods.ts';
import { modelChecks } from './model.ts';
import { recordFieldChecks } from './record-fields.ts';
import { recordValueChecks } from './record-values.ts';
import { visibleLinkChecks } from '../links/visible-links.ts';
import { visibilityChecks } from './visibility.ts';

const topics = [
  everyReadChecks,
  errorChecks,
  formatChecks,
  idChecks,
  methodChecks,
  recordFieldChecks,
  recordValueChecks,
  mediaValueChecks,
  linkChecks,
  linkByKindChecks,
  linksetChecks,
  jsonLdChecks,
  contentChecks,
  listChecks,
  lookupChecks,
  modelChecks,
  visibilityChecks,
  visibleLinkChecks,
];

/** Operations that no sentence of the contract has: what clients of today use, and what Atoll adds for its own sake. */
const lowered = ({ document }: TargetContract): ReadonlyMap<string, Severity> => {
  const severities = new Map<string, Severity>();
  for (const item of Object.values(document.paths)) {
    for (const part of Object.values(item)) {
      const { operationId: id, tags } = Object(part) as { readonly operationId?: string; readonly tags?: unknown }; // parameters have neither
      if (id === undefined) continue;
      if (/Linkset$/.test(id)) severities.set(id, 'advice');
      else if (Array.isArray(tags) && tags.includes('Beyond the contract')) severities.set(id, 'reference');
    }
  }
  return severities;
};

/** In the order of the report. A rule about what is beyond the contract is none of the contract. */
export const readingChecks = (contract: TargetContract): readonly Check[] => {
  const severities = lowered(contract);
  return topics
    .flatMap((checks) => checks(contract))
    .map((check) => {
      const lower = check.operations.flatMap((id) => severities.get(id) ?? []);
      if (check.severity === 'advice' || lower.length === 0) return check;
      return { ...check, severity: lower.includes('advice') ? 'advice' : 'reference' };
    });
};
