/** Arranges the records that an author gives to a collection: their keys follow from their members, and each fits the document. */
import { isRecord } from '../../basics/json.ts';
import type { Schemas } from '../schemas/schemas.ts';
import { fullMessage } from '../schemas/violations.ts';
import type { CollectionRecord } from './collection-store.ts';
import { type CollectionPlan, idsIn, keyOf } from './plan.ts';
import { idText, parentIds } from './seeds.ts';

/** `left`: the records that are left out, and why. */
export type Arranged = {
  readonly records: readonly { readonly given: CollectionRecord; readonly id: string }[];
  readonly left: readonly { readonly given: CollectionRecord; readonly reason: string }[];
};

/** The id of a record that does not say its own is the one that it was given under. */
export const arranged = (plan: CollectionPlan, given: readonly CollectionRecord[], schemas: Schemas): Arranged => {
  const check = schemas.check(plan.record.media.schema ?? true, 'response');
  const records: { given: CollectionRecord; id: string }[] = [];
  const left: { given: CollectionRecord; reason: string }[] = [];
  const taken = new Set<string>();
  for (const record of given) {
    const id = keyFor(plan, record);
    const [fault] = check(record.value);
    const reason =
      fault === undefined
        ? faultOfKey(id, taken)
        : `is not as the document says: ${fault.pointer || '/'} ${fullMessage(fault)}`;
    if (reason !== undefined || id === undefined) {
      left.push({ given: record, reason: reason ?? '' });
      continue;
    }
    taken.add(id);
    records.push({ given: record, id });
  }
  return { records, left };
};

const faultOfKey = (id: string | undefined, taken: ReadonlySet<string>): string | undefined => {
  if (id === undefined) return 'does not say what it is below';
  return taken.has(id) ? `has the id ${JSON.stringify(id)} of another record` : undefined;
};

const keyFor = (plan: CollectionPlan, { id, value }: CollectionRecord): string | undefined => {
  const { parentParameters, idMember, idParameter } = plan;
  const count = parentParameters.length + (idParameter === undefined ? 0 : 1);
  const given = idsIn(id, count);
  const parents = parentIds(plan, value).map((own, at) => own ?? (given.length === count ? given[at] : undefined));
  const own = idMember === undefined ? [] : [(isRecord(value) ? idText(value[idMember]) : undefined) ?? given.at(-1)];
  const ids = [...parents, ...own];
  return ids.includes(undefined) ? undefined : keyOf(ids as string[]);
};
