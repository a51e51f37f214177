/** Derives from an account's roles what it may do, by the verdicts of the repository. */
import type { RepositoryType } from '../../repository/model/entity.ts';
import {
  createVerdict,
  editVerdict,
  removeVerdict,
  uploadVerdict,
  viewVerdict,
} from '../../repository/content/verdicts.ts';
import { may, type Principal } from '../../repository/model/principal.ts';
import type { Site } from '../../repository/site/site.ts';
import { anonymousAccount, type TargetAccount } from '../../exchange/exchange-target.ts';
import type { CheckContext } from './check.ts';
import type { Entity } from '../../openapi/openapi-records.ts';

/** What an account would do with a record of a bundle. */
export type Deed = 'view' | 'create' | 'edit' | 'delete';
export type Whose = 'own' | 'foreign';
export type RecordState = { readonly bundle: string; readonly whose: Whose; readonly isPublished: boolean };
type PermissionRule = (principal: Principal, state: RecordState) => boolean;

const recordIn = (type: Entity['type'], { bundle, whose, isPublished }: RecordState, { uid }: Principal): Entity => ({
  ...{ type, bundle, id: 1, uuid: '' },
  fields: { status: [{ value: isPublished }], uid: [{ target_id: whose === 'own' ? uid : uid + 1 }] },
});

/** Where a workflow decides, checks expect nothing. */
const model = { bundle: () => undefined };

const rulesFor = (type: RepositoryType): Readonly<Record<Deed, PermissionRule>> => {
  const isUnused = { open: true, media: [] };
  return {
    view: (who, state) => viewVerdict(who, recordIn(type, state, who), isUnused) === undefined,
    create: (who, { bundle }) => createVerdict(who, type, bundle) === undefined,
    edit: (who, state) => editVerdict(who, recordIn(type, state, who), model) === undefined,
    delete: (who, state) => removeVerdict(who, recordIn(type, state, who)) === undefined,
  };
};

export const permissionRules = {
  ...{ node: rulesFor('node'), media: rulesFor('media'), taxonomy_term: rulesFor('taxonomy_term') },
  file: rulesFor('file'),
};

export const mayUpload: PermissionRule = (who, state) =>
  uploadVerdict(who, recordIn('node', state, who), model) === undefined;

/** An account without known roles may nothing as far as this can tell. Account 1 may everything, and so may roles that say so. */
export const principalFor = (site: Site, { name, roles = [] }: Pick<TargetAccount, 'name' | 'roles'>): Principal => {
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
