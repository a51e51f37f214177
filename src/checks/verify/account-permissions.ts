/** Derives from an account's permissions what it may do, by the table of permissions of the real service. */
import type { Site } from '../../core/site/site.ts';
import { anonymousAccount, type TargetAccount } from '../../exchange/accounts.ts';
import type { CheckContext } from './check.ts';

/** What an account would do with a record of a bundle. */
export type Deed = 'view' | 'create' | 'edit' | 'delete';
export type Whose = 'own' | 'foreign';
export type RecordState = { readonly bundle: string; readonly whose: Whose; readonly isPublished: boolean };
type PermissionRule = (can: (permission: string) => boolean, state: RecordState) => boolean;

const any = (can: (permission: string) => boolean, ...permissions: readonly string[]): boolean => permissions.some(can);

/** A permission of the module `content_moderation`; no site without it grants it. */
const seesDrafts = (can: (permission: string) => boolean): boolean => can('view any unpublished content');

const changeNode =
  (verb: 'edit' | 'delete'): PermissionRule =>
  (can, { bundle, whose }) =>
    can('bypass node access') ||
    (can('access content') &&
      (can(`${verb} any ${bundle} content`) || (whose === 'own' && can(`${verb} own ${bundle} content`))));

const changeMedia =
  (verb: 'edit' | 'delete'): PermissionRule =>
  (can, { bundle, whose }) => {
    const general = verb === 'edit' ? 'update' : 'delete';
    return (
      any(can, 'administer media', `${general} any media`, `${verb} any ${bundle} media`) ||
      (whose === 'own' && any(can, `${general} media`, `${verb} own ${bundle} media`))
    );
  };

export const permissionRules: Readonly<
  Record<'node' | 'media' | 'taxonomy_term', Readonly<Record<Deed, PermissionRule>>>
> = {
  node: {
    view: (can, { whose, isPublished }) =>
      can('bypass node access') ||
      (can('access content') &&
        (isPublished || seesDrafts(can) || (whose === 'own' && can('view own unpublished content')))),
    create: (can, { bundle }) =>
      can('bypass node access') || (can('access content') && can(`create ${bundle} content`)),
    edit: changeNode('edit'),
    delete: changeNode('delete'),
  },
  media: {
    view: (can, { whose, isPublished }) =>
      can('administer media') ||
      (isPublished ? can('view media') : seesDrafts(can) || (whose === 'own' && can('view own unpublished media'))),
    create: (can, { bundle }) => any(can, 'administer media', 'create media', `create ${bundle} media`),
    edit: changeMedia('edit'),
    delete: changeMedia('delete'),
  },
  taxonomy_term: {
    view: (can, { isPublished }) =>
      can('administer taxonomy') || (isPublished ? can('access content') : seesDrafts(can)),
    create: (can, { bundle }) => any(can, 'administer taxonomy', `create terms in ${bundle}`),
    edit: (can, { bundle }) => any(can, 'administer taxonomy', `edit terms in ${bundle}`),
    delete: (can, { bundle }) => any(can, 'administer taxonomy', `delete terms in ${bundle}`),
  },
};

/** The upload endpoint asks for the right to edit the node and for exactly `create media`. */
export const mayUpload: PermissionRule = (can, state) => permissionRules.node.edit(can, state) && can('create media');

export const mayDeleteFile: PermissionRule = (can, { whose }) =>
  can('delete any file') || (whose === 'own' && can('delete own files'));

/** Whether the account has a permission. Those who may everything have every permission. */
export const permissionsOf =
  (context: CheckContext, account: TargetAccount) =>
  (permission: string): boolean =>
    context.may(account, permission);

/** An account without known roles may nothing as far as this can tell. */
export const mayOn = (site: Site, { name, roles }: TargetAccount, permission: string): boolean => {
  if (isAdministrator(site, { name, roles })) return true;
  const implied = name === anonymousAccount.name ? 'anonymous' : 'authenticated';
  return [implied, ...(roles ?? [])].some((id) => site.roles.get(id)?.permissions.includes(permission) === true);
};

/** Account 1 may everything, and so may the roles that say so. */
const isAdministrator = (site: Site, { name, roles = [] }: Pick<TargetAccount, 'name' | 'roles'>): boolean =>
  roles.some((id) => site.roles.get(id)?.isAdmin === true) ||
  site.accounts.some((account) => account.uid === 1 && account.name === name);

/** The account that may most; one of unknown roles comes last. Undefined when there is only the anonymous visitor. */
export const mostPermittedOf = (site: Site, accounts: readonly TargetAccount[]): TargetAccount | undefined => {
  const permissionCount = (account: TargetAccount): number => {
    if (account.roles === undefined) return -1;
    if (isAdministrator(site, account)) return Infinity;
    return new Set(account.roles.flatMap((id) => site.roles.get(id)?.permissions ?? [])).size;
  };
  return accounts
    .filter(({ name }) => name !== anonymousAccount.name)
    .reduce<TargetAccount | undefined>(
      (best, account) => (best === undefined || permissionCount(account) > permissionCount(best) ? account : best),
      undefined,
    );
};
