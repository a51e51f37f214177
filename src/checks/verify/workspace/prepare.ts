/** Makes what the checks of a writing run look at: a container, a node, an unpublished one, media with their files. */
import type { TargetAccount } from '../../../exchange/exchange-target.ts';
import type { ContractCheck } from '../../target/contract-check.ts';
import type { Bundle, Site } from '../../../repository/repository.ts';
import { ConfigurationError } from '../../../basics/configuration-error.ts';
import { mayOn } from '../account-permissions.ts';
import { CheckFailure, CheckSkip } from '../answer.ts';
import type { KnownEntity, Subjects } from '../check.ts';
import { discover, type Discovery, entityOf } from '../discovery.ts';
import { fieldRoles } from '../field-roles.ts';
import { isLinkedUse } from '../linked-uses.ts';
import { publishing } from '../workflow-states.ts';
import type { Journal } from './journal.ts';
import { findTerms } from './known-terms.ts';
import type { WorkspaceParts } from './uploads.ts';
import { createWorkspace, type MadeWorkspace } from './workspace.ts';

type Preparation = Discovery & {
  readonly account: TargetAccount;
  readonly judge: ContractCheck;
  readonly journal: Journal;
  /** The id of an existing node, below which everything is made. */
  readonly container: number | undefined;
  readonly useTerm: number | undefined;
  readonly modelTerm: number | undefined;
  /** The addresses of the uses that the site makes derivatives of. */
  readonly derivativesOf: readonly string[];
  readonly absentId: number;
};

/** The most media that one node can have. */
const wantedUses = 4;

/** Not even a node can be made, so there is nothing to look at. The message says how the target answered. */
export class PreparationFailure extends Error {
  override name = 'PreparationFailure';
}

/** `failures`: what the target did not take, in sentences. Throws `PreparationFailure`, `ConfigurationError` for a container that cannot be read, and `TargetError`. */
export const prepare = async (preparation: Preparation) => {
  const { contract, account, ask, journal, baseUrl } = preparation;
  const roles = fieldRoles(contract.site);
  const given = await readContainer(preparation);
  const terms = await termsFor(preparation);
  const state = { container: given?.id };
  const workspace = createWorkspace({
    ...{ journal, account, ask, baseUrl, terms, site: contract.site },
    container: () => state.container,
  });
  const failures: string[] = [];
  const container = given ?? (await needed(() => workspace.node()));
  state.container = container.id;
  const node = await needed(() => workspace.node());
  const { media, files } = await makeMedia(workspace, { node, plan: uploadPlan(contract.site), failures });
  const isAdministrator = account.roles === undefined || mayOn(contract.site, account, 'administer nodes');
  const unpublished = isAdministrator
    ? await unlessRefused(failures, () => workspace.node(publishing(roles.nodeBundle, false, 'new')))
    : undefined;
  const known = { terms: { model: terms.model, use: terms.uses[0] }, absentId: preparation.absentId };
  const subjects: Subjects = { node, container, unpublished, media, files, ...known };
  return { subjects, workspace, failures };
};

type PlannedUpload = { readonly id: string; readonly scheme: string | undefined };

/** Each storage of the site gets a file, as long as there are bundles. */
const uploadPlan = (site: Site): PlannedUpload[] => {
  const { uploadBundles } = fieldRoles(site);
  const ownScheme = ({ source, fields }: Bundle): string =>
    (source === undefined ? undefined : fields.get(source.field)?.scheme) ?? site.defaultScheme;
  const usual = new Set(uploadBundles.slice(1).map(ownScheme));
  const missing = site.storages.map(({ scheme }) => scheme).find((scheme) => !usual.has(scheme));
  return uploadBundles.map(({ id }, at) => ({
    id,
    scheme: at === 0 && uploadBundles.length > 1 ? missing : undefined,
  }));
};

const makeMedia = async (
  workspace: MadeWorkspace,
  made: { readonly node: KnownEntity; readonly plan: readonly PlannedUpload[]; readonly failures: string[] },
): Promise<Pick<Subjects, 'media' | 'files'>> => {
  const media = new Map<string, KnownEntity>();
  const files = new Map<string, KnownEntity & { readonly content: string }>();
  for (const [at, { id, scheme }] of made.plan.entries()) {
    await unlessRefused(made.failures, async () => {
      // The subject has the first media. Each other one has a node of its own, so that no upload replaces another one.
      const one = await workspace.media(at === 0 ? made.node : await workspace.node(), id, scheme);
      media.set(id, one);
      const file = await workspace.fileOf(one);
      if (file !== undefined) files.set(id, file);
    });
  }
  return { media, files };
};

/** The node that `--container` names. */
const readContainer = async ({ container: id, ask, account }: Preparation): Promise<KnownEntity | undefined> => {
  if (id === undefined) return undefined;
  const answer = await ask({ path: `/node/${id}?_format=json`, as: account });
  const node = entityOf('node', id, answer);
  if (node !== undefined) return node;
  throw new ConfigurationError(`--container ${id}: ${account.name} cannot read this node (${answer.status}).`);
};

/** Those that are named, or else those that nodes and media of the target refer to, or else those that its look-ups find. */
const termsFor = async (preparation: Preparation): Promise<WorkspaceParts['terms']> => {
  const { contract, judge, account, ask } = preparation;
  const { useTerm, modelTerm, from } = preparation;
  const roles = fieldRoles(contract.site);
  const search = { site: contract.site, judge, account, ask };
  const leftOut = preparation.derivativesOf.length + (contract.site.mediaLinks === 'every' ? 0 : wantedUses);
  const looked = {
    model: await findTerms(search, roles.modelVocabularies, 1),
    // Some of them are left out below.
    uses: await findTerms(search, roles.useVocabularies, wantedUses + leftOut),
  };
  const isEnough = looked.model.length > 0 && looked.uses.length > 0;
  const found = isEnough && from === undefined ? undefined : await discover(preparation);
  const model = modelTerm ?? found?.terms.model ?? looked.model[0];
  const uses = [useTerm, found?.terms.use, ...looked.uses].filter((use) => use !== undefined);
  return { model, ...(await barrenFirst(await linkedFirst([...new Set(uses)], preparation), preparation)) };
};

/** Leaves out the uses whose media no node links, unless one is named or there is no other: checks follow the links. */
const linkedFirst = async (uses: readonly number[], preparation: Preparation): Promise<readonly number[]> => {
  const { contract, useTerm, ask, account } = preparation;
  const linked: number[] = [];
  for (const use of uses)
    if (use === useTerm || (await isLinkedUse({ site: contract.site, account, ask }, use))) linked.push(use);
  return linked.length > 0 ? linked : uses;
};

/**
 * Leaves out the uses that the site makes derivatives of, unless one is named or there is no other: derivatives are work for the site,
 * and come to a node at any time.
 */
const barrenFirst = async (
  uses: readonly number[],
  { derivativesOf, useTerm, ask, account }: Preparation,
): Promise<Omit<WorkspaceParts['terms'], 'model'>> => {
  if (derivativesOf.length === 0) return { uses, fertile: new Set() };
  const addresses = derivativesOf.map((uri) => JSON.stringify(uri));
  const fertile = new Set<number>();
  for (const use of uses) {
    const { json } = await ask({ path: `/taxonomy/term/${use}?_format=json`, as: account, isJudged: false });
    if (addresses.some((address) => JSON.stringify(json ?? null).includes(address))) fertile.add(use);
  }
  const wanted = uses.filter((use) => use === useTerm || !fertile.has(use));
  return { uses: wanted.length > 0 ? wanted : uses, fertile };
};

/** What the target refuses is missing; the checks that want it are skipped. */
const unlessRefused = async <T>(failures: string[], make: () => Promise<T>): Promise<T | undefined> => {
  try {
    return await make();
  } catch (error) {
    if (error instanceof CheckFailure) failures.push(error.message);
    else if (!(error instanceof CheckSkip)) throw error;
    return undefined;
  }
};

const needed = async <T>(make: () => Promise<T>): Promise<T> => {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof CheckFailure)) throw error;
    throw new PreparationFailure(
      `${error.message} Is this the password of an account that may write? --as and --accounts name another one.`,
      { cause: error },
    );
  }
};
