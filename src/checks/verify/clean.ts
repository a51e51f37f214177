/** Removes what interrupted runs have left on a target, by their journals. */
import { createContractCheck } from '../../contract/contract-check.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';
import type { OpenedTarget } from '../target/open-target.ts';
import { createSender } from '../../exchange/send.ts';
import { mightiestOf } from './account-powers.ts';
import { createAsking } from './asking.ts';
import { createCredentials } from './credentials.ts';
import { fieldRoles } from './field-roles.ts';
import { examineTarget } from './preflight.ts';
import { cleanUp } from './workspace/clean-up.ts';
import { openJournal } from './workspace/journal.ts';
import { findTerms } from './workspace/known-terms.ts';
import type { Removal } from './workspace/removal.ts';

type Cleaned = Removal & { readonly journal: string; readonly label: string };

/** Throws `TargetError` for a target that does not answer, and `ConfigurationError` for a journal that is of another one. */
export const cleanTarget = async (opened: OpenedTarget, file: string): Promise<Cleaned> => {
  const { contract, redaction, accounts } = opened;
  const journal = await openJournal(file);
  const { baseUrl } = opened.sender;
  if (journal.target !== baseUrl)
    throw new ConfigurationError(`${file} is of a run against ${journal.target}, not against ${baseUrl}.`);
  const account = accounts.find(({ name }) => name === journal.account) ?? mightiestOf(contract.site, accounts);
  if (account === undefined)
    throw new ConfigurationError(`There are no credentials of "${journal.account}". Name a file with --accounts.`);
  await examineTarget(opened.sender);
  const sender = createSender(opened.sender);
  try {
    const { document, slowPatterns, lines, site } = contract;
    const judge = createContractCheck({ document, slowPatterns, lines, baseUrl });
    const credentials = createCredentials(sender, redaction);
    const { ask } = createAsking({ sender, judge, credentials, redaction });
    const roles = fieldRoles(site);
    const [model] = await findTerms({ site, judge, account, ask }, roles.modelVocabularies, 1);
    const removal = await cleanUp(journal, { ask, account, site, model, sourceField: roles.sourceField });
    return { ...removal, journal: file, label: journal.label };
  } finally {
    sender.close();
  }
};
