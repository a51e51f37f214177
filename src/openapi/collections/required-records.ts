/** Refuses requests for records that are not there, or whose parents are not. */
import { Refusal } from '../refusal.ts';
import type { CollectionRequest } from './collection-request.ts';
import type { CollectionsView } from './collection-store.ts';
import { type CollectionPlan, keyOf } from './plan.ts';

/** An absent parent is refused before its records are, the outermost first. */
export const requireParents = async (
  plan: CollectionPlan,
  parents: readonly string[],
  { request, host }: Pick<CollectionRequest, 'request' | 'host'>,
): Promise<void> => {
  const { parent } = plan;
  if (parent === undefined) return;
  const { collection } = parent;
  if (collection === undefined) {
    let at = 0;
    const path = parent.path.replaceAll(/\{[^{}]*\}/g, () => encodeURIComponent(parents[at++] ?? ''));
    await host.requireParent?.(path, request);
    return;
  }
  await requireParents(collection, parents.slice(0, collection.parentParameters.length), { request, host });
  const key = keyOf(parents);
  if ((await host.store.get(collection.name, key)) === undefined) throw absentRecord(collection, key);
};

/** The same in a transaction: a parent may be gone by then. */
export const requireParentsIn = (view: CollectionsView, plan: CollectionPlan, parents: readonly string[]): void => {
  const collection = plan.parent?.collection;
  if (collection === undefined) return;
  requireParentsIn(view, collection, parents.slice(0, collection.parentParameters.length));
  const key = keyOf(parents);
  if (view.get(collection.name, key) === undefined) throw absentRecord(collection, key);
};

export const absentRecord = ({ name }: CollectionPlan, key: string): Refusal =>
  new Refusal('absent', `${name} has no record ${JSON.stringify(key.slice(0, 200))}.`);
