/** Checks what each role of the site sees: what its permissions allow is 200, and the rest 401 for visitors and 403 for accounts. */
import { linksNamed, type Link } from '../../../../client/client.ts';
import type { Site } from '../../../../repository/repository.ts';
import { anonymousAccount, type TargetAccount } from '../../../../exchange/exchange-target.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { permissionRules, permissionsOf } from '../../account-permissions.ts';
import { type Answer, CheckFailure, CheckSkip, deviation, expectSame, expectStatus, expectThat } from '../../answer.ts';
import type { Deviation } from '../../../differences/on-purpose.ts';
import type { Check, CheckContext } from '../../check.ts';
import { targetsIn } from '../../field-roles.ts';
import { wantLinkedUse } from '../../linked-uses.ts';
import { valueIn, recordOf, valuesIn } from '../../record-members.ts';
import { followLink, shownLink, wholeLinks } from '../links/read-links.ts';
import { addressWith, fileOf, isVisitor, mediaOf, orSkip, readerOf, readOk } from './reading-check.ts';
import { belowBase, recordPath } from './seen-records.ts';
import { contractRule, checksOf, checksThatRead, type Rule } from '../../rule.ts';

export const visibilityChecks = ({ site }: TargetContract): readonly Check[] =>
  rolesOf(site).flatMap((role, at, roles) => [
    ...checksThatRead(
      sights.map((sight, row) => sightRule(role, sight, row % roles.length === at ? ['GET', 'HEAD'] : ['GET'])),
    ),
    ...checksOf(
      {
        ...{ topic: `sees.${role}`, of: `role ${role}`, operations: [] },
        see: (context) => accountWith(context, role),
      },
      linkRules,
    ),
  ]);

/** Visitors, accounts without a role, and each role that accounts have. */
const rolesOf = ({ accounts }: Site): readonly string[] => [
  ...new Set([
    'anonymous',
    'authenticated',
    ...accounts.flatMap(({ active, roles }) => (active ? roles.slice(0, 1) : [])),
  ]),
];

const accountWith = ({ accounts }: CheckContext, role: string): TargetAccount => {
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

/** Whether an account sees a record of somebody else. */
const sees =
  (type: keyof typeof permissionRules, isPublished = true): IsSeen =>
  (account, context) =>
    permissionRules[type].view(permissionsOf(context, account), { bundle: '', whose: 'foreign', isPublished });

const seesMedia = sees('media');

/** Owners may see their own; who owns it is not always known. */
const seesUnpublished: IsSeen = (account, context) => {
  if (sees('node', false)(account, context) === true) return true;
  const own = { bundle: '', whose: 'own', isPublished: false } as const;
  return permissionRules.node.view(permissionsOf(context, account), own) ? undefined : false;
};

const isOpen = (context: CheckContext): boolean => {
  const { content } = fileOf(context);
  return context.contract.site.storages.some(
    ({ prefix, access }) => access === 'open' && content.startsWith(`${prefix}/`),
  );
};

const seesFile: IsSeen = (account, context) => sees(isOpen(context) ? 'file' : 'media')(account, context);

const sights: readonly Sight[] = [
  ['node', 'a published node', ['getNode'], '/node/{node}?_format=json', sees('node')],
  ['node-json-ld', 'the JSON-LD of a published node', ['getNode'], '/node/{node}?_format=jsonld', sees('node')],
  ['node-linkset', 'the linkset of a published node', ['getNodeLinkset'], '/node/{node}/linkset', sees('node')],
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
  ['term', 'a published term', ['getTerm'], '/taxonomy/term/{term}?_format=json', sees('taxonomy_term')],
  [
    ...(['user', 'the account of somebody else', ['getUser'], '/user/{stranger}?_format=json'] as const),
    (account, { may }) => may(account, 'access user profiles') || may(account, 'administer users'),
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
const sightRule = (role: string, [name, what, operations, pattern, isSeen]: Sight, methods: readonly string[]): Rule =>
  contractRule(`sees.${role}.${name}`, 'contract: Authentication, 2 and 4; Errors; a real site')(
    `The role ${role} sees ${what} only with a permission; else ${methods.join(' and ')} is ${role === 'anonymous' ? 401 : 403}.`,
    async (context) => {
      const account = accountWith(context, role);
      const path = pathTo(context, pattern);
      const verdict = isOwn(account, path, context) ? undefined : isSeen(account, context);
      if (verdict === undefined) throw new CheckSkip(`Whether ${account.name} may see it depends on whose it is.`);
      // The accounts of visitors and strangers are only on a site that is known whole.
      const wanted = verdict ? 200 : isVisitor(account) ? 401 : 403;
      for (const method of methods) expectStatus(await context.ask({ method, path, as: account }), wanted);
    },
    { also: operations },
  );

/** Everybody sees their own account. */
const isOwn = ({ name }: TargetAccount, path: string, { contract }: CheckContext): boolean => {
  const uid = contract.site.accounts.find((account) => account.name === name)?.uid;
  return uid !== undefined && path.startsWith(`/user/${uid}?`);
};

const isMedia = (path: string | undefined): boolean => /^\/media\/\d+(\/edit)?$/.test(path ?? '');

/** A link that should not be there. */
const hiddenLink = (answer: Answer, link: Link): Deviation =>
  deviation(answer, '/headers/Link', shownLink(link), undefined);

const source = 'contract: Signposting, rule 1';

/** Rules about the links that a role gets: all that it may follow, and none that it may not. */
const linkRules: readonly Rule<TargetAccount>[] = [
  contractRule('links-to-media', source)(
    'The node of a media links to it exactly for those who may view media',
    async (account, context) => {
      const media = mediaOf(context);
      const [node] = valuesIn(media.record, 'field_media_of', 'target_id');
      const uses = targetsIn(media.record, 'field_media_use');
      if (typeof node !== 'number' || uses.length === 0) throw new CheckSkip('The media has no node or no use.');
      await wantLinkedUse(context, readerOf(context), uses);
      const answer = await context.ask({ path: `/node/${node}?_format=json`, as: account });
      if (answer.status !== 200) throw new CheckSkip(`${account.name} may not see the node.`);
      const links = await wholeLinks(context, answer, account);
      const found = linksNamed(links, 'related').filter(({ target }) => isMedia(belowBase(context, target)));
      const isSeen = seesMedia(account, context) === true;
      if (found.length > 0 === isSeen) return;
      throw new CheckFailure(
        `${account.name} gets ${found.length} links to media.`,
        found.map((link) => hiddenLink(answer, link)),
      );
    },
    { also: ['getNode', 'getMedia'] },
  ),
  contractRule('links-followed', source)(
    'Every link of a node and a media to a record or to bytes answers 200 to who got it',
    async (account, context) => {
      const { node, media } = context.subjects;
      for (const { type, id } of [node, ...[...media.values()].slice(0, 1)]) {
        const path = recordPath(context, type, id);
        const answer = await context.ask({ path: `${path}?_format=json`, as: account });
        if (answer.status !== 200) continue;
        for (const link of await wholeLinks(context, answer, account)) {
          if (!['related', 'tag', 'describes', 'alternate', 'canonical'].includes(link.rel)) continue;
          const target = belowBase(context, link.target);
          if (target === undefined) continue;
          const followed = await followLink(context, link, target, account);
          if (followed.status === 200) continue;
          const isHidden = isMedia(target) && [401, 403].includes(followed.status);
          const deviations = isHidden ? [hiddenLink(answer, link)] : [];
          throw new CheckFailure(`${shownLink(link)} is ${followed.status} for ${account.name}.`, deviations);
        }
      }
    },
    { also: ['getNode'] },
  ),
  contractRule('no-link-to-hidden', source)(
    'No link leads to an unpublished node that the requester may not see',
    async (account, context) => {
      const hidden = orSkip(context.subjects.unpublished, 'No unpublished node is known.').id;
      if (seesUnpublished(account, context) !== false) throw new CheckSkip(`${account.name} may see it.`);
      const { node, container = node } = context.subjects;
      for (const id of new Set([node.id, container.id])) {
        for (const path of [`/node/${id}?_format=json`, `/node/${id}/linkset`]) {
          const { links, text } = await context.ask({ path, as: account });
          const leads = (target: string): boolean => belowBase(context, target) === `/node/${hidden}`;
          const isNamed = path.endsWith('linkset') && text.includes(`${context.baseUrl}/node/${hidden}"`);
          expectThat(!isNamed && !links.some(({ target }) => leads(target)), `${path} leads to it.`);
        }
      }
    },
    { also: ['getNode', 'getNodeLinkset'] },
  ),
  contractRule('edit-media', source)(
    'A media has the link edit-media exactly for those who may update media',
    async (account, context) => {
      const answer = await context.ask({ path: addressWith(context, '{media}?_format=json'), as: account });
      if (answer.status !== 200) throw new CheckSkip(`${account.name} may not see the media.`);
      const found = linksNamed(await wholeLinks(context, answer, account), 'edit-media');
      const isAllowed = context.may(account, 'update media');
      expectThat(found.length === (isAllowed ? 1 : 0), `${account.name} gets ${found.length} of them.`);
    },
    { also: ['getMedia', 'putMediaSource'] },
  ),
  contractRule('same-record', source)(
    'A published node has the same values for everybody who sees it',
    async (account, context) => {
      const path = `/node/${context.subjects.node.id}?_format=json`;
      const own = await context.ask({ path, as: account });
      if (own.status !== 200) throw new CheckSkip(`${account.name} may not see the node.`);
      const whole = await readOk(context, path);
      const [seen, known] = [recordOf(own), recordOf(whole)];
      for (const name of ['nid', 'uuid', 'title', 'changed', 'type', 'status', 'field_member_of', 'field_model'])
        expectSame(seen[name], known[name], `${name} for ${account.name}`);
    },
    { also: ['getNode'] },
  ),
  contractRule('hidden-from-members', source)(
    'The lists of a node name no unpublished member that the requester may not see',
    async (account, context) => {
      const hidden = orSkip(context.subjects.unpublished, 'No unpublished node is known.');
      if (seesUnpublished(account, context) !== false) throw new CheckSkip(`${account.name} may see it.`);
      const parents = [...valuesIn(hidden.record, 'field_member_of', 'target_id'), context.subjects.container?.id];
      for (const id of parents) {
        if (typeof id !== 'number') continue;
        const { json } = await context.ask({ path: `/node/${id}/members?_format=json`, as: account });
        const ids = Array.isArray(json) ? json.map((row: unknown) => valueIn(row, 'nid')) : [];
        expectThat(!ids.includes(hidden.id), `${account.name} finds ${hidden.id} among the members of ${id}.`);
      }
    },
    { also: ['listNodeMembers'] },
  ),
];
