/** Opens the Atoll that probes are compared with: with the site of the run, its accounts, and content of its own to look at. */
import { mayOn, mostPermittedOf } from '../account-permissions.ts';
import { CheckSkip } from '../answer.ts';
import { createComparison } from '../../compare/comparison.ts';
import type { JsonComparison } from '../../compare/compare-json.ts';
import { anonymousAccount } from '../../../exchange/exchange-target.ts';
import type { OpenedTarget } from '../../target/open-target.ts';
import { startLocalServer } from '../../reference/local-server.ts';
import { repositoryWorld } from '../../../repository/repository.ts';
import type { Reference, Subjects } from '../check.ts';
import { askingPartsFor, createAsking } from '../requests.ts';
import { contextWith } from '../shared-steps.ts';
import { fieldRoles } from '../field-roles.ts';
import { termNamed } from '../workspace/known-terms.ts';
import { unkeptJournal } from '../workspace/journal.ts';
import { prepare, PreparationFailure } from '../workspace/prepare.ts';

type OpenedReference = Reference & { readonly close: () => Promise<void> };

const absentId = 1_999_999_973;

/** `label` begins the titles of its content; `model` and `use` name the terms that nodes and media refer to, as on the target. */
type LikeTarget = {
  readonly label: string;
  readonly model?: string | undefined;
  readonly use?: string | undefined;
  /** What the run has made at the target. */
  readonly subjects?: Subjects | undefined;
};

/** The subjects of both runs correspond, whatever other records refer to. */
const learnSubjects = ({ pairs }: JsonComparison, target: Subjects, atoll: Subjects): void => {
  const met = [
    ['node', target.node.id, atoll.node.id],
    ['node', target.container?.id, atoll.container?.id],
    ['taxonomy_term', target.terms.model, atoll.terms.model],
    ['taxonomy_term', target.terms.use, atoll.terms.use],
  ] as const;
  for (const [kind, theirs, ours] of met)
    if (theirs !== undefined && ours !== undefined) pairs.learn({ kind, target: String(theirs), atoll: String(ours) });
};

export const openReference = async (opened: OpenedTarget, like: LikeTarget): Promise<OpenedReference> => {
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
    const search = { site: contract.site, judge: parts.judge, account, ask: asking.ask };
    const { modelVocabularies, useVocabularies } = fieldRoles(contract.site);
    const { subjects, workspace } = await prepare({
      ...{ contract, judge: parts.judge, baseUrl: own.started.url, account, ask: asking.ask, from: undefined },
      journal: unkeptJournal({ target: own.started.url, label: like.label, account: account.name }),
      ...{ container: undefined, derivativesOf: [], absentId },
      useTerm: await termNamed(search, useVocabularies, like.use),
      modelTerm: await termNamed(search, modelVocabularies, like.model),
    });
    const { site } = repositoryWorld(own.started.world);
    const targetUrls = [opened.sender.baseUrl];
    const comparison = createComparison({ site, atollUrl: own.started.url, targetUrls });
    if (like.subjects !== undefined) learnSubjects(comparison, like.subjects, subjects);
    return {
      context: contextWith(new Map(), asking, {
        ...{ baseUrl: own.started.url, contract, judge: parts.judge, subjects, workspace, accounts },
        ...{ maker: () => account, may: (one, permission) => mayOn(contract.site, one, permission) },
        explain: () => () => undefined,
        reference: () => Promise.reject(new Error('Atoll is its own reference.')),
      }),
      comparison,
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
