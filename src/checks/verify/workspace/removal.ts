/** Removes what a run has made, and tells what stays. */
import type { Site } from '../../../core/site/site.ts';
import type { TargetAccount } from '../../../exchange/accounts.ts';
import { TargetError } from '../../../exchange/target-errors.ts';
import type { Answer } from '../answer.ts';
import type { AskedRequest } from '../check.ts';
import { fieldRoles, targetsIn } from '../field-roles.ts';
import { firstMember } from '../record-members.ts';
import type { Journal, MadeEntity, MadeType } from './journal.ts';

/** Something that was made and could not be removed. */
export type LeftEntity = { readonly entity: MadeEntity; readonly path: string; readonly reason: string };

export type Removal = { readonly removed: number; readonly left: readonly LeftEntity[] };

export type RemovalParts = {
  readonly ask: (request: AskedRequest) => Promise<Answer>;
  readonly account: TargetAccount;
  readonly site: Site;
};

const paths: Readonly<Record<MadeType, (id: number) => string>> = {
  node: (id) => `/node/${id}`,
  media: (id) => `/media/${id}`,
  file: (id) => `/entity/file/${id}`,
  taxonomy_term: (id) => `/taxonomy/term/${id}`,
};

export const pathOf = ({ type, id }: MadeEntity): string => paths[type](id);

/** Media before their files: a file that is in use may stay. Nodes and terms come last. */
const order: readonly MadeType[] = ['media', 'file', 'node', 'taxonomy_term'];

/** How many removals are sent at a time. */
const parallel = 4;

/** Removes everything that the journal has left. Does not throw. */
export const removeMade = async (journal: Journal, parts: RemovalParts): Promise<Removal> => {
  const before = journal.left();
  const left: LeftEntity[] = [];
  for (const type of order) {
    // The youngest first: a later record may refer to an earlier one.
    const waiting = before
      .filter((entity) => entity.type === type)
      .reverse()
      .values();
    await Promise.all(
      Array.from({ length: parallel }, async () => {
        for (const entity of waiting) {
          const reason = await remove(entity, parts);
          if (reason === undefined) await journal.removed(entity);
          else left.push({ entity, path: pathOf(entity), reason });
        }
      }),
    );
  }
  return { removed: before.length - left.length, left };
};

/** The file that a media refers to. Undefined when it cannot be read. */
export const fileOfMedia = async (media: MadeEntity, parts: RemovalParts): Promise<MadeEntity | undefined> => {
  const { record } = await readRecord(pathOf(media), parts);
  const bundle = targetsIn(record, 'bundle', 'text')[0];
  const field = bundle === undefined ? undefined : fieldRoles(parts.site).sourceField(bundle);
  const [id] = targetsIn(record, field);
  const uuid = field === undefined ? undefined : firstMember(record, field, 'target_uuid');
  if (id === undefined) return undefined;
  return { type: 'file', id, ...(typeof uuid === 'string' ? { uuid } : {}) };
};

export type ReadRecord = {
  /** Undefined when no answer came. */
  readonly status: number | undefined;
  /** Empty unless the status is 200. */
  readonly record: Readonly<Record<string, unknown>>;
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
  const isRecord = answer?.status === 200 && typeof answer.json === 'object' && answer.json !== null;
  const record = isRecord ? (answer.json as Readonly<Record<string, unknown>>) : {}; // JSON objects have such members
  return { status: answer?.status, record };
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
