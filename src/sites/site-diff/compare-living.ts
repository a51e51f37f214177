/** Compares what two sites do by themselves after a write, and what they answer besides the records. */
import { areEqual } from '../../basics/equal-values.ts';
import type { LivingInput, LivingSection } from '../../repository/repository-sites.ts';
import { answers, both, type Difference, differencesOf, harmless, type Side } from './difference.ts';

type Effect = {
  readonly what: string;
  readonly whenNew: readonly Side[];
  readonly whenGone: readonly Side[];
  readonly whenOther: readonly Side[];
};

const effects: { readonly [S in LivingSection]: Effect } = {
  // `Location`, links and the `url` of references are the alias.
  aliasPatterns: { what: 'patterns of aliases', whenNew: answers, whenGone: answers, whenOther: answers },
  fileHashes: { what: 'hashes in the records of files', whenNew: harmless, whenGone: answers, whenOther: answers },
  // A new record is a draft, and nobody sets whether it is published.
  workflows: { what: 'workflows', whenNew: both, whenGone: both, whenOther: both },
  // Which media and messages follow a write is in no answer to it.
  derivatives: { what: 'actions after a write', whenNew: harmless, whenGone: harmless, whenOther: harmless },
  manifests: { what: 'IIIF manifests', whenNew: harmless, whenGone: both, whenOther: answers },
  harvest: { what: 'settings of OAI-PMH', whenNew: harmless, whenGone: both, whenOther: answers },
};

export const compareLiving = (before: LivingInput, after: LivingInput): readonly Difference[] =>
  (Object.keys(effects) as LivingSection[]).flatMap((section) => {
    const { found, note } = differencesOf(`living.${section}`);
    const { what, whenNew, whenGone, whenOther } = effects[section];
    const [was, is] = [before[section], after[section]];
    note(was === undefined && is !== undefined, `is new: the site has ${what} now`, whenNew);
    note(was !== undefined && is === undefined, `is gone: the site has no ${what} any more`, whenGone);
    note(was !== undefined && is !== undefined && !areEqual(was, is), `has other ${what}`, whenOther);
    return found;
  });
