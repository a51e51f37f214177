/** Checks linksets (RFC 9264): their form, that they hold every link of the headers, and that they hide what is hidden. */
import { linksNamed, readLinkset, type Link } from '../../../../client/link.ts';
import { linksetMediaType } from '../../../../core/links/link-context.ts';
import { type Answer, CheckSkip, expectRefusal, expectSame, expectStatus, expectThat, shown } from '../../answer.ts';
import { type Check, contractRule } from '../../check.ts';
import { itemsOf, memberOf, recordOf, type JsonRecord } from '../../record-members.ts';
import { addressesOf, shownLink } from './read-links.ts';
import { readerOf, readOk, seenChecks, type SeenRule } from '../reading/reading-check.ts';
import { belowBase, readKind, seenKinds, type SeenKind } from '../reading/seen-records.ts';

export const linksetChecks = (): readonly Check[] => [
  ...linksetsOf(seenKinds.node, 'getNodeLinkset', '/node/#/linkset'),
  ...linksetsOf(seenKinds.media, 'getMediaLinkset', '/media/#/linkset'),
];

type Seen = {
  readonly kind: SeenKind;
  /** Where the linkset of an id is. */
  readonly pathOf: (id: number) => string;
  readonly answer: Answer;
  readonly contexts: readonly JsonRecord[];
  readonly links: readonly Link[];
};

/** `#` stands for the id of the record. */
const linksetsOf = (kind: SeenKind, operation: string, path: string): readonly Check[] =>
  seenChecks(
    {
      ...{ topic: `linkset.${kind.word}`, of: kind.word, operations: [operation, kind.operation] },
      see: async (context): Promise<Seen> => {
        if (!context.contract.site.linkHeaders) throw new CheckSkip('This site has no links of records.');
        const pathOf = (id: number): string => path.replace('#', String(id));
        const answer = await readOk(context, pathOf(kind.find(context).id));
        const contexts = itemsOf(recordOf(answer), 'linkset');
        return { kind, pathOf, answer, contexts, links: readLinkset(answer.json, context.baseUrl) };
      },
    },
    rules,
  );

const rules: readonly SeenRule<Seen>[] = [
  {
    ...contractRule('media-type', 'RFC 9264 §4.2; document: linksets'),
    rule: 'A linkset is of the type application/linkset+json',
    expect: ({ answer }) => expectSame(answer.mediaType, linksetMediaType),
  },
  {
    ...contractRule('form', 'RFC 9264 §4.2'),
    rule: 'A linkset is a list of link contexts, whose relations are lists of targets with an absolute href',
    expect: ({ answer, contexts }) => {
      expectSame(Object.keys(recordOf(answer)), ['linkset'], 'What it has');
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
  },
  {
    ...contractRule('anchor', 'RFC 9264 §4.2.2'),
    rule: 'The anchor of a linkset is the address of the record',
    expect: async ({ kind, contexts }, context) => {
      const { path, record } = await readKind(context, kind);
      const anchors = contexts.map(({ anchor }) => String(anchor));
      const own = addressesOf(context, path, record);
      expectThat(anchors.length === 1 && own.includes(anchors[0] ?? ''), `The anchors are ${shown(anchors)}.`);
    },
  },
  {
    ...contractRule('complete', 'document: linksets'),
    rule: 'A linkset has every link of the record’s headers',
    expect: async ({ kind, links }, context) => {
      const { answer } = await readKind(context, kind);
      const own = new Set(links.map(shownLink));
      const missing = answer.links.filter(({ rel }) => rel !== 'linkset').map(shownLink);
      expectSame(
        missing.find((link) => !own.has(link)),
        undefined,
        'What it lacks',
      );
    },
  },
  {
    ...contractRule('every-format', 'document: linksets'),
    rule: 'A linkset has an alternate link to each format of the record',
    expect: ({ kind, links }, { judge }) => {
      const formats = judge.operations.find(({ id }) => id === kind.operation)?.format?.enabled ?? [];
      expectSame(linksNamed(links, 'alternate').length, formats.length, 'The number of alternates');
    },
  },
  {
    ...contractRule('as-the-record', 'contract: Signposting, rule 1; document: linksets'),
    rule: 'A linkset is refused to everybody who may not read the record, with the same status',
    expect: async ({ kind, pathOf }, context) => {
      const { id, path } = await readKind(context, kind);
      for (const as of context.accounts) {
        const record = await context.ask({ path: `${path}?_format=json`, as });
        expectStatus(await context.ask({ path: pathOf(id), as }), record.status);
      }
    },
  },
  {
    ...contractRule('hides', 'contract: Signposting, rule 1'),
    rule: 'A linkset names nothing that its requester may not view',
    expect: async ({ kind, pathOf }, context) => {
      const answer = await context.ask({ path: pathOf(kind.find(context).id) });
      if (answer.status !== 200) throw new CheckSkip('Visitors may not read it.');
      for (const { rel, target } of readLinkset(answer.json, context.baseUrl)) {
        const path = ['related', 'tag', 'describes'].includes(rel) ? belowBase(context, target) : undefined;
        if (path === undefined) continue;
        expectStatus(await context.ask({ path: rel === 'describes' ? path : `${path}?_format=json` }), 200);
      }
    },
  },
  {
    ...contractRule('absent', 'contract: Errors, 404'),
    rule: 'The linkset of nothing is 404',
    expect: async ({ pathOf }, context) => {
      const path = pathOf(context.subjects.absentId);
      expectRefusal(await context.ask({ path, as: readerOf(context) }), 404);
    },
  },
];
