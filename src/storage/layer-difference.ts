/** Finds the records that may differ between two frozen layers. What both share is not looked at. */
import type { EntityKey } from '../core/model/entity.ts';
import type { FrozenRecords } from './record-layer.ts';

/**
 * Each key once, in no order. Where both descend from one layer, only the keys of the layers above it are passed, so the
 * cost depends on what has changed since. Where they have no layer in common, every key is.
 */
export function* possiblyChangedKeys(before: FrozenRecords, after: FrozenRecords): Generator<EntityKey> {
  const afterChain = new Set(chainOf(after));
  const shared = chainOf(before).find((layer) => afterChain.has(layer));
  const afterLayers = above(after, shared);
  const beforeLayers = above(before, shared);
  yield* keysOf(afterLayers, []);
  yield* keysOf(beforeLayers, afterLayers);
}

const chainOf = (top: FrozenRecords): readonly FrozenRecords[] => {
  const layers: FrozenRecords[] = [];
  for (let each: FrozenRecords | undefined = top; each !== undefined; each = each.base) layers.push(each);
  return layers;
};

const above = (top: FrozenRecords, shared: FrozenRecords | undefined): readonly FrozenRecords[] => {
  const layers = chainOf(top);
  return shared === undefined ? layers : layers.slice(0, layers.indexOf(shared));
};

/** The keys of these layers that none of the others has. */
function* keysOf(layers: readonly FrozenRecords[], others: readonly FrozenRecords[]): Generator<EntityKey> {
  for (const [position, layer] of layers.entries()) {
    const earlier = [...others, ...layers.slice(0, position)];
    for (const key of layer.records.keys()) if (!earlier.some(({ records }) => records.has(key))) yield key;
  }
}
