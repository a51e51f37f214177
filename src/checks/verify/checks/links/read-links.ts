/** Reads the links of a record, and says which links its references should make. */
import { fieldTypeOf } from '../../../../core/fields/field-types.ts';
import { linksNamed, readLinkset, type Link } from '../../../../client/link.ts';
import type { TargetAccount } from '../../../../exchange/accounts.ts';
import { CheckFailure, CheckSkip, expectStatus, shown, type Answer } from '../../answer.ts';
import type { CheckContext } from '../../check.ts';
import { itemsOf, recordOf, valueIn, type JsonRecord } from '../../record-members.ts';
import { readBytes, readerOf, readOk } from '../reading/reading-check.ts';
import { belowBase, readKind, recordPath, type SeenKind, type SeenRecord } from '../reading/seen-records.ts';

export type SeenLinks = SeenRecord & { readonly links: readonly Link[] };

/** The record of a kind with its links: the whole linkset where the `Link` header names one. Throws `CheckSkip` on a site without `Link` headers. */
export const readLinks = async (context: CheckContext, kind: SeenKind, as?: TargetAccount): Promise<SeenLinks> => {
  if (!context.contract.site.linkHeaders) throw new CheckSkip('This site has no links of records.');
  const seen = await readKind(context, kind, as);
  return { ...seen, links: await wholeLinks(context, seen.answer, as) };
};

/** The links of an answer, with those of the linkset that it names. */
export const wholeLinks = async (
  context: CheckContext,
  { links }: Answer,
  as?: TargetAccount,
): Promise<readonly Link[]> => {
  const [linkset] = linksNamed(links, 'linkset');
  const path = linkset === undefined ? undefined : belowBase(context, linkset.target);
  if (path === undefined) return links;
  const answer = await readOk(context, path, as);
  const own = links.filter(({ rel }) => rel === 'alternate');
  return [...readLinkset(answer.json, context.baseUrl).filter(({ rel }) => rel !== 'alternate'), ...own];
};

/** What a link to a path below the base URL leads to: bytes, another format, or a record. */
export const followLink = async (
  context: CheckContext,
  { rel }: Link,
  path: string,
  as: TargetAccount = readerOf(context),
): Promise<Answer> => {
  if (rel === 'describes') return (await readBytes(context, path, as)).answer;
  return context.ask({ path: rel === 'alternate' ? path : `${path}?_format=json`, as });
};

/** A link as a message shows it. */
export const shownLink = ({ target, rel, title, type }: Link): string =>
  `<${target}>; rel="${rel}"${title === undefined ? '' : `; title=${shown(title)}`}${type === undefined ? '' : `; type="${type}"`}`;

/** Throws `CheckFailure` unless one of the links is as wanted. */
export const expectLink = (links: readonly Link[], wanted: Link): void => {
  const isThere = links.some((link) => shownLink(link) === shownLink(wanted));
  if (isThere) return;
  const same = links.filter(({ rel }) => rel === wanted.rel).map(shownLink);
  throw new CheckFailure(
    `There is no ${shownLink(wanted)}, but ${same.length === 0 ? 'none of this relation' : same.join(', ')}.`,
  );
};

/** The addresses of a record: its path, or its alias where it has one. */
export const addressesOf = ({ baseUrl }: CheckContext, path: string, record: JsonRecord): readonly string[] => {
  const alias = valueIn(record, 'path', 'alias');
  const own = `${baseUrl}${path}`;
  return typeof alias === 'string' ? [own, baseUrl + alias.split('/').map(encodeURIComponent).join('/')] : [own];
};

/** What a reference of a field should make: a link, or nothing where the visitor may not see the target. */
type ExpectedLink = {
  readonly rel: 'tag' | 'related';
  readonly title: string;
  readonly targets: readonly string[];
};

/** The links that the reference fields of a record should make for an account, in order. Reads each target. */
export const expectedLinks = async (
  context: CheckContext,
  { record, bundle }: SeenRecord,
  as: TargetAccount = readerOf(context),
): Promise<readonly ExpectedLink[]> => {
  const fields = [...bundle.fields.values()].filter(
    (field) => field.configured && fieldTypeOf(field).refers === 'plainly',
  );
  const expected: ExpectedLink[] = [];
  for (const field of fields.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    for (const { target_id: id, target_type: type } of itemsOf(record, field.name)) {
      if (typeof id !== 'number' || !isLinked(type)) continue;
      const path = recordPath(context, type, id);
      const answer = await context.ask({ path: `${path}?_format=json`, as });
      if (answer.status === 401 || answer.status === 403) continue;
      const target = recordOf(expectStatus(answer, 200));
      expected.push(
        type === 'taxonomy_term'
          ? tagOf(context, path, target)
          : { rel: 'related', title: field.label, targets: addressesOf(context, path, target) },
      );
    }
  }
  return expected;
};

type LinkedType = 'node' | 'media' | 'taxonomy_term' | 'user';
const linkedTypes: ReadonlySet<unknown> = new Set(['node', 'media', 'taxonomy_term', 'user']);
const isLinked = (type: unknown): type is LinkedType => linkedTypes.has(type);

/** A term stands for an address elsewhere: that of `field_external_uri`. An authority link leads nowhere. Else the tag is the term. */
const tagOf = (context: CheckContext, path: string, term: JsonRecord): ExpectedLink => {
  const elsewhere = externalUrisOf(term);
  // The target of a link is escaped, and a parser may add the slash of an empty path.
  const targets = elsewhere.flatMap((uri) => [uri, new URL(uri).href]);
  return {
    rel: 'tag',
    title: String(valueIn(term, 'name')),
    targets: targets.length > 0 ? targets : addressesOf(context, path, term),
  };
};

/** The address elsewhere that a term stands for, as a list. */
export const externalUrisOf = (term: JsonRecord): readonly string[] => {
  const uri = valueIn(term, 'field_external_uri', 'uri');
  return typeof uri === 'string' && /^https?:\/\//i.test(uri) && URL.canParse(uri) ? [uri] : [];
};
