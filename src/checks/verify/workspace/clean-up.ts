/** Removes what an interrupted run has left, by its journal. Nothing is removed that does not carry the mark of that run. */
import { ConfigurationError } from '../../../basics/configuration-error.ts';
import { createSender, examineTarget } from '../../../exchange/exchange-target.ts';
import type { OpenedTarget } from '../../target/open-target.ts';
import { mostPermittedOf } from '../account-permissions.ts';
import { askingPartsFor, createAsking } from '../requests.ts';
import { derivativeSources } from '../derivative-sources.ts';
import { fieldRoles, targetsIn } from '../field-roles.ts';
import { type JsonRecord, valueIn } from '../record-members.ts';
import { slugOf } from '../sample-file.ts';
import { type Journal, type MadeEntity, openJournal } from './journal.ts';
import { findTerms } from './known-terms.ts';
import { madeBy } from './making-watch.ts';
import { minimalNode } from './node-body.ts';
import {
  mediaWithFile,
  type LeftEntity,
  mediaLinked,
  pathOf,
  readRecord,
  type ReadRecord,
  type Removal,
  type RemovalParts,
  removeMade,
} from './removal.ts';

type Cleaning = RemovalParts & {
  /** A term for the kind of a node, where the site requires one. */
  readonly model: number | undefined;
};

/** A killed run had at most so many requests under way, and others may have made nodes meanwhile. */
const mostProbes = 50;

/** Removes everything of the run that has just ended, also what it saw no answer of. Does not throw. */
export const removeAll = async (journal: Journal, cleaning: Cleaning): Promise<Removal> => {
  if (journal.unknown().length > 0) await findLost(journal, cleaning).catch(() => undefined);
  const removal = await removeMade(journal, cleaning);
  if (removal.left.length === 0) await journal.end();
  return removal;
};

/** As `removeAll`, for a run of the past: by now its ids may belong to something else. Throws `TargetError`. */
const cleanUp = async (journal: Journal, cleaning: Cleaning): Promise<Removal> => {
  await findLost(journal, cleaning);
  const stays: LeftEntity[] = [];
  const own: MadeEntity[] = [];
  const records = new Map<MadeEntity, ReadRecord>();
  for (const entity of journal.left()) records.set(entity, await readRecord(pathOf(entity), cleaning));
  const isOwn = ownIn(records, journal.label, fieldRoles(cleaning.site).mediaOf);
  for (const [entity, { status, record }] of records) {
    const path = pathOf(entity);
    if (status !== 200 && status !== 404 && status !== 410) {
      const reason = `it cannot be read (${status ?? 'no answer'}), so whose it is cannot be known`;
      stays.push({ entity, path, reason });
    } else if (status === 200 && isOwn(entity, record)) own.push(entity);
    else {
      await journal.removed(entity);
      const reason = `it does not carry the label "${journal.label}", so it belongs to somebody else`;
      if (status === 200) stays.push({ entity, path, reason, isForeign: true });
    }
  }
  const { removed, left } = await removeMade(journal, cleaning, own);
  // What cannot be found any more is looked for once.
  if (journal.left().length === 0) await journal.end();
  return { removed, left: [...left, ...stays] };
};

/** Finds nodes and media whose requests were sent, but whose answers the run did not see. */
const findLost = async (journal: Journal, cleaning: Cleaning): Promise<void> => {
  const unknown = journal.unknown();
  if (unknown.includes('node')) {
    const known = journal.left().flatMap(({ type, id }) => (type === 'node' ? [id] : []));
    const last = await newestNode(journal, cleaning);
    const ids = Array.from({ length: mostProbes }, (_, at) => (last ?? Math.max(0, ...known) + mostProbes) - at);
    for (const id of ids.filter((each) => each > 0 && !known.includes(each))) {
      const { record } = await readRecord(`/node/${id}`, cleaning);
      if (isTitled(record, journal.label)) await journal.made({ type: 'node', id });
    }
  }
  // Every upload is to a node of the run, and a node links to its media.
  if (!unknown.includes('media')) return;
  for (const { type, id } of journal.left()) {
    if (type !== 'node') continue;
    const answer = await cleaning.ask({ path: `/node/${id}?_format=json`, as: cleaning.account, isJudged: false });
    for (const media of mediaLinked(answer)) {
      if (journal.left().some((one) => one.type === 'media' && one.id === media)) continue;
      const found: MadeEntity = { type: 'media', id: media, isUpload: true };
      await journal.made(found);
      const [, file] = await mediaWithFile(found, cleaning);
      if (file !== undefined && isInFolder((await readRecord(pathOf(file), cleaning)).record, journal.label))
        await journal.made(file);
    }
  }
};

/** Files of a run lie in a folder that has its label as its name. */
const isInFolder = (file: JsonRecord, label: string): boolean =>
  JSON.stringify(file['uri'] ?? '').includes(slugOf(label));

/** Ids rise: a node that is made now tells where to look. It is removed with the others. */
const newestNode = async (journal: Journal, { ask, account, site, model }: Cleaning): Promise<number | undefined> => {
  const roles = fieldRoles(site);
  const title = `${journal.label} clean`;
  const json = minimalNode({ roles, title, container: journal.container, model });
  const made = madeBy(
    'node',
    await ask({ method: 'POST', path: '/node?_format=json', as: account, json, isJudged: false }),
  );
  if (made !== undefined) await journal.made(made);
  return made?.id;
};

const isTitled = (record: JsonRecord, label: string): boolean => String(valueIn(record, 'title')).startsWith(label);

/** Tells whether a record is one of the run. */
const ownIn = (records: ReadonlyMap<MadeEntity, ReadRecord>, label: string, mediaOf: string) => {
  const nodes = [...records].filter(([{ type }, { record }]) => type === 'node' && isTitled(record, label));
  const ownNodes = new Set(nodes.map(([{ id }]) => id));
  const isNamed = ({ name = '' }: JsonRecord, part: string): boolean => JSON.stringify(name).includes(part);
  return ({ type, id, uuid }: MadeEntity, record: JsonRecord): boolean => {
    if (uuid !== undefined && valueIn(record, 'uuid') === uuid) return true;
    if (type === 'node') return ownNodes.has(id);
    if (type === 'file') return isInFolder(record, label);
    if (type === 'taxonomy_term') return isNamed(record, label);
    if (type === 'redirect') return JSON.stringify(record['redirect_source'] ?? '').includes(slugOf(label));
    return targetsIn(record, mediaOf).some((node) => ownNodes.has(node)) || isNamed(record, slugOf(label));
  };
};

type Cleaned = Removal & { readonly journal: string; readonly label: string };

/** Throws `TargetError` for a target that does not answer, and `ConfigurationError` for a journal that is of another one. */
export const cleanTarget = async (opened: OpenedTarget, file: string): Promise<Cleaned> => {
  const { contract, accounts } = opened;
  const journal = await openJournal(file);
  const { baseUrl } = opened.sender;
  if (journal.target !== baseUrl)
    throw new ConfigurationError(`${file} is of a run against ${journal.target}, not against ${baseUrl}.`);
  const account = accounts.find(({ name }) => name === journal.account) ?? mostPermittedOf(contract.site, accounts);
  if (account === undefined)
    throw new ConfigurationError(`There are no credentials of "${journal.account}". Name a file with --accounts.`);
  const { isDrupal } = await examineTarget(opened.sender);
  const sender = createSender(opened.sender);
  try {
    const parts = askingPartsFor(opened, sender);
    const { ask } = createAsking(parts);
    const { site } = contract;
    const [model] = await findTerms({ site, judge: parts.judge, account, ask }, fieldRoles(site).modelVocabularies, 1);
    const makesDerivatives = derivativeSources(site, isDrupal).length > 0;
    const removal = await cleanUp(journal, { ask, account, site, model, makesDerivatives });
    return { ...removal, journal: file, label: journal.label };
  } finally {
    sender.close();
  }
};
