/** Opens the Atoll that probes are compared with: with the site of the run, its accounts, and content of its own to look at. */
import { mayOn, mostPermittedOf } from '../account-permissions.ts';
import { CheckSkip } from '../answer.ts';
import { createComparison } from '../../compare/comparison.ts';
import { anonymousAccount } from '../../../exchange/exchange-target.ts';
import type { OpenedTarget } from '../../target/open-target.ts';
import { startLocalServer } from '../../reference/local-server.ts';
import { repositoryWorld } from '../../../repository/repository.ts';
import type { Reference } from '../check.ts';
import { askingPartsFor, createAsking } from '../requests.ts';
import { contextWith } from '../shared-steps.ts';
import { unkeptJournal } from '../workspace/journal.ts';
import { prepare, PreparationFailure } from '../workspace/prepare.ts';

type OpenedReference = Reference & { readonly close: () => Promise<void> };

const absentId = 1_999_999_973;

/** `label`: the beginning of the titles of its content, as on the target. */
export const openReference = async (opened: OpenedTarget, label: string): Promise<OpenedReference> => {
  const { locations, redaction } = opened;
  const named = opened.accounts.filter(
    ({ name, isPublished }) => name !== anonymousAccount.name && isPublished !== true,
  );
  const own = await startLocalServer(
    { ...locations, accounts: named.length === 0 ? undefined : named, warn: () => undefined },
    { keptBytes: 16 * 1024 * 1024 },
  );
  try {
    const accounts = opened.accounts
      .map((account) => ({ ...account, token: undefined, password: own.passwordOf(account.name) }))
      .filter(({ name, roles, password }) => name === anonymousAccount.name || (roles && password) !== undefined);
    const contract = { ...opened.contract, document: own.started.inside.contract().document };
    const parts = askingPartsFor({ contract, redaction }, own.sender);
    const asking = createAsking(parts);
    const account = mostPermittedOf(contract.site, accounts);
    if (account === undefined) throw new CheckSkip('Only the anonymous visitor is known here.');
    const { subjects, workspace } = await prepare({
      ...{ contract, judge: parts.judge, baseUrl: own.started.url, account, ask: asking.ask, from: undefined },
      journal: unkeptJournal({ target: own.started.url, label, account: account.name }),
      ...{ container: undefined, useTerm: undefined, modelTerm: undefined, derivativesOf: [], absentId },
    });
    const { site } = repositoryWorld(own.started.world);
    return {
      context: contextWith(new Map(), asking, {
        ...{ baseUrl: own.started.url, contract, judge: parts.judge, subjects, workspace, accounts },
        ...{ maker: () => account, may: (one, permission) => mayOn(contract.site, one, permission) },
        explanations: [],
        reference: () => Promise.reject(new Error('Atoll is its own reference.')),
      }),
      comparison: createComparison({ site, atollUrl: own.started.url, targetUrls: [opened.sender.baseUrl] }),
      close: async () => {
        await parts.credentials.close();
        await own.stop();
      },
    };
  } catch (error) {
    await own.stop();
    if (!(error instanceof PreparationFailure)) throw error;
    throw new CheckSkip(`The Atoll to compare with takes no content: ${error.message}`, { cause: error });
  }
};
