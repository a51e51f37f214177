/** Checks the links of nodes and media: their form, the relations of the platform, references, other formats and targets. */
import type { Link } from '../../../../client/client.ts';
import { readLinkLine } from '../../../../exchange/exchange-target.ts';
import type { TargetContract } from '../../../target/contract-source.ts';
import { CheckSkip, expectSame, expectThat, expectType } from '../../answer.ts';
import type { Check } from '../../check.ts';
import { expectLinks, expectRelation, followLink, readLinks, shownLink, type SeenLinks } from './read-links.ts';
import { expectNone, readOk } from '../reading/reading-check.ts';
import { linksOfBoth, type WantedLink } from '../reading/record-oracle.ts';
import { allKinds, belowBase, formatsOf, recordsOf } from '../reading/seen-records.ts';
import { contractRule, referenceRule, checksOf, type Rule } from '../../rule.ts';

export const linkChecks = ({ site }: TargetContract): readonly Check[] =>
  allKinds(site)
    .filter(({ type }) => type === 'node' || type === 'media')
    .flatMap((kind) => checksOf(recordsOf('link', kind, readLinks), rules));

/** The links of an answer but for those to other formats. */
const withoutAlternates = (links: readonly Link[]): readonly string[] =>
  links.filter(({ rel }) => rel !== 'alternate').map(shownLink);

/** The links to what the fields of a record refer to. */
const isReference = ({ kind }: WantedLink): boolean => kind === 'tag' || kind === 'related';

const rules: readonly Rule<SeenLinks>[] = [
  contractRule('syntax', 'contract: Signposting; RFC 8288 §3')(
    'Each Link line follows RFC 8288 and has an absolute target',
    ({ answer }) => {
      const lines = answer.headers('link');
      expectThat(lines.length > 0, 'There is no Link header.');
      expectNone(lines.flatMap((line) => readLinkLine(line).violations).map((violation) => `A line ${violation}.`));
    },
  ),
  contractRule('canonical', 'contract: Signposting, platform relations')(
    'There is one canonical link, and it is the address of the record',
    (seen) => expectRelation(seen, 'canonical'),
  ),
  contractRule('alternates', 'contract: Signposting, Other representation')(
    'There is an alternate link for every other format, with its media type and no title, and none for its own',
    async (seen, context) => {
      for (const format of formatsOf(context, seen.kind)) {
        const { links } = await readOk(context, `${seen.path}?_format=${format}`);
        expectRelation(await linksOfBoth(context, seen, links, format), 'alternate');
      }
    },
  ),
  contractRule('references', 'contract: Signposting, Entity reference field, Taxonomy term tag')(
    'Each reference that the requester may view is a link: a term a tag with its name, others related with the label of the field',
    ({ links, wanted }) => expectLinks(links, wanted.filter(isReference)),
  ),
  contractRule('references-only', 'contract: Signposting, Entity reference field, Taxonomy term tag')(
    'There are as many tags, and as many related links with the label of a field, as references that may be viewed',
    ({ links, wanted }) => {
      const due = wanted.filter(isReference);
      const labels = new Set(due.filter(({ rel }) => rel === 'related').map(({ title }) => title));
      const own = links.filter(({ rel, title }) => rel === 'tag' || (rel === 'related' && labels.has(title)));
      expectSame(own.length, due.length, 'The number of links');
    },
  ),
  contractRule('same-in-each-format', 'contract: Signposting, rule 2')(
    'The links are the same in every format, but for those to other formats',
    async (seen, context) => {
      const { answer, path } = seen;
      if (!formatsOf(context, seen.kind).includes('jsonld')) throw new CheckSkip('There is no other format.');
      const other = await readOk(context, `${path}?_format=jsonld`);
      expectSame(withoutAlternates(other.links), withoutAlternates(answer.links), 'What the JSON-LD links to');
    },
  ),
  referenceRule('order', 'a real site')(
    'Links of the platform come first, then references in the order of their fields, then other formats',
    async (seen, context) => {
      const { links, wanted } = await linksOfBoth(context, seen, seen.answer.links);
      const own = links.map(shownLink);
      const due = wanted.filter((link) => isReference(link) || link.rel === 'alternate').map(shownLink);
      expectThat(!due.includes(own[0] ?? ''), 'The first link is none of the platform.');
      const common = due.filter((link) => own.includes(link));
      expectSame(
        own.filter((link) => due.includes(link)),
        common,
        'The order',
      );
    },
  ),
  contractRule('targets', 'contract: Signposting, rule 1')(
    'What a link to a record, a format or a file leads to answers 200 to who got the link',
    async ({ links }, context) => {
      const followed: ReadonlySet<string> = new Set(['canonical', 'related', 'tag', 'alternate', 'describes']);
      for (const link of links) {
        const path = followed.has(link.rel) ? belowBase(context, link.target) : undefined;
        if (path === undefined) continue;
        const answer = await followLink(context, link, path);
        expectThat(answer.status === 200, `${shownLink(link)} leads to ${answer.status}.`);
        if (link.type !== undefined) expectType(answer, link.type);
      }
    },
  ),
];
