/** Finds ids that fields may refer to: terms of a vocabulary, nodes, accounts, files. */
import type { FieldDefinition } from '../../../../repository/repository.ts';
import { CheckSkip } from '../../answer.ts';
import type { CheckContext } from '../../check.ts';
import { asMaker, create, fileBundles, kindOf, sharedWritten } from './record-kinds.ts';
import { orSkip } from '../reading/reading-check.ts';
import { itemsOf, numberIn, recordOf, valueIn } from '../../record-members.ts';

type Ids = readonly [number, number];

/**
 * Two ids of terms of a vocabulary. Those of the site's files count only where the target has them too; others are made.
 * Throws `CheckSkip` where neither works.
 */
const termsOf = (context: CheckContext, vocabulary: string): Promise<Ids> =>
  context.once(`terms of ${vocabulary}`, async (own) => {
    const candidates = own.contract.site.terms.filter((term) => term.vocabulary === vocabulary).slice(0, 4);
    const found: number[] = [];
    for (const { tid } of candidates) {
      if (found.length < 2 && (await isTermOf(own, tid, vocabulary))) found.push(tid);
    }
    while (found.length < 2) found.push((await newTerm(own, vocabulary)).id);
    const [first = 0, second = 0] = found;
    return [first, second];
  });

const isTermOf = async (context: CheckContext, tid: number, vocabulary: string): Promise<boolean> => {
  const answer = await asMaker(context, 'GET', `/taxonomy/term/${tid}`);
  return answer.status === 200 && valueIn(recordOf(answer), 'vid', 'target_id') === vocabulary;
};

const newTerm = async (context: CheckContext, vocabulary: string) => {
  const bundle = context.contract.site.model.bundle('taxonomy_term', vocabulary);
  const canCreate = context.judge.operations.some(({ id }) => id === 'createTerm');
  if (bundle === undefined || !canCreate) throw new CheckSkip(`There is no term of ${vocabulary} to refer to.`);
  return create(context, kindOf(context.contract.site, bundle, 'taxonomy_term'));
};

/** Two ids that a reference field may hold. */
export const targetsOf = async (context: CheckContext, { name, target }: FieldDefinition): Promise<Ids> => {
  const { type, bundles = [] } = target ?? {};
  if (type === 'taxonomy_term') return termsOf(context, vocabularyOf(context, target?.bundles));
  if (type === 'node') return nodesOf(context);
  if (type === 'user') return usersOf(context);
  if (type === 'media') return mediaOf(context, bundles[0] ?? '');
  throw new CheckSkip(`"${name}" refers to no records that a check can make.`);
};

const vocabularyOf = ({ contract }: CheckContext, bundles: readonly string[] | undefined): string => {
  const [vocabulary] = bundles ?? contract.site.model.bundles('taxonomy_term').map(({ id }) => id);
  return orSkip(vocabulary, 'The site has no vocabulary.');
};

const nodesOf = (context: CheckContext): Promise<Ids> =>
  context.once('two nodes', async ({ workspace }) => {
    const [first, second] = [await workspace.node(), await workspace.node()];
    return [first.id, second.id];
  });

/** The account that makes everything; it stands for both. */
const usersOf = ({ subjects }: CheckContext): Ids => {
  const uid = numberIn(subjects.node.record, 'uid', 'target_id');
  return [uid, uid];
};

const mediaOf = (context: CheckContext, bundle: string): Promise<Ids> =>
  context.once(`two media ${bundle}`, async (own) => {
    const [first, second] = await nodesOf(own);
    const { subjects, workspace } = own;
    const media = async (id: number) => (await workspace.media({ ...subjects.node, id }, bundle)).id;
    return [await media(first), await media(second)];
  });

/** A term of a vocabulary that the field does not allow. */
export const forbiddenTerm = async (context: CheckContext, { target }: FieldDefinition): Promise<number> => {
  const isForbidden = (id: string): boolean =>
    target?.type === 'taxonomy_term' && target.bundles?.includes(id) === false;
  const other = context.contract.site.terms.find(({ vocabulary }) => isForbidden(vocabulary));
  return (await termsOf(context, orSkip(other, 'The site has no term of another vocabulary.').vocabulary))[0];
};

/** The UUID of a record by its type and id. */
export const uuidOf = async (context: CheckContext, path: string): Promise<string> => {
  const answer = await asMaker(context, 'GET', path);
  const uuid = answer.status === 200 ? valueIn(recordOf(answer), 'uuid') : undefined;
  if (typeof uuid === 'string') return uuid;
  throw new CheckSkip(`The record at ${path} shows no UUID.`);
};

/** A file that no field of another extension may hold. */
export const fileOfOtherKind = async (
  context: CheckContext,
  { extensions: allowed = [] }: FieldDefinition,
): Promise<number> => {
  for (const bundle of fileBundles(context.contract)) {
    const field = bundle.source?.field ?? '';
    const own = bundle.fields.get(field)?.extensions;
    if (own?.[0] === undefined || allowed.includes(own[0])) continue;
    const { record } = await sharedWritten(context, kindOf(context.contract.site, bundle, 'media'));
    if (itemsOf(record, field).length > 0) return numberIn(record, field, 'target_id');
  }
  throw new CheckSkip('The site has no media for files of another extension.');
};
