/** Derives from an account's permissions what it may do, by the table of permissions of the real service. */
import type { TargetAccount } from '../../../../exchange/accounts.ts';
import type { CheckContext } from '../../check.ts';

/** What an account would do with a record of a bundle. */
export type Deed = 'view' | 'create' | 'edit' | 'delete';
export type Whose = 'own' | 'foreign';
export type RecordState = { readonly bundle: string; readonly whose: Whose; readonly isPublished: boolean };
type Power = (can: (permission: string) => boolean, state: RecordState) => boolean;

const any = (can: (permission: string) => boolean, ...permissions: readonly string[]): boolean => permissions.some(can);

const changeNode =
  (verb: 'edit' | 'delete'): Power =>
  (can, { bundle, whose }) =>
    can('bypass node access') ||
    (can('access content') &&
      (can(`${verb} any ${bundle} content`) || (whose === 'own' && can(`${verb} own ${bundle} content`))));

const changeMedia =
  (verb: 'edit' | 'delete'): Power =>
  (can, { bundle, whose }) => {
    const general = verb === 'edit' ? 'update' : 'delete';
    return (
      any(can, 'administer media', `${general} any media`, `${verb} any ${bundle} media`) ||
      (whose === 'own' && any(can, `${general} media`, `${verb} own ${bundle} media`))
    );
  };

export const powers: Readonly<Record<'node' | 'media' | 'taxonomy_term', Readonly<Record<Deed, Power>>>> = {
  node: {
    view: (can, { whose, isPublished }) =>
      can('bypass node access') ||
      (can('access content') && (isPublished || (whose === 'own' && can('view own unpublished content')))),
    create: (can, { bundle }) => any(can, 'administer nodes', 'bypass node access', `create ${bundle} content`),
    edit: changeNode('edit'),
    delete: changeNode('delete'),
  },
  media: {
    view: (can, { whose, isPublished }) =>
      can('administer media') ||
      (isPublished ? can('view media') : whose === 'own' && can('view own unpublished media')),
    create: (can, { bundle }) => any(can, 'administer media', 'create media', `create ${bundle} media`),
    edit: changeMedia('edit'),
    delete: changeMedia('delete'),
  },
  taxonomy_term: {
    view: (can, { isPublished }) => can('administer taxonomy') || (can('access content') && isPublished),
    create: (can, { bundle }) => any(can, 'administer taxonomy', `create terms in ${bundle}`),
    edit: (can, { bundle }) => any(can, 'administer taxonomy', `edit terms in ${bundle}`),
    delete: (can, { bundle }) => any(can, 'administer taxonomy', `delete terms in ${bundle}`),
  },
};

/** The upload endpoint asks for the right to edit the node and for exactly `create media`. */
export const mayUpload: Power = (can, state) => powers.node.edit(can, state) && can('create media');

export const mayDeleteFile: Power = (can, { whose }) =>
  can('delete any file') || (whose === 'own' && can('delete own files'));

/** Whether the account may what is asked. Those who may everything have every permission. */
export const permissionsOf =
  (context: CheckContext, account: TargetAccount) =>
  (permission: string): boolean =>
    context.may(account, permission);
