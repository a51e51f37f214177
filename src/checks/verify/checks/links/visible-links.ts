/** Checks the links that each role of the site gets: all that it may follow, and none that it may not. */
import { linksNamed } from '../../../../client/link.ts';
import type { TargetAccount } from '../../../../exchange/accounts.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckSkip, expectSame, expectThat } from '../../answer.ts';
import { type Check, type CheckContext, contractRule } from '../../check.ts';
import { valueIn, recordOf, valuesIn } from '../../record-members.ts';
import { followLink, shownLink, wholeLinks } from './read-links.ts';
import { addressWith, mediaOf, orSkip, readingCheck, readOk } from '../reading/reading-check.ts';
import { belowBase, recordPath } from '../reading/seen-records.ts';
import { accountWith, rolesOf, seesMedia, seesUnpublished, unpublishedOf } from '../reading/visibility.ts';

export const visibleLinkChecks = ({ site }: TargetContract): readonly Check[] =>
  rolesOf(site).flatMap((role) =>
    linkRules.map(({ name, rule, operations, expect }) =>
      readingCheck({
        ...{ operations },
        ...contractRule(`sees.${role}.${name}`, 'contract: Signposting, rule 1'),
        rule: `${rule} (role ${role}).`,
        run: async (context) => expect(accountWith(context, role), context),
      }),
    ),
  );

type LinkRule = {
  readonly name: string;
  readonly rule: string;
  readonly operations: readonly string[];
  readonly expect: (account: TargetAccount, context: CheckContext) => Promise<void>;
};

const isMedia = (path: string | undefined): boolean => /^\/media\/\d+(\/edit)?$/.test(path ?? '');

const linkRules: readonly LinkRule[] = [
  {
    name: 'links-to-media',
    rule: 'The node of a media links to it exactly for those who may view media',
    operations: ['getNode', 'getMedia'],
    expect: async (account, context) => {
      const media = mediaOf(context);
      const [node] = valuesIn(media.record, 'field_media_of', 'target_id');
      if (typeof node !== 'number' || valuesIn(media.record, 'field_media_use', 'target_id').length === 0) {
        throw new CheckSkip('The media has no node or no use.');
      }
      const answer = await context.ask({ path: `/node/${node}?_format=json`, as: account });
      if (answer.status !== 200) throw new CheckSkip(`${account.name} may not see the node.`);
      const links = await wholeLinks(context, answer, account);
      const found = linksNamed(links, 'related').filter(({ target }) => isMedia(belowBase(context, target)));
      const isSeen = seesMedia(account, context) === true;
      expectThat(found.length > 0 === isSeen, `${account.name} gets ${found.length} links to media.`);
    },
  },
  {
    name: 'links-followed',
    rule: 'Every link of a node and a media to a record or to bytes answers 200 to who got it',
    operations: ['getNode'],
    expect: async (account, context) => {
      const { node, media } = context.subjects;
      const paths = [
        `/node/${node.id}`,
        ...[...media.values()].slice(0, 1).map(({ id }) => recordPath(context, 'media', id)),
      ];
      for (const path of paths) {
        const answer = await context.ask({ path: `${path}?_format=json`, as: account });
        if (answer.status !== 200) continue;
        for (const link of await wholeLinks(context, answer, account)) {
          if (!['related', 'tag', 'describes', 'alternate', 'canonical'].includes(link.rel)) continue;
          const target = belowBase(context, link.target);
          if (target === undefined) continue;
          const followed = await followLink(context, link, target, account);
          expectThat(followed.status === 200, `${shownLink(link)} is ${followed.status} for ${account.name}.`);
        }
      }
    },
  },
  {
    name: 'no-link-to-hidden',
    rule: 'No link leads to an unpublished node that the requester may not see',
    operations: ['getNode', 'getNodeLinkset'],
    expect: async (account, context) => {
      const hidden = unpublishedOf(context);
      if (seesUnpublished(account, context) !== false) throw new CheckSkip(`${account.name} may see it.`);
      const { node, container } = context.subjects;
      for (const id of [node.id, ...(container === undefined ? [] : [container.id])]) {
        for (const path of [`/node/${id}?_format=json`, `/node/${id}/linkset`]) {
          const { links, text } = await context.ask({ path, as: account });
          const leads = (target: string): boolean => belowBase(context, target) === `/node/${hidden}`;
          const isNamed = path.endsWith('linkset') && text.includes(`${context.baseUrl}/node/${hidden}"`);
          expectThat(!isNamed && !links.some(({ target }) => leads(target)), `${path} leads to it.`);
        }
      }
    },
  },
  {
    name: 'edit-media',
    rule: 'A media has the link edit-media exactly for those who may update media',
    operations: ['getMedia', 'putMediaSource'],
    expect: async (account, context) => {
      const answer = await context.ask({ path: addressWith(context, '{media}?_format=json'), as: account });
      if (answer.status !== 200) throw new CheckSkip(`${account.name} may not see the media.`);
      const found = linksNamed(await wholeLinks(context, answer, account), 'edit-media');
      const isAllowed = context.may(account, 'update media');
      expectThat(found.length === (isAllowed ? 1 : 0), `${account.name} gets ${found.length} of them.`);
    },
  },
  {
    name: 'same-record',
    rule: 'A published node has the same values for everybody who sees it',
    operations: ['getNode'],
    expect: async (account, context) => {
      const path = `/node/${context.subjects.node.id}?_format=json`;
      const own = await context.ask({ path, as: account });
      if (own.status !== 200) throw new CheckSkip(`${account.name} may not see the node.`);
      const whole = await readOk(context, path);
      const [seen, known] = [recordOf(own), recordOf(whole)];
      for (const name of ['nid', 'uuid', 'title', 'changed', 'type', 'status', 'field_member_of', 'field_model'])
        expectSame(seen[name], known[name], `${name} for ${account.name}`);
    },
  },
  {
    name: 'hidden-from-members',
    rule: 'The lists of a node name no unpublished member that the requester may not see',
    operations: ['listNodeMembers'],
    expect: async (account, context) => {
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
  },
];
