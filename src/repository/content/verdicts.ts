/** Decides who may do what with an entity, in pure functions. Permissions and refusal texts are those of the real site. */
import { type RepositoryType, isRepositoryType } from '../model/entity.ts';
import { may, type Principal } from '../model/principal.ts';
import type { RecordList } from '../site/record-list.ts';
import { type Model, workflowOf } from '../model/bundle.ts';
import { isStuck } from '../model/workflow.ts';
import { isPublished, ownerOf } from '../model/entity.ts';
import { denied } from '../../openapi/openapi-terms.ts';
import { firstValue, type Entity } from '../../openapi/openapi-records.ts';

/** Undefined when allowed, else the public reason. The reason can be empty, as it is for unpublished nodes. */
export type Verdict = string | undefined;

/** Throws the 403 of a verdict that does not allow. */
export const throwIfDenied = (verdict: Verdict): void => {
  if (verdict !== undefined) throw denied(verdict);
};

/** How a file is used: whether everybody may read its scheme, and which media use it. */
type FileUse = { readonly open: boolean; readonly media: readonly Entity[] };

const isOwner = (principal: Principal, entity: Entity): boolean =>
  principal.uid !== 0 && ownerOf(entity) === principal.uid;

const oneOf = (...permissions: readonly string[]): string =>
  `The following permissions are required: ${permissions.map((name) => `'${name}'`).join(' OR ')}.`;

const needs = (permission: string): string => `The '${permission}' permission is required.`;

/** May the principal ask for a list? One of its permissions or roles is enough; a list without any is for everybody. */
export const listVerdict = (
  principal: Principal,
  { permissions, roles }: Pick<RecordList, 'permissions' | 'roles'>,
): Verdict => {
  if (principal.mayEverything || (permissions.length === 0 && roles.length === 0)) return undefined;
  const implied = principal.uid === 0 ? 'anonymous' : 'authenticated';
  const hasRole = roles.some((role) => role === implied || principal.roles.includes(role));
  if (hasRole || permissions.some((permission) => may(principal, permission))) return undefined;
  const [only, ...others] = permissions;
  if (only === undefined) return '';
  return others.length === 0 ? needs(only) : oneOf(...permissions);
};

/** May the principal see this entity? Only files need `use`. */
export const viewVerdict = (principal: Principal, entity: Entity, use: FileUse): Verdict =>
  isRepositoryType(entity.type) ? viewVerdicts[entity.type](principal, entity, use) : '';

/** A permission of the module `content_moderation`, for records of every type. */
const viewDrafts = 'view any unpublished content';

const viewNode = (principal: Principal, node: Entity): Verdict => {
  if (may(principal, 'bypass node access')) return undefined;
  if (!may(principal, 'access content')) return needs('access content');
  if (isPublished(node) || may(principal, viewDrafts)) return undefined;
  return isOwner(principal, node) && may(principal, 'view own unpublished content') ? undefined : '';
};

/** The module says why a draft is hidden, before the records themselves do. */
export const reasonOfDraft = (entity: Entity, reason: string): string => {
  const { type } = entity;
  const isDraft =
    type === 'node' ? reason === '' : (type === 'media' || type === 'taxonomy_term') && !isPublished(entity);
  return isDraft ? needs(viewDrafts) : reason;
};

const viewMedia = (principal: Principal, media: Entity): Verdict => {
  if (may(principal, 'administer media')) return undefined;
  if (isPublished(media)) {
    return may(principal, 'view media')
      ? undefined
      : `The 'view media' permission is required when the media item is published.`;
  }
  return may(principal, viewDrafts) || (isOwner(principal, media) && may(principal, 'view own unpublished media'))
    ? undefined
    : `The user must be the owner and the 'view own unpublished media' permission is required when the media item is unpublished.`;
};

/** Not even uid 1 may view a guarded file whose media they may not view. A guarded file without media is its owner's. */
const viewFile = (principal: Principal, file: Entity, { open, media }: FileUse): Verdict => {
  if (open) return may(principal, 'access content') ? undefined : needs('access content');
  const mayView =
    media.length === 0 ? isOwner(principal, file) : media.some((one) => viewMedia(principal, one) === undefined);
  return mayView ? undefined : '';
};

/** May the principal read the bytes of a guarded file? The real site gives those of a file without media to everybody. */
export const readBytesVerdict = (principal: Principal, file: Entity, media: readonly Entity[]): Verdict =>
  media.length === 0 && principal.mayEverything ? undefined : viewFile(principal, file, { open: false, media });

const viewTerm = (principal: Principal, term: Entity): Verdict => {
  if (may(principal, 'administer taxonomy')) return undefined;
  if (!isPublished(term) && may(principal, viewDrafts)) return undefined;
  return may(principal, 'access content') && isPublished(term)
    ? undefined
    : `The 'access content' permission is required and the taxonomy term must be published.`;
};

/** Nobody may view the account of anonymous visitors. */
const viewUser = (principal: Principal, user: Entity): Verdict => {
  if (user.id === 0) return '';
  if (may(principal, 'administer users')) return undefined;
  if (may(principal, 'access user profiles')) {
    return isPublished(user)
      ? undefined
      : `The 'access user profiles' permission is required and the user must be active.`;
  }
  return principal.uid === user.id ? undefined : needs('access user profiles');
};

/** Who may do everything with records of a type may do anything. */
const viewByPermission = (principal: Principal, permission: string): Verdict =>
  may(principal, permission) ? undefined : needs(permission);

const viewVerdicts: { readonly [T in RepositoryType]: typeof viewVerdict } = {
  node: viewNode,
  media: viewMedia,
  file: viewFile,
  taxonomy_term: viewTerm,
  user: viewUser,
  path_alias: (principal) => viewByPermission(principal, 'administer url aliases'),
  redirect: (principal) => viewByPermission(principal, 'administer redirects'),
};

/** May the principal change this entity? Files cannot be patched. */
export const editVerdict = (principal: Principal, entity: Entity, model: Pick<Model, 'bundle'>): Verdict => {
  const workflow = workflowOf(model.bundle(entity.type, entity.bundle));
  if (workflow !== undefined && isStuck(principal, entity, workflow)) {
    if (entity.type !== 'node') return noTransition;
    if (!may(principal, 'bypass node access'))
      return may(principal, 'access content') ? noTransition : needs('access content');
  }
  return changeVerdict(principal, entity, 'edit');
};
const noTransition = 'No valid transitions exist for given account.';

/** May the principal delete this entity? */
export const removeVerdict = (principal: Principal, entity: Entity): Verdict =>
  changeVerdict(principal, entity, 'delete');

const changeVerdict = (principal: Principal, entity: Entity, verb: 'edit' | 'delete'): Verdict => {
  if (principal.mayEverything) return undefined;
  switch (entity.type) {
    case 'node':
      return changeNode(principal, entity, verb);
    case 'media':
      return changeMedia(principal, entity, verb);
    case 'file':
      return verb === 'delete' ? removeFile(principal, entity) : 'Only the file owner can update the file entity.';
    case 'taxonomy_term':
      return may(principal, 'administer taxonomy') || may(principal, `${verb} terms in ${entity.bundle}`)
        ? undefined
        : oneOf(`${verb} terms in ${entity.bundle}`, 'administer taxonomy');
    case 'user':
      return needs('administer users');
    case 'path_alias':
      return viewByPermission(principal, 'administer url aliases');
    case 'redirect':
      return viewByPermission(principal, 'administer redirects');
    default:
      return '';
  }
};

const changeNode = (principal: Principal, node: Entity, verb: 'edit' | 'delete'): Verdict => {
  if (may(principal, 'bypass node access')) return undefined;
  if (!may(principal, 'access content')) return needs('access content');
  const any = `${verb} any ${node.bundle} content`;
  const own = `${verb} own ${node.bundle} content`;
  return may(principal, any) || (isOwner(principal, node) && may(principal, own)) ? undefined : needs(any);
};

const changeMedia = (principal: Principal, media: Entity, verb: 'edit' | 'delete'): Verdict => {
  const general = verb === 'edit' ? 'update' : 'delete';
  const any = [`${general} any media`, `${verb} any ${media.bundle} media`, 'administer media'];
  const own = [`${general} media`, `${verb} own ${media.bundle} media`];
  const allowed =
    any.some((permission) => may(principal, permission)) ||
    (isOwner(principal, media) && own.some((permission) => may(principal, permission)));
  // The text says "own media" where the permission is called "update media", and writes the names of those of one media type
  // with a colon. The real site says so too.
  return allowed
    ? undefined
    : oneOf(
        `${general} any media`,
        `${general} own media`,
        `${media.bundle}: ${verb} any media`,
        `${media.bundle}: ${verb} own media`,
      );
};

const removeFile = (principal: Principal, file: Entity): Verdict =>
  may(principal, 'delete any file') || (isOwner(principal, file) && may(principal, 'delete own files'))
    ? undefined
    : needs('delete any file');

const createPermissions: { readonly [T in RepositoryType]: (bundle: string) => readonly string[] } = {
  // Who administers nodes may change them, and may not make one.
  node: (bundle) => ['bypass node access', `create ${bundle} content`],
  media: (bundle) => ['administer media', 'create media', `create ${bundle} media`],
  file: () => [],
  taxonomy_term: (bundle) => [`create terms in ${bundle}`, 'administer taxonomy'],
  user: () => ['administer users'],
  path_alias: () => ['administer url aliases'],
  redirect: () => ['administer redirects'],
};

const mayCreate = (principal: Principal, type: RepositoryType, bundle: string): boolean =>
  principal.mayEverything ||
  ((type !== 'node' || readsContent(principal)) &&
    createPermissions[type](bundle).some((permission) => principal.permissions.has(permission)));

const readsContent = (principal: Principal): boolean =>
  may(principal, 'bypass node access') || may(principal, 'access content');

/**
 * May the principal create an entity of any of these bundles? Called before the body names the bundle. The text names
 * the first bundle of the site, as the real site does.
 */
export const createAnyVerdict = (principal: Principal, type: RepositoryType, bundles: readonly string[]): Verdict => {
  if (bundles.some((bundle) => mayCreate(principal, type, bundle))) return undefined;
  if (type === 'node' && !readsContent(principal)) return needs('access content');
  if (type === 'node' || type === 'user') return '';
  const names = createPermissions[type](bundles[0] ?? '');
  return type === 'path_alias' || type === 'redirect' ? needs(names.join()) : oneOf(...names);
};

/** May the principal create an entity of this bundle? Called when the body has named it. */
export const createVerdict = (principal: Principal, type: RepositoryType, bundle: string): Verdict => {
  if (mayCreate(principal, type, bundle)) return undefined;
  return type === 'taxonomy_term'
    ? oneOf(...createPermissions.taxonomy_term(bundle))
    : `You are not authorized to create this ${type} entity of bundle ${bundle}.`;
};

/** The upload endpoint needs the right to edit the node and exactly `create media`. Its refusal has no reason. */
export const uploadVerdict = (principal: Principal, node: Entity, model: Pick<Model, 'bundle'>): Verdict =>
  editVerdict(principal, node, model) === undefined && may(principal, 'create media') ? undefined : '';

/** The source endpoint and its link need exactly `update media`. */
export const editSourceVerdict = (principal: Principal): Verdict =>
  may(principal, 'update media') ? undefined : needs('update media');

/**
 * A principal may not refer to an unpublished node without `bypass node access`, not even to one that they may see, to an unpublished
 * media or term without the permission to administer media or the taxonomy, to a blocked account without `administer users`, nor to a
 * temporary file of another account.
 * open: temporary files as core's file selection has it, not recorded.
 */
export const mayReference = (principal: Principal, target: Entity): boolean => {
  switch (target.type) {
    case 'file':
      return !isTemporary(target) || isOwner(principal, target);
    case 'node':
      return isPublished(target) || may(principal, 'bypass node access');
    case 'media':
      return isPublished(target) || may(principal, 'administer media');
    case 'user':
      return target.id === 0 || isPublished(target) || may(principal, 'administer users');
    case 'taxonomy_term':
      return isPublished(target) || may(principal, 'administer taxonomy');
    case 'path_alias':
    case 'redirect':
      return true;
    default:
      return false;
  }
};

/** A file is temporary until a record uses it. */
export const isTemporary = (file: Entity): boolean => firstValue(file, 'status') !== true;
