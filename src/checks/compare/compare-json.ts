/** Compares two values of JSON, member by member. */
import { encodeStep } from '../../basics/json-pointer.ts';
import { isPlaceholder, isSecretMember } from '../../exchange/exchange.ts';
import type { Difference } from './difference.ts';
import type { IdPlaces, Path } from './json-paths.ts';
import { meetSecret, sameId, sameText, type Common } from './equal-values.ts';

export type JsonComparison = Common & {
  readonly idKindAt: IdPlaces;
  /** Whether the answers are lists that the site gives in no order. */
  readonly isUnordered?: boolean | undefined;
};

/** More of one answer help nobody. */
const maxDifferences = 200;

type Roots = { readonly target: unknown; readonly atoll: unknown };
type Comparing = JsonComparison & { readonly roots: Roots; readonly found: Difference[] };

/** What differs below `at`, a JSON Pointer. */
export const compareJson = (at: string, roots: Roots, comparison: JsonComparison): Difference[] => {
  const found: Difference[] = [];
  compareAt({ at, path: [], ...roots }, { target: undefined, atoll: undefined }, { ...comparison, roots, found });
  return found;
};

type Here = Roots & { readonly at: string; readonly path: Path };

const compareAt = (here: Here, parents: Roots, comparing: Comparing): void => {
  const { target, atoll, at } = here;
  const { found } = comparing;
  if (found.length >= maxDifferences) return;
  const [theirs, ours] = [membersOf(target), membersOf(atoll)];
  if (theirs === undefined || ours === undefined || Array.isArray(target) !== Array.isArray(atoll)) {
    if (!sameValue(here, parents, comparing)) found.push({ place: at, target, atoll });
    return;
  }
  if (refersElsewhere(here, theirs, ours, comparing)) return;
  for (const name of new Set([...Object.keys(theirs), ...Object.keys(ours)])) {
    const place = `${at}/${encodeStep(name)}`;
    const [a, b] = [ownValue(theirs, name), ownValue(ours, name)];
    if (a === undefined || b === undefined) found.push({ place, target: a, atoll: b });
    else compareAt({ at: place, path: [...here.path, name], target: a, atoll: b }, { target, atoll }, comparing);
  }
};

/** A reference to another record differs in everything; its id says enough. */
const refersElsewhere = (here: Here, theirs: Members, ours: Members, comparing: Comparing): boolean => {
  if (!('target_id' in theirs) || !('target_id' in ours)) return false;
  const before = comparing.found.length;
  const [target, atoll] = [theirs['target_id'], ours['target_id']];
  compareAt(
    { at: `${here.at}/target_id`, path: [...here.path, 'target_id'], target, atoll },
    { target: theirs, atoll: ours },
    comparing,
  );
  return comparing.found.length > before;
};

const sameValue = ({ target, atoll, path }: Here, parents: Roots, comparing: Comparing): boolean => {
  if (typeof target !== typeof atoll) return isRedactedNumber(target, atoll);
  const isId = typeof target === 'number' || (typeof target === 'string' && /^\d+$/.test(target));
  const kind = isId ? comparing.idKindAt(path, comparing.roots.target, parents.target) : undefined;
  if (kind !== undefined && kind === comparing.idKindAt(path, comparing.roots.atoll, parents.atoll)) {
    return sameId(kind, String(target), String(atoll), comparing);
  }
  if (typeof target !== 'string' || typeof atoll !== 'string') return target === atoll;
  const name = path.filter((step) => !/^\d+$/.test(step)).at(-1) ?? '';
  if ((isSecretMember(name) || isPlaceholder(target)) && target !== '' && atoll !== '')
    return meetSecret(target, atoll, comparing.pairs);
  return sameText(target, atoll, comparing);
};

/** A recording may hold a placeholder in place of a number. */
const isRedactedNumber = (target: unknown, atoll: unknown): boolean =>
  typeof target === 'string' && target.startsWith('[redacted:') && typeof atoll === 'number';

type Members = Readonly<Record<string, unknown>>;

const ownValue = (members: Members, name: string): unknown =>
  Object.hasOwn(members, name) ? members[name] : undefined;

const membersOf = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null ? (value as Members) : undefined; // a list has its indexes as names
