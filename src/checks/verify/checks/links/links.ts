/** Checks the links of nodes and media: their form, the relations of the platform, references, other formats and targets. */
import { linksNamed, type Link } from '../../../../client/link.ts';
import { readLine } from '../../../../exchange/link-syntax.ts';
import { mediaTypes } from '../../../../core/representations/represent.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckFailure, CheckSkip, expectSame, expectThat, expectType, shown } from '../../answer.ts';
import { type Check, type CheckContext, contractRule, referenceRule, type RuleHead } from '../../check.ts';
import {
  addressesOf,
  expectedLinks,
  expectLink,
  followLink,
  readLinks,
  shownLink,
  type SeenLinks,
} from './read-links.ts';
import { expectNone, readerOf, readingCheck, readOk } from '../reading/reading-check.ts';
import { allKinds, belowBase, type SeenKind } from '../reading/seen-records.ts';

export const linkChecks = ({ site }: TargetContract): readonly Check[] =>
  allKinds(site)
    .filter(({ type }) => type === 'node' || type === 'media')
    .flatMap((kind) => rules.map((rule) => linkCheck(kind, rule)));

type LinkRule = RuleHead & {
  readonly expect: (seen: SeenLinks, context: CheckContext, kind: SeenKind) => void | Promise<void>;
};

const linkCheck = (kind: SeenKind, { name, rule, source, severity, expect }: LinkRule): Check =>
  readingCheck({
    ...{ source, severity },
    name: `link.${kind.word}.${name}`,
    rule: `${rule} (${kind.word}).`,
    operations: [kind.operation],
    run: async (context) => expect(await readLinks(context, kind), context, kind),
  });

/** The links of an answer but for those to other formats. */
const withoutAlternates = (links: readonly Link[]): readonly string[] =>
  links.filter(({ rel }) => rel !== 'alternate').map(shownLink);

const rules: readonly LinkRule[] = [
  {
    ...contractRule('syntax', 'contract: Signposting; RFC 8288 §3'),
    rule: 'Each Link line follows RFC 8288 and has an absolute target',
    expect: ({ answer }) => {
      const lines = answer.headers('link');
      expectThat(lines.length > 0, 'There is no Link header.');
      expectNone(lines.flatMap((line) => readLine(line).violations).map((violation) => `A line ${violation}.`));
    },
  },
  {
    ...contractRule('canonical', 'contract: Signposting, platform relations'),
    rule: 'There is one canonical link, and it is the address of the record',
    expect: ({ links, record, path }, context) => {
      const canonical = linksNamed(links, 'canonical');
      expectThat(canonical.length === 1, `There are ${canonical.length} canonical links.`);
      const own = addressesOf(context, path, record);
      const target = canonical[0]?.target ?? '';
      expectThat(own.includes(target), `It is ${shown(target)}, and the record is ${own.join(' or ')}.`);
    },
  },
  {
    ...contractRule('alternates', 'contract: Signposting, Other representation'),
    rule: 'There is an alternate link for every other format, with its media type and no title, and none for its own',
    expect: async ({ path, record }, context, kind) => {
      const formats = context.judge.operations.find(({ id }) => id === kind.operation)?.format?.enabled ?? [];
      for (const own of formats) {
        const { links } = await readOk(context, `${path}?_format=${own}`);
        const found = linksNamed(links, 'alternate');
        for (const format of formats.filter((name) => name !== own)) {
          const link = found.find(({ type }) => type === mediaTypes[format]);
          expectThat(link !== undefined, `As ${own} it has no alternate of the type ${mediaTypes[format]}.`);
          const targets = addressesOf(context, path, record).map((address) => `${address}?_format=${format}`);
          expectThat(targets.includes(link.target), `The alternate leads to ${shown(link.target)}.`);
          expectSame(link.title, undefined, 'The title of the alternate');
        }
        expectSame(found.length, formats.length - 1, `The number of alternates as ${own}`);
      }
    },
  },
  {
    ...contractRule('references', 'contract: Signposting, Entity reference field, Taxonomy term tag'),
    rule: 'Each reference that the requester may view is a link: a term a tag with its name, others related with the label of the field',
    expect: async (seen, context) => {
      for (const { rel, title, targets } of await expectedLinks(context, seen)) {
        const found = seen.links.some(
          (link) => link.rel === rel && link.title === title && targets.includes(link.target),
        );
        if (!found) expectLink(seen.links, { rel, title, target: targets[0] ?? '' });
      }
    },
  },
  {
    ...contractRule('references-only', 'contract: Signposting, Entity reference field, Taxonomy term tag'),
    rule: 'There are as many tags, and as many related links with the label of a field, as references that may be viewed',
    expect: async (seen, context) => {
      const expected = await expectedLinks(context, seen);
      const labels = new Set(expected.filter(({ rel }) => rel === 'related').map(({ title }) => title));
      const own = seen.links.filter(
        ({ rel, title }) => rel === 'tag' || (rel === 'related' && labels.has(title ?? '')),
      );
      expectSame(own.length, expected.length, 'The number of links');
    },
  },
  {
    ...contractRule('titles', 'contract: Signposting, table'),
    rule: 'Links to related entities and tags have a title; other formats and source files have a type instead',
    expect: ({ links }) => {
      for (const link of links) {
        const isTitled = link.rel === 'related' || link.rel === 'tag';
        expectThat(!isTitled || (link.title ?? '') !== '', `${shownLink(link)} has no title.`);
        const isTyped = link.rel === 'alternate' || link.rel === 'describes';
        expectThat(!isTyped || link.type !== undefined, `${shownLink(link)} has no type.`);
        expectThat(isTitled || link.title === undefined, `${shownLink(link)} has a title.`);
      }
    },
  },
  {
    ...contractRule('same-in-each-format', 'contract: Signposting, rule 2'),
    rule: 'The links are the same in every format, but for those to other formats',
    expect: async ({ answer, path }, context, kind) => {
      const operation = context.judge.operations.find(({ id }) => id === kind.operation);
      if (operation?.format?.enabled.includes('jsonld') !== true) throw new CheckSkip('There is no other format.');
      const other = await readOk(context, `${path}?_format=jsonld`);
      expectSame(withoutAlternates(other.links), withoutAlternates(answer.links), 'What the JSON-LD links to');
    },
  },
  {
    ...contractRule('same-for-head', 'contract: Endpoints, HEAD'),
    rule: 'HEAD has the links of GET, in their order',
    expect: async ({ answer, path }, context) => {
      const head = await context.ask({ method: 'HEAD', path: `${path}?_format=json`, as: readerOf(context) });
      expectSame(head.headers('link'), answer.headers('link'), 'What HEAD links to');
    },
  },
  {
    ...referenceRule('order', 'a real site'),
    rule: 'Links of the platform come first, then references in the order of their fields, then other formats',
    expect: async (seen, context) => {
      const ranks = seen.answer.links.map(({ rel }) =>
        rel === 'tag' || rel === 'related' ? 1 : rel === 'alternate' ? 2 : 0,
      );
      const ofRecord = ranks.slice(ranks.indexOf(1)).filter((rank) => rank > 0);
      expectThat(
        ofRecord.every((rank, at) => at === 0 || rank >= (ofRecord[at - 1] ?? 0)),
        'A reference comes after an alternate.',
      );
      expectThat(ranks[0] === 0, 'The first link is none of the platform.');
      const titles = seen.links.flatMap(({ rel, title }) => (rel === 'tag' || rel === 'related' ? [title] : []));
      const expected = (await expectedLinks(context, seen)).map(({ title }) => title);
      expectSame(titles.slice(0, expected.length), expected, 'The titles');
    },
  },
  {
    ...contractRule('own-address', 'contract: Signposting; docs/use/differences.md: Base URL of links'),
    rule: 'Links to records lead to the base URL of the server',
    expect: ({ links }, context) => {
      const kinds = ['canonical', 'related', 'alternate', 'edit-media', 'edit-form', 'version-history'];
      const foreign = links.find(({ rel, target }) => kinds.includes(rel) && belowBase(context, target) === undefined);
      if (foreign !== undefined) throw new CheckFailure(`${shownLink(foreign)} leads elsewhere.`);
    },
  },
  {
    ...contractRule('targets', 'contract: Signposting, rule 1'),
    rule: 'What a link to a record, a format or a file leads to answers 200 to who got the link',
    expect: async ({ links }, context) => {
      const followed: ReadonlySet<string> = new Set(['canonical', 'related', 'tag', 'alternate', 'describes']);
      for (const link of links) {
        const path = followed.has(link.rel) ? belowBase(context, link.target) : undefined;
        if (path === undefined) continue;
        const answer = await followLink(context, link, path);
        expectThat(answer.status === 200, `${shownLink(link)} leads to ${answer.status}.`);
        if (link.type !== undefined) expectType(answer, link.type);
      }
    },
  },
];
