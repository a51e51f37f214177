/** Reads the links of a record, and those that Atoll makes of the same record. */
import { linksNamed, readLinkset, type Link } from '../../../../client/client.ts';
import type { TargetAccount } from '../../../../exchange/exchange-target.ts';
import { CheckFailure, CheckSkip, expectSame, shown, type Answer } from '../../answer.ts';
import type { CheckContext } from '../../check.ts';
import { valueIn, type JsonRecord } from '../../record-members.ts';
import { readBytes, readerOf, readOk } from '../reading/reading-check.ts';
import { linksOfBoth, type LinksOfBoth } from '../reading/record-oracle.ts';
import { belowBase, readKind, type SeenKind, type SeenRecord } from '../reading/seen-records.ts';

export type SeenLinks = SeenRecord & LinksOfBoth;

/** The record of a kind with its links: the whole linkset where the `Link` header names one. */
export const readAllLinks = async (context: CheckContext, kind: SeenKind): Promise<SeenLinks> => {
  const seen = await readKind(context, kind);
  return { ...seen, ...(await linksOfBoth(context, seen, await wholeLinks(context, seen.answer))) };
};

/** The same on a site that has more links than those of the platform. Throws `CheckSkip` on another. */
export const readLinks = async (context: CheckContext, kind: SeenKind): Promise<SeenLinks> => {
  if (!context.contract.site.linkHeaders) throw new CheckSkip('This site has no links of records.');
  return readAllLinks(context, kind);
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

/** Throws `CheckFailure` unless there is each of the wanted links. */
export const expectLinks = (links: readonly Link[], wanted: readonly Link[]): void => {
  const all = links.map(shownLink);
  const missing = wanted.find((link) => !all.includes(shownLink(link)));
  if (missing === undefined) return;
  const same = links.filter(({ rel }) => rel === missing.rel).map(shownLink);
  throw new CheckFailure(
    `There is no ${shownLink(missing)}, ${same.length === 0 ? 'nor another of this relation' : `but ${same.join(', ')}`}.`,
  );
};

/** Throws `CheckFailure` unless the links of a relation are the wanted ones. */
export const expectRelation = ({ links, wanted }: LinksOfBoth, rel: string): void => {
  const due = wanted.filter((link) => link.rel === rel);
  expectLinks(links, due);
  expectSame(links.filter((link) => link.rel === rel).length, due.length, `The number of links of the relation ${rel}`);
};

/** The addresses of a record: its path, or its alias where it has one. */
export const addressesOf = ({ baseUrl }: CheckContext, path: string, record: JsonRecord): readonly string[] => {
  const alias = valueIn(record, 'path', 'alias');
  const own = `${baseUrl}${path}`;
  return typeof alias === 'string' ? [own, baseUrl + alias.split('/').map(encodeURIComponent).join('/')] : [own];
};
