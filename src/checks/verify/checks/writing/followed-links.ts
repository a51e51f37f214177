/** Reads links as a client does, and follows them. */
import type { Link } from '../../../../client/client.ts';
import { CheckSkip, expectStatus, expectThat, type Answer } from '../../answer.ts';
import type { CheckContext } from '../../check.ts';
import { asMaker } from './record-kinds.ts';
import { recordOf, valueIn, type JsonRecord } from '../../record-members.ts';

/** The links of a record, as its maker sees them. Throws `CheckSkip` where the answer comes from a cache and may be old. */
export const linksOf = async (context: CheckContext, path: string): Promise<readonly Link[]> =>
  fresh(await asMaker(context, 'GET', path)).links;

/** A record as its maker sees it. Throws `CheckSkip` where the answer comes from a cache. */
export const freshRecord = async (context: CheckContext, path: string): Promise<JsonRecord> =>
  recordOf(fresh(await asMaker(context, 'GET', path)));

const fresh = (answer: Answer): Answer => {
  const isOld = ['x-drupal-dynamic-cache', 'x-drupal-cache'].some((name) => answer.header(name) === 'HIT');
  if (isOld) throw new CheckSkip('The target answers from a cache, which shows other records as they were.');
  return expectStatus(answer, 200);
};

/** The path below the base URL that a link leads to. Throws when it leads to another server. */
export const pathOf = ({ baseUrl }: CheckContext, { target }: Link): string => {
  expectThat(target.startsWith(`${baseUrl}/`), `The link leads to another server: ${target}.`);
  return target.slice(baseUrl.length);
};

/** Throws unless there is one link. */
export const onlyLink = (links: readonly Link[], words: string): Link => {
  const [link] = links;
  expectThat(link !== undefined && links.length === 1, `There are ${links.length} links ${words}, not one.`);
  return link;
};

type Row = { readonly field: string; readonly id: number; readonly word: string };

/** Throws unless a list has a record before something is done, and not any more afterwards. */
export const expectListedUntil = async (
  context: CheckContext,
  path: string,
  { field, id, word }: Row,
  done: () => Promise<unknown>,
): Promise<void> => {
  const isListed = async (): Promise<boolean> => {
    const { json } = expectStatus(await asMaker(context, 'GET', path), 200);
    return Array.isArray(json) && json.some((record: unknown) => valueIn(record, field) === id);
  };
  expectThat(await isListed(), `The list has no ${word} ${id}.`);
  await done();
  expectThat(!(await isListed()), `The list still has ${word} ${id}.`);
};
