/** Derives from an account's roles what it may do, by the verdicts of the repository. */
import { type RepositoryType, may, type Principal, type Site } from '../../repository/repository.ts';
import { mayDo, type RecordAction } from '../../repository/repository-content.ts';
import { anonymousAccount, type TargetAccount } from '../../exchange/exchange-target.ts';
import type { CheckContext } from './check.ts';

/** What an account would do with a record of a bundle. */
type Deed = 'view' | 'create' | 'edit' | 'delete';
export type Whose = 'own' | 'foreign';
type RecordState = { readonly bundle: string; readonly whose: Whose; readonly isPublished: boolean };
type PermissionRule = (principal: Principal, state: RecordState) => boolean;

const ruleFor =
  (type: RepositoryType, action: RecordAction): PermissionRule =>
  (who, { bundle, whose, isPublished }) =>
    mayDo(who, action, type, { bundle, isOwn: whose === 'own', isPublished });

/** Where a workflow decides, checks expect nothing. */
const rulesFor = (type: RepositoryType): Readonly<Record<Deed, PermissionRule>> => ({
  view: ruleFor(type, 'view'),
  create: ruleFor(type, 'create'),
  edit: ruleFor(type, 'edit'),
  delete: ruleFor(type, 'delete'),
});

export const permissionRules = {
  ...{ node: rulesFor('node'), media: rulesFor('media'), taxonomy_term: rulesFor('taxonomy_term') },
  file: rulesFor('file'),
};

export const mayUpload: PermissionRule = ruleFor('node', 'upload');

/** An account without known roles may nothing as far as this can tell. Account 1 may everything, and so may roles that say so. */
const principalFor = (site: Site, { name, roles = [] }: Pick<TargetAccount, 'name' | 'roles'>): Principal => {
  const isVisitor = name === anonymousAccount.name;
  const all = [isVisitor ? 'anonymous' : 'authenticated', ...roles].flatMap((id) => site.roles.get(id) ?? []);
  return {
    // Which number an account has counts for nothing but to tell whose a record is.
    ...{ name, roles, uid: isVisitor ? 0 : 2 },
    permissions: new Set(all.flatMap(({ permissions }) => permissions)),
    mayEverything:
      all.some(({ isAdmin }) => isAdmin) || site.accounts.some((account) => account.uid === 1 && account.name === name),
  };
};

export const permissionsOf = ({ contract }: CheckContext, account: TargetAccount): Principal =>
  principalFor(contract.site, account);

export const mayOn = (site: Site, account: TargetAccount, permission: string): boolean =>
  may(principalFor(site, account), permission);

/** The account that may most; one of unknown roles comes last. Undefined when there is only the anonymous visitor. */
export const mostPermittedOf = (site: Site, accounts: readonly TargetAccount[]): TargetAccount | undefined => {
  const permissionCount = (account: TargetAccount): number => {
    const { mayEverything, permissions } = principalFor(site, account);
    if (account.roles === undefined) return -1;
    return mayEverything ? Infinity : permissions.size;
  };
  return accounts
    .filter(({ name }) => name !== anonymousAccount.name)
    .reduce<TargetAccount | undefined>(
      (best, account) => (best === undefined || permissionCount(account) > permissionCount(best) ? account : best),
      undefined,
    );
};
