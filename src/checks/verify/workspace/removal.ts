/** Removes what a run has made, and what the site has made of it, and tells what stays. */
import { isRecord } from '../../../basics/json.ts';
import { inParallel } from '../../../basics/semaphore.ts';
import { canonicalPath, type Site } from '../../../repository/repository.ts';
import type { TargetAccount } from '../../../exchange/exchange-target.ts';
import { TargetError } from '../../../exchange/exchange.ts';
import { linksNamed } from '../../../client/client.ts';
import type { Answer } from '../answer.ts';
import type { AskedRequest } from '../check.ts';
import { fieldRoles, targetsIn } from '../field-roles.ts';
import { type JsonRecord, valueIn } from '../record-members.ts';
import type { Journal, MadeEntity, MadeType } from './journal.ts';

/** Something that stays. What belongs to somebody else is not asked for again. */
export type LeftEntity = {
  readonly entity: MadeEntity;
  readonly path: string;
  readonly reason: string;
  readonly isForeign?: true;
};

export type Removal = { readonly removed: number; readonly left: readonly LeftEntity[] };

export type RemovalParts = {
  readonly ask: (request: AskedRequest) => Promise<Answer>;
  readonly account: TargetAccount;
  readonly site: Site;
  /** Whether the site makes derivatives by itself. */
  readonly makesDerivatives: boolean;
};

export const pathOf = ({ type, id }: MadeEntity): string => canonicalPath(type, id);

/**
 * Redirects may lead elsewhere whatever comes after them. Media before their files: a file that is in use may stay. Nodes and terms come last. No derivative is begun any more when the media are
 * gone, and none is put to a node that is gone, so each node is looked at right before its end.
 */
const order: readonly MadeType[] = ['redirect', 'media', 'file', 'node', 'taxonomy_term'];

/** How many removals are sent at a time. */
const parallel = 4;

/** Removes these, by default everything that the journal has left. Does not throw. */
export const removeMade = async (
  journal: Journal,
  parts: RemovalParts,
  before: readonly MadeEntity[] = journal.left(),
): Promise<Removal> => {
  const left: LeftEntity[] = [];
  const known = new Set(before.filter(({ type }) => type === 'media').map(({ id }) => id));
  let derived = 0;
  const removeOne = async (entity: MadeEntity): Promise<void> => {
    const reason = await remove(entity, parts);
    if (reason === undefined) await journal.removed(entity);
    else left.push({ entity, path: pathOf(entity), reason });
  };
  const removeDerivatives = async (node: number): Promise<void> => {
    for (const id of await mediaOfNode(node, parts)) {
      if (known.has(id)) continue;
      known.add(id);
      for (const entity of await derivativeWithFile(id, parts)) {
        derived += 1;
        await journal.made(entity);
        await removeOne(entity);
      }
    }
  };
  for (const type of order) {
    // The youngest first: a later record may refer to an earlier one.
    const waiting = before.filter((entity) => entity.type === type).reverse();
    await inParallel(waiting, parallel, async (entity) => {
      if (type === 'node' && parts.makesDerivatives) await removeDerivatives(entity.id);
      await removeOne(entity);
    });
  }
  return { removed: before.length + derived - left.length, left };
};

/** The ids in the links of a node to its media. */
export const mediaLinked = ({ links }: Pick<Answer, 'links'>): number[] =>
  linksNamed(links, 'related').flatMap(({ target }) => {
    const id = /\/media\/(\d+)(?:\/edit)?$/.exec(target)?.[1];
    return id === undefined ? [] : [Number(id)];
  });

/** By its links and by the list of its media: a site may link only to media of some uses, and not every site has the list. */
const mediaOfNode = async (node: number, { ask, account }: RemovalParts): Promise<ReadonlySet<number>> => {
  const read = (path: string): Promise<Answer | undefined> =>
    ask({ path: `${path}?_format=json`, as: account, isJudged: false }).catch(() => undefined);
  const [record, list] = [await read(`/node/${node}`), await read(`/node/${node}/media`)];
  const rows: readonly unknown[] = list?.status === 200 && Array.isArray(list.json) ? list.json : [];
  const listed = rows.map((row) => valueIn(row, 'mid')).filter((id) => typeof id === 'number');
  return new Set([...(record === undefined ? [] : mediaLinked(record)), ...listed]);
};

/** In milliseconds. */
const sameTime = 60_000;

/** A derivative, and its file if it was made with it: one that is older belongs to somebody else. */
const derivativeWithFile = async (id: number, parts: RemovalParts): Promise<readonly MadeEntity[]> => {
  const media: MadeEntity = { type: 'media', id, isUpload: true };
  const { record } = await readRecord(pathOf(media), parts);
  const [, file] = await mediaWithFile(media, parts);
  if (file === undefined) return [media];
  const createdAt = (of: JsonRecord): number => Date.parse(String(valueIn(of, 'created')));
  const age = createdAt(record) - createdAt((await readRecord(pathOf(file), parts)).record);
  return age <= sameTime ? [media, file] : [media];
};

/** A media with its UUID, by which it is known whatever happens to it, and then the file that it refers to, as far as they can be read. */
export const mediaWithFile = async (
  media: MadeEntity,
  parts: Omit<RemovalParts, 'makesDerivatives'>,
): Promise<readonly [MadeEntity, MadeEntity?]> => {
  const { record } = await readRecord(pathOf(media), parts);
  const field = fieldRoles(parts.site).sourceField(String(valueIn(record, 'bundle', 'target_id')));
  const [id] = targetsIn(record, field);
  const named = (uuid: unknown) => (typeof uuid === 'string' ? { uuid } : {});
  const known: MadeEntity = { ...media, ...named(valueIn(record, 'uuid')) };
  if (id === undefined) return [known];
  return [known, { type: 'file', id, ...named(valueIn(record, field ?? '', 'target_uuid')) }];
};

export type ReadRecord = {
  /** Undefined when no answer came. */
  readonly status: number | undefined;
  /** Empty unless the status is 200. */
  readonly record: JsonRecord;
};

/** The record at a path, of a media also at its edit form. */
export const readRecord = async (
  path: string,
  { ask, account }: Pick<RemovalParts, 'ask' | 'account'>,
): Promise<ReadRecord> => {
  const read = (at: string): Promise<Answer | undefined> =>
    ask({ path: `${at}?_format=json`, as: account, isJudged: false }).catch(() => undefined);
  const first = await read(path);
  const answer = first?.status !== 200 && path.startsWith('/media/') ? await read(`${path}/edit`) : first;
  return { status: answer?.status, record: answer?.status === 200 && isRecord(answer.json) ? answer.json : {} };
};

/** Returns why it stays. What is gone already counts as removed. */
const remove = async (entity: MadeEntity, { ask, account, site }: RemovalParts): Promise<string | undefined> => {
  const path = pathOf(entity);
  const send = async (at: string): Promise<Answer> =>
    ask({ method: 'DELETE', path: `${at}?_format=json`, as: account, isJudged: false });
  try {
    const answer = await send(path);
    // Where a site has no address for media of their own, they are at their edit form.
    const isMoved = entity.type === 'media' && !site.standaloneMedia && [404, 405].includes(answer.status);
    const last = isMoved ? await send(`${path}/edit`) : answer;
    const status = last.status === 405 ? answer.status : last.status;
    return [204, 404, 410].includes(status) ? undefined : `DELETE ${path} answered ${status}`;
  } catch (error) {
    return error instanceof TargetError ? error.message : String(error);
  }
};
