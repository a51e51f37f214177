/** Makes the id of a new record, of the kind that its collection has. */
import type { MakeSample } from '../answers/sample.ts';
import type { Schemas } from '../schemas/schemas.ts';
import { singularOf } from './names.ts';
import type { CollectionPlan } from './plan.ts';

export type IdOptions = {
  readonly schemas: Schemas;
  readonly sample: MakeSample;
  /** That of the member. */
  readonly schema: unknown;
  readonly uuid: () => string;
  readonly nextNumber: () => number;
  readonly isFree: (id: unknown) => boolean;
};

/** How many texts are tried. */
const mostTries = 50;

/** Undefined where none was found that the schema allows. */
export const newId = ({ idKind, path }: CollectionPlan, options: IdOptions): string | number | undefined => {
  const { schemas, sample, schema, uuid, nextNumber, isFree } = options;
  if (idKind === 'uuid') return uuid();
  const fits = (id: unknown): boolean => schemas.check(schema ?? true, 'response')(id).length === 0;
  const word = singularOf(path.split('/').at(-1) ?? '').toLowerCase();
  for (let tries = 0; tries < mostTries; tries += 1) {
    const number = nextNumber();
    const texts = (): unknown[] => [
      `${word}-${number}`,
      String(number),
      sample(schema ?? true, { name: word, isDynamic: true, variation: String(number) }),
    ];
    const candidates = idKind === 'integer' ? [number] : texts();
    const found = candidates.find((id) => fits(id) && isFree(id));
    if (typeof found === 'string' || typeof found === 'number') return found;
  }
  return undefined;
};
