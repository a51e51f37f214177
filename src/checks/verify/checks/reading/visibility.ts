/** Checks what each role of the site sees: what its permissions allow is 200, and the rest 401 for visitors and 403 for accounts. */
import type { Site } from '../../../../core/site/site.ts';
import { anonymousAccount, type TargetAccount } from '../../../../exchange/accounts.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckSkip, expectStatus } from '../../answer.ts';
import { type Check, type CheckContext, contractRule } from '../../check.ts';
import { fileOf, isVisitor, mediaOf, orSkip, readingCheck } from './reading-check.ts';
import { recordPath } from './seen-records.ts';

export const visibilityChecks = ({ site }: TargetContract): readonly Check[] =>
  rolesOf(site).flatMap((role, at, roles) =>
    sights.map((sight, row) => sightCheck(role, sight, row % roles.length === at ? ['GET', 'HEAD'] : ['GET'])),
  );

/** Visitors, accounts without a role, and each role that accounts have. */
export const rolesOf = ({ accounts }: Site): readonly string[] => [
  ...new Set([
    'anonymous',
    'authenticated',
    ...accounts.flatMap(({ active, roles }) => (active ? roles.slice(0, 1) : [])),
  ]),
];

export const accountWith = ({ accounts }: CheckContext, role: string): TargetAccount => {
  if (role === 'anonymous') return anonymousAccount;
  const found = accounts.find((account) =>
    role === 'authenticated' ? !isVisitor(account) && account.roles?.length === 0 : account.roles?.[0] === role,
  );
  return orSkip(found, `There is no account with the role ${role}.`);
};

/** Whether an account may see something. Undefined: the site's files do not tell. */
type Verdict = boolean | undefined;

type Sight = {
  readonly name: string;
  readonly what: string;
  readonly operations: readonly string[];
  readonly path: (context: CheckContext) => string;
  readonly isSeen: (account: TargetAccount, context: CheckContext) => Verdict;
};

const oneOf =
  (...permissions: readonly string[]): Sight['isSeen'] =>
  (account, { may }) =>
    permissions.some((permission) => may(account, permission));

const seesNodes = oneOf('access content', 'bypass node access');
export const seesMedia = oneOf('view media', 'administer media');
const seesTerms = oneOf('access content', 'administer taxonomy');

/** Owners may see their own; who owns it is not always known. */
export const seesUnpublished: Sight['isSeen'] = (account, { may }) => {
  if (may(account, 'bypass node access')) return true;
  if (may(account, 'access content') && may(account, 'view any unpublished content')) return true;
  return may(account, 'view own unpublished content') && !isVisitor(account) ? undefined : false;
};

export const unpublishedOf = ({ subjects }: CheckContext): number =>
  orSkip(subjects.unpublished, 'No unpublished node is known.').id;

const isOpen = (context: CheckContext): boolean => {
  const { content } = fileOf(context);
  return context.contract.site.storages.some(
    ({ prefix, access }) => access === 'open' && content.startsWith(`${prefix}/`),
  );
};

export const mediaPath = (context: CheckContext): string => recordPath(context, 'media', mediaOf(context).id);

const sights: readonly Sight[] = [
  {
    name: 'node',
    what: 'a published node',
    operations: ['getNode'],
    path: ({ subjects }) => `/node/${subjects.node.id}?_format=json`,
    isSeen: seesNodes,
  },
  {
    name: 'node-json-ld',
    what: 'the JSON-LD of a published node',
    operations: ['getNode'],
    path: ({ subjects }) => `/node/${subjects.node.id}?_format=jsonld`,
    isSeen: seesNodes,
  },
  {
    name: 'node-linkset',
    what: 'the linkset of a published node',
    operations: ['getNodeLinkset'],
    path: ({ subjects }) => `/node/${subjects.node.id}/linkset`,
    isSeen: seesNodes,
  },
  {
    name: 'unpublished',
    what: 'an unpublished node',
    operations: ['getNode'],
    path: (context) => `/node/${unpublishedOf(context)}?_format=json`,
    isSeen: seesUnpublished,
  },
  {
    name: 'unpublished-json-ld',
    what: 'the JSON-LD of an unpublished node',
    operations: ['getNode'],
    path: (context) => `/node/${unpublishedOf(context)}?_format=jsonld`,
    isSeen: seesUnpublished,
  },
  {
    name: 'unpublished-linkset',
    what: 'the linkset of an unpublished node',
    operations: ['getNodeLinkset'],
    path: (context) => `/node/${unpublishedOf(context)}/linkset`,
    isSeen: seesUnpublished,
  },
  {
    name: 'media',
    what: 'a published media',
    operations: ['getMedia'],
    path: (context) => `${mediaPath(context)}?_format=json`,
    isSeen: seesMedia,
  },
  {
    name: 'media-json-ld',
    what: 'the JSON-LD of a published media',
    operations: ['getMedia'],
    path: (context) => `${mediaPath(context)}?_format=jsonld`,
    isSeen: seesMedia,
  },
  {
    name: 'media-linkset',
    what: 'the linkset of a published media',
    operations: ['getMediaLinkset'],
    path: (context) => `/media/${mediaOf(context).id}/linkset`,
    isSeen: seesMedia,
  },
  {
    name: 'file',
    what: 'the record of a file',
    operations: ['getFile'],
    path: (context) => `/entity/file/${fileOf(context).id}?_format=json`,
    isSeen: (account, context) =>
      isOpen(context) ? oneOf('access content')(account, context) : seesMedia(account, context),
  },
  {
    name: 'content',
    what: 'the content of a file',
    operations: [],
    path: (context) => fileOf(context).content,
    isSeen: (account, context) => isOpen(context) || seesMedia(account, context),
  },
  {
    name: 'term',
    what: 'a published term',
    operations: ['getTerm'],
    path: ({ subjects }) => `/taxonomy/term/${orSkip(subjects.terms.model, 'No term is known.')}?_format=json`,
    isSeen: seesTerms,
  },
  {
    name: 'user',
    what: 'the account of somebody else',
    operations: ['getUser'],
    path: ({ contract }) => `/user/${orSkip(strangerOf(contract.site), 'No other account is known.')}?_format=json`,
    isSeen: oneOf('access user profiles', 'administer users'),
  },
  {
    name: 'visitor-account',
    what: 'the account of visitors',
    operations: ['getUser'],
    path: () => '/user/0?_format=json',
    isSeen: () => false,
  },
];

/** An account that nobody acts as: the administrator's own is not shown to itself as a stranger's. */
const strangerOf = ({ accounts }: Site): number | undefined =>
  accounts.find(({ active, roles, demoPassword }) => active && roles.length > 0 && demoPassword !== undefined)?.uid;

/** HEAD is what GET is; each sight is asked by HEAD in one role. */
const sightCheck = (role: string, { name, what, operations, path, isSeen }: Sight, methods: readonly string[]): Check =>
  readingCheck({
    ...contractRule(`sees.${role}.${name}`, 'contract: Authentication, 2 and 4; Errors; a real site'),
    rule: `The role ${role} sees ${what} only with a permission; else ${methods.join(' and ')} is ${role === 'anonymous' ? 401 : 403}.`,
    operations,
    run: async (context) => {
      const account = accountWith(context, role);
      const verdict = isOwn(account, path(context), context) ? undefined : isSeen(account, context);
      if (verdict === undefined) throw new CheckSkip(`Whether ${account.name} may see it depends on whose it is.`);
      // The accounts of visitors and strangers are only on a site that is known whole.
      const wanted = verdict ? 200 : isVisitor(account) ? 401 : 403;
      for (const method of methods) {
        expectStatus(await context.ask({ method, path: path(context), as: account }), wanted);
      }
    },
  });

/** Everybody sees their own account. */
const isOwn = ({ name }: TargetAccount, path: string, { contract }: CheckContext): boolean => {
  const uid = contract.site.accounts.find((account) => account.name === name)?.uid;
  return uid !== undefined && path.startsWith(`/user/${uid}?`);
};
