/** Checks linksets (RFC 9264): their form, that they hold every link of the headers, and that they hide what is hidden. */
import { linksNamed, readLinkset, type Link } from '../../../../client/client.ts';
import { linksetMediaType } from '../../../../repository/repository-content.ts';
import { canonicalPath } from '../../../../repository/repository.ts';
import { type Answer, CheckSkip, expectSame, expectStatus, expectThat, shown } from '../../answer.ts';
import type { Check } from '../../check.ts';
import { itemsOf, memberOf, recordOf, type JsonRecord } from '../../record-members.ts';
import { addressesOf, expectLinks } from './read-links.ts';
import { readOk } from '../reading/reading-check.ts';
import { belowBase, formatsOf, readKind, seenKinds, type SeenKind, type SeenRecord } from '../reading/seen-records.ts';
import { contractRule, checksOf, type Rule } from '../../rule.ts';

export const linksetChecks = (): readonly Check[] => [
  ...linksetsOf(seenKinds.node, 'getNodeLinkset'),
  ...linksetsOf(seenKinds.media, 'getMediaLinkset'),
];

/** A record, and the linkset of it. */
type Seen = SeenRecord & {
  readonly address: string;
  readonly linkset: Answer;
  readonly contexts: readonly JsonRecord[];
  readonly links: readonly Link[];
};

const linksetsOf = (kind: SeenKind, operation: string): readonly Check[] =>
  checksOf(
    {
      ...{ topic: `linkset.${kind.word}`, of: kind.word, operations: [operation, kind.operation] },
      see: async (context): Promise<Seen> => {
        if (!context.contract.site.linkHeaders) throw new CheckSkip('This site has no links of records.');
        const seen = await readKind(context, kind);
        const address = `${canonicalPath(kind.type, seen.id)}/linkset`;
        const linkset = await readOk(context, address);
        const contexts = itemsOf(recordOf(linkset), 'linkset');
        return { ...seen, address, linkset, contexts, links: readLinkset(linkset.json, context.baseUrl) };
      },
    },
    rules,
  );

const rules: readonly Rule<Seen>[] = [
  contractRule('media-type', 'RFC 9264 §4.2; document: linksets')(
    'A linkset is of the type application/linkset+json',
    ({ linkset }) => expectSame(linkset.mediaType, linksetMediaType),
  ),
  contractRule('form', 'RFC 9264 §4.2')(
    'A linkset is a list of link contexts, whose relations are lists of targets with an absolute href',
    ({ linkset, contexts }) => {
      expectSame(Object.keys(recordOf(linkset)), ['linkset'], 'What it has');
      expectThat(contexts.length > 0, 'It has no link context.');
      for (const [rel, targets] of contexts.flatMap((one) => Object.entries(one))) {
        if (rel === 'anchor') continue;
        const isRight = (target: unknown): boolean => /^https?:\/\/./.test(String(memberOf(target, 'href')));
        expectThat(
          Array.isArray(targets) && targets.length > 0 && targets.every(isRight),
          `${rel}: ${shown(targets)}.`,
        );
      }
    },
  ),
  contractRule('anchor', 'RFC 9264 §4.2.2')(
    'The anchor of a linkset is the address of the record',
    ({ contexts, path, record }, context) => {
      const anchors = contexts.map(({ anchor }) => String(anchor));
      const own = addressesOf(context, path, record);
      expectThat(anchors.length === 1 && own.includes(anchors[0] ?? ''), `The anchors are ${shown(anchors)}.`);
    },
  ),
  contractRule('complete', 'document: linksets')(
    'A linkset has every link of the record’s headers',
    ({ answer, links }) =>
      expectLinks(
        links,
        answer.links.filter(({ rel }) => rel !== 'linkset'),
      ),
  ),
  contractRule('every-format', 'document: linksets')(
    'A linkset has an alternate link to each format of the record',
    ({ kind, links }, context) =>
      expectSame(linksNamed(links, 'alternate').length, formatsOf(context, kind).length, 'The number of alternates'),
  ),
  contractRule('hides', 'contract: Signposting, rule 1')(
    'A linkset names nothing that its requester may not view',
    async ({ address }, context) => {
      const answer = await context.ask({ path: address });
      if (answer.status !== 200) throw new CheckSkip('Visitors may not read it.');
      for (const { rel, target } of readLinkset(answer.json, context.baseUrl)) {
        const path = ['related', 'tag', 'describes'].includes(rel) ? belowBase(context, target) : undefined;
        if (path === undefined) continue;
        expectStatus(await context.ask({ path: rel === 'describes' ? path : `${path}?_format=json` }), 200);
      }
    },
  ),
];
