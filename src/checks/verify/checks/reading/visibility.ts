/** Checks what each role of the site sees: what its permissions allow is 200, and the rest 401 for visitors and 403 for accounts. */
import type { Site } from '../../../../core/site/site.ts';
import { anonymousAccount, type TargetAccount } from '../../../../exchange/accounts.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckSkip, expectStatus } from '../../answer.ts';
import { type Check, type CheckContext, contractRule } from '../../check.ts';
import { addressWith, fileOf, isVisitor, orSkip, readingCheck } from './reading-check.ts';

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

type IsSeen = (account: TargetAccount, context: CheckContext) => Verdict;

type Sight = readonly [name: string, what: string, operations: readonly string[], path: string, isSeen: IsSeen];

const oneOf =
  (...permissions: readonly string[]): IsSeen =>
  (account, { may }) =>
    permissions.some((permission) => may(account, permission));

const seesNodes = oneOf('access content', 'bypass node access');
export const seesMedia = oneOf('view media', 'administer media');
const seesTerms = oneOf('access content', 'administer taxonomy');

/** Owners may see their own; who owns it is not always known. */
export const seesUnpublished: IsSeen = (account, { may }) => {
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

const seesFile: IsSeen = (account, context) =>
  isOpen(context) ? oneOf('access content')(account, context) : seesMedia(account, context);

const sights: readonly Sight[] = [
  ['node', 'a published node', ['getNode'], '/node/{node}?_format=json', seesNodes],
  ['node-json-ld', 'the JSON-LD of a published node', ['getNode'], '/node/{node}?_format=jsonld', seesNodes],
  ['node-linkset', 'the linkset of a published node', ['getNodeLinkset'], '/node/{node}/linkset', seesNodes],
  ['unpublished', 'an unpublished node', ['getNode'], '/node/{unpublished}?_format=json', seesUnpublished],
  [
    ...(['unpublished-json-ld', 'the JSON-LD of an unpublished node', ['getNode']] as const),
    ...(['/node/{unpublished}?_format=jsonld', seesUnpublished] as const),
  ],
  [
    ...(['unpublished-linkset', 'the linkset of an unpublished node', ['getNodeLinkset']] as const),
    ...(['/node/{unpublished}/linkset', seesUnpublished] as const),
  ],
  ['media', 'a published media', ['getMedia'], '{media}?_format=json', seesMedia],
  ['media-json-ld', 'the JSON-LD of a published media', ['getMedia'], '{media}?_format=jsonld', seesMedia],
  ['media-linkset', 'the linkset of a published media', ['getMediaLinkset'], '/media/{mediaId}/linkset', seesMedia],
  ['file', 'the record of a file', ['getFile'], '/entity/file/{file}?_format=json', seesFile],
  ['content', 'the content of a file', [], '{content}', (account, of) => isOpen(of) || seesMedia(account, of)],
  ['term', 'a published term', ['getTerm'], '/taxonomy/term/{term}?_format=json', seesTerms],
  [
    ...(['user', 'the account of somebody else', ['getUser'], '/user/{stranger}?_format=json'] as const),
    oneOf('access user profiles', 'administer users'),
  ],
  ['visitor-account', 'the account of visitors', ['getUser'], '/user/0?_format=json', () => false],
];

const pathTo = (context: CheckContext, pattern: string): string => {
  const stranger = pattern.includes('{stranger}') ? strangerOf(context.contract.site) : 0;
  return addressWith(context, pattern.replace('{stranger}', String(orSkip(stranger, 'No other account is known.'))));
};

/** An account that nobody acts as: the administrator's own is not shown to itself as a stranger's. */
const strangerOf = ({ accounts }: Site): number | undefined =>
  accounts.find(({ active, roles, demoPassword }) => active && roles.length > 0 && demoPassword !== undefined)?.uid;

/** HEAD is what GET is; each sight is asked by HEAD in one role. */
const sightCheck = (
  role: string,
  [name, what, operations, pattern, isSeen]: Sight,
  methods: readonly string[],
): Check =>
  readingCheck({
    ...contractRule(`sees.${role}.${name}`, 'contract: Authentication, 2 and 4; Errors; a real site'),
    rule: `The role ${role} sees ${what} only with a permission; else ${methods.join(' and ')} is ${role === 'anonymous' ? 401 : 403}.`,
    operations,
    run: async (context) => {
      const account = accountWith(context, role);
      const path = pathTo(context, pattern);
      const verdict = isOwn(account, path, context) ? undefined : isSeen(account, context);
      if (verdict === undefined) throw new CheckSkip(`Whether ${account.name} may see it depends on whose it is.`);
      // The accounts of visitors and strangers are only on a site that is known whole.
      const wanted = verdict ? 200 : isVisitor(account) ? 401 : 403;
      for (const method of methods) expectStatus(await context.ask({ method, path, as: account }), wanted);
    },
  });

/** Everybody sees their own account. */
const isOwn = ({ name }: TargetAccount, path: string, { contract }: CheckContext): boolean => {
  const uid = contract.site.accounts.find((account) => account.name === name)?.uid;
  return uid !== undefined && path.startsWith(`/user/${uid}?`);
};
