/** Checks linksets (RFC 9264): their form, that they hold every link of the headers, and that they hide what is hidden. */
import { linksNamed, readLinkset, type Link } from '../../../../client/link.ts';
import { linksetMediaType } from '../../../../core/links/link-context.ts';
import { type Answer, CheckSkip, expectRefusal, expectSame, expectStatus, expectThat, shown } from '../../answer.ts';
import { type Check, type CheckContext, contractRule } from '../../check.ts';
import { itemsOf, memberOf, recordOf, type JsonRecord } from '../../record-members.ts';
import { addressesOf, shownLink } from './read-links.ts';
import { readerOf, readingCheck, readOk } from '../reading/reading-check.ts';
import { belowBase, readKind, seenKinds, type SeenKind } from '../reading/seen-records.ts';

/** The linkset of a kind of records is at `path`, in which `#` stands for the id. */
type LinksetKind = { readonly kind: SeenKind; readonly operation: string; readonly path: string };

const kinds: readonly LinksetKind[] = [
  { kind: seenKinds.node, operation: 'getNodeLinkset', path: '/node/#/linkset' },
  { kind: seenKinds.media, operation: 'getMediaLinkset', path: '/media/#/linkset' },
];

export const linksetChecks = (): readonly Check[] =>
  kinds.flatMap((kind) => rules.map((rule) => linksetCheck(kind, rule)));

type Parts = {
  readonly kind: SeenKind;
  /** Where the linkset of an id is. */
  readonly pathOf: (id: number) => string;
  readonly answer: Answer;
  readonly contexts: readonly JsonRecord[];
  readonly links: readonly Link[];
};

type LinksetRule = readonly [
  name: string,
  source: string,
  rule: string,
  expect: (parts: Parts, context: CheckContext) => void | Promise<void>,
];

const linksetCheck = ({ kind, operation, path }: LinksetKind, [name, source, rule, expect]: LinksetRule): Check =>
  readingCheck({
    ...contractRule(`linkset.${kind.word}.${name}`, source),
    rule: `${rule} (${kind.word}).`,
    operations: [operation, kind.operation],
    run: async (context) => {
      if (!context.contract.site.linkHeaders) throw new CheckSkip('This site has no links of records.');
      const pathOf = (id: number): string => path.replace('#', String(id));
      const answer = await readOk(context, pathOf(kind.find(context).id));
      const contexts = itemsOf(recordOf(answer), 'linkset');
      await expect({ kind, pathOf, answer, contexts, links: readLinkset(answer.json, context.baseUrl) }, context);
    },
  });

const rules: readonly LinksetRule[] = [
  [
    ...(['media-type', 'RFC 9264 §4.2; document: linksets'] as const),
    'A linkset is of the type application/linkset+json',
    ({ answer }) => expectSame(answer.mediaType, linksetMediaType),
  ],
  [
    ...(['form', 'RFC 9264 §4.2'] as const),
    'A linkset is a list of link contexts, whose relations are lists of targets with an absolute href',
    ({ answer, contexts }) => {
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
  ],
  [
    ...(['anchor', 'RFC 9264 §4.2.2', 'The anchor of a linkset is the address of the record'] as const),
    async ({ kind, contexts }, context) => {
      const { path, record } = await readKind(context, kind);
      const anchors = contexts.map(({ anchor }) => String(anchor));
      const own = addressesOf(context, path, record);
      expectThat(anchors.length === 1 && own.includes(anchors[0] ?? ''), `The anchors are ${shown(anchors)}.`);
    },
  ],
  [
    ...(['complete', 'document: linksets', 'A linkset has every link of the record’s headers'] as const),
    async ({ kind, links }, context) => {
      const { answer } = await readKind(context, kind);
      const own = new Set(links.map(shownLink));
      const missing = answer.links.filter(({ rel }) => rel !== 'linkset').map(shownLink);
      expectSame(
        missing.find((link) => !own.has(link)),
        undefined,
        'What it lacks',
      );
    },
  ],
  [
    ...([
      'every-format',
      'document: linksets',
      'A linkset has an alternate link to each format of the record',
    ] as const),
    ({ kind, links }, { judge }) => {
      const formats = judge.operations.find(({ id }) => id === kind.operation)?.format?.enabled ?? [];
      expectSame(linksNamed(links, 'alternate').length, formats.length, 'The number of alternates');
    },
  ],
  [
    ...(['as-the-record', 'contract: Signposting, rule 1; document: linksets'] as const),
    'A linkset is refused to everybody who may not read the record, with the same status',
    async ({ kind, pathOf }, context) => {
      const { id, path } = await readKind(context, kind);
      for (const as of context.accounts) {
        const record = await context.ask({ path: `${path}?_format=json`, as });
        expectStatus(await context.ask({ path: pathOf(id), as }), record.status);
      }
    },
  ],
  [
    ...(['hides', 'contract: Signposting, rule 1', 'A linkset names nothing that its requester may not view'] as const),
    async ({ kind, pathOf }, context) => {
      const answer = await context.ask({ path: pathOf(kind.find(context).id) });
      if (answer.status !== 200) throw new CheckSkip('Visitors may not read it.');
      for (const { rel, target } of readLinkset(answer.json, context.baseUrl)) {
        const path = ['related', 'tag', 'describes'].includes(rel) ? belowBase(context, target) : undefined;
        if (path === undefined) continue;
        expectStatus(await context.ask({ path: rel === 'describes' ? path : `${path}?_format=json` }), 200);
      }
    },
  ],
  [
    ...(['absent', 'contract: Errors, 404', 'The linkset of nothing is 404'] as const),
    async ({ pathOf }, context) => {
      const path = pathOf(context.subjects.absentId);
      expectRefusal(await context.ask({ path, as: readerOf(context) }), 404);
    },
  ],
];
