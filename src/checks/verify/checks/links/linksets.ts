/** Checks linksets (RFC 9264): their form, that they hold every link of the headers, and that they hide what is hidden. */
import { isRecord } from '../../../../basics/json.ts';
import { linksNamed, readLinkset } from '../../../../client/link.ts';
import { linksetMediaType } from '../../../../core/links/link-context.ts';
import { anonymousAccount } from '../../../../exchange/accounts.ts';
import { CheckSkip, expectRefusal, expectStatus, expectThat, shown } from '../../answer.ts';
import { type Check, type CheckContext, contractRule } from '../../check.ts';
import type { JsonRecord } from '../../record-members.ts';
import { addressesOf, shownLink } from './read-links.ts';
import { readerOf, readingCheck, readOk } from '../reading/reading-check.ts';
import { belowBase, readKind, seenKinds, type SeenKind } from '../reading/seen-records.ts';

type LinksetKind = { readonly kind: SeenKind; readonly operation: string; readonly path: (id: number) => string };

const kinds: readonly LinksetKind[] = [
  { kind: seenKinds.node, operation: 'getNodeLinkset', path: (id) => `/node/${id}/linkset` },
  { kind: seenKinds.media, operation: 'getMediaLinkset', path: (id) => `/media/${id}/linkset` },
];

export const linksetChecks = (): readonly Check[] =>
  kinds.flatMap((kind) => rules.map((rule) => linksetCheck(kind, rule)));

type Parts = {
  readonly set: LinksetKind;
  readonly id: number;
  readonly contexts: readonly JsonRecord[];
  readonly json: unknown;
};

type LinksetRule = {
  readonly name: string;
  readonly rule: string;
  readonly source: string;
  readonly expect: (parts: Parts, context: CheckContext) => void | Promise<void>;
};

const linksetCheck = (set: LinksetKind, { name, rule, source, expect }: LinksetRule): Check =>
  readingCheck({
    ...contractRule(`linkset.${set.kind.word}.${name}`, source),
    rule: `${rule} (${set.kind.word}).`,
    operations: [set.operation, set.kind.operation],
    run: async (context) => {
      if (!context.contract.site.linkHeaders) throw new CheckSkip('This site has no links of records.');
      const { id } = set.kind.find(context);
      const { json } = await readOk(context, set.path(id));
      const contexts = isRecord(json) && Array.isArray(json['linkset']) ? json['linkset'].filter(isRecord) : [];
      await expect({ set, id, contexts, json }, context);
    },
  });

const rules: readonly LinksetRule[] = [
  {
    name: 'media-type',
    rule: 'A linkset is of the type application/linkset+json',
    source: 'RFC 9264 §4.2; document: linksets',
    expect: async ({ set, id }, context) => {
      const answer = await readOk(context, set.path(id));
      expectThat(answer.mediaType === linksetMediaType, `It is ${shown(answer.header('content-type'))}.`);
    },
  },
  {
    name: 'form',
    rule: 'A linkset is a list of link contexts, whose relations are lists of targets with an absolute href',
    source: 'RFC 9264 §4.2',
    expect: ({ contexts, json }) => {
      expectThat(
        contexts.length > 0 && isRecord(json) && Object.keys(json).join() === 'linkset',
        `It is ${shown(json)}.`,
      );
      for (const one of contexts) {
        for (const [rel, targets] of Object.entries(one)) {
          if (rel === 'anchor') continue;
          const isList = Array.isArray(targets) && targets.length > 0;
          expectThat(isList, `${rel} is ${shown(targets)}.`);
          const bad: unknown = targets.find(
            (target: unknown) => !isRecord(target) || !/^https?:\/\/./.test(String(target['href'])),
          );
          expectThat(bad === undefined, `${rel} has ${shown(bad)}.`);
        }
      }
    },
  },
  {
    name: 'anchor',
    rule: 'The anchor of a linkset is the address of the record',
    source: 'RFC 9264 §4.2.2',
    expect: async ({ set, contexts }, context) => {
      const { path, record } = await readKind(context, set.kind);
      const anchors = contexts.map(({ anchor }) => String(anchor));
      const own = addressesOf(context, path, record);
      expectThat(anchors.length === 1 && own.includes(anchors[0] ?? ''), `The anchors are ${shown(anchors)}.`);
    },
  },
  {
    name: 'complete',
    rule: 'A linkset has every link of the record’s headers',
    source: 'document: linksets',
    expect: async ({ set, json }, context) => {
      const { answer } = await readKind(context, set.kind);
      const own = new Set(readLinkset(json, context.baseUrl).map(shownLink));
      const missing = answer.links.find((link) => link.rel !== 'linkset' && !own.has(shownLink(link)));
      expectThat(missing === undefined, `It lacks ${missing === undefined ? '' : shownLink(missing)}.`);
    },
  },
  {
    name: 'every-format',
    rule: 'A linkset has an alternate link to each format of the record',
    source: 'document: linksets',
    expect: ({ set, json }, context) => {
      const formats = context.judge.operations.find(({ id }) => id === set.kind.operation)?.format?.enabled ?? [];
      const alternates = linksNamed(readLinkset(json, context.baseUrl), 'alternate');
      expectThat(
        alternates.length === formats.length,
        `It has ${alternates.length} alternates, and ${formats.length} formats.`,
      );
    },
  },
  {
    name: 'as-the-record',
    rule: 'A linkset is refused to everybody who may not read the record, with the same status',
    source: 'contract: Signposting, rule 1; document: linksets',
    expect: async ({ set, id }, context) => {
      const { path } = await readKind(context, set.kind);
      for (const as of context.accounts) {
        const record = await context.ask({ path: `${path}?_format=json`, as });
        expectStatus(await context.ask({ path: set.path(id), as }), record.status);
      }
    },
  },
  {
    name: 'hides',
    rule: 'A linkset names nothing that its requester may not view',
    source: 'contract: Signposting, rule 1',
    expect: async ({ set, id }, context) => {
      const answer = await context.ask({ path: set.path(id), as: anonymousAccount });
      if (answer.status !== 200) throw new CheckSkip('Visitors may not read it.');
      for (const link of readLinkset(answer.json, context.baseUrl)) {
        const path = ['related', 'tag', 'describes'].includes(link.rel) ? belowBase(context, link.target) : undefined;
        if (path === undefined) continue;
        const target = await context.ask({ path: link.rel === 'describes' ? path : `${path}?_format=json` });
        expectStatus(target, 200);
      }
    },
  },
  {
    name: 'absent',
    rule: 'The linkset of nothing is 404',
    source: 'contract: Errors, 404',
    expect: async ({ set }, context) => {
      expectRefusal(await context.ask({ path: set.path(context.subjects.absentId), as: readerOf(context) }), 404);
    },
  },
];
