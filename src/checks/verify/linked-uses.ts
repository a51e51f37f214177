/** Tells of which uses of media a site links the media from their nodes: a real site looks at the address of the term. */
import type { Site } from '../../repository/repository.ts';
import { isLinkedUseUri } from '../../repository/repository-content.ts';
import type { TargetAccount } from '../../exchange/exchange-target.ts';
import { CheckSkip, type Answer } from './answer.ts';
import type { AskedRequest, CheckContext } from './check.ts';
import { valueIn } from './record-members.ts';

type Looking = {
  readonly site: Site;
  readonly account: TargetAccount;
  readonly ask: (request: AskedRequest) => Promise<Answer>;
};

/** A term that cannot be read is taken for a linked one, so that nothing is passed over for that. */
export const isLinkedUse = async ({ site, account, ask }: Looking, term: number): Promise<boolean> => {
  if (site.mediaLinks === 'every') return true;
  const { status, json } = await ask({ path: `/taxonomy/term/${term}?_format=json`, as: account, isJudged: false });
  const uri = valueIn(json, 'field_external_uri', 'uri');
  return status !== 200 || isLinkedUseUri(typeof uri === 'string' ? uri : undefined);
};

/** Throws `CheckSkip` unless the site links media of one of these uses. */
export const wantLinkedUse = async (
  { contract, ask }: Pick<CheckContext, 'contract' | 'ask'>,
  account: TargetAccount,
  terms: readonly number[],
): Promise<void> => {
  for (const term of terms) if (await isLinkedUse({ site: contract.site, account, ask }, term)) return;
  throw new CheckSkip('The site links no media of this use.');
};
