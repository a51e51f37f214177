/** Reads `data/differences.yml`, the list of what differs from a real site on purpose. Its head says what a row means. */
import { join } from 'node:path';
import * as v from 'valibot';
import { readYaml } from '../../basics/yaml/read-yaml.ts';

/** A regular expression, in which a dot is any character. It begins with `(?i)` when letter case does not count. */
const pattern = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((text) => {
    const source = String(text);
    return source.startsWith('(?i)') ? new RegExp(source.slice(4), 'is') : new RegExp(source, 's');
  }),
);

const whole = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((text) => new RegExp(`^(?:${text})$`)),
);

/** Null is any value, and an empty text none at all. */
const value = v.union([
  v.null(),
  v.pipe(
    v.literal(''),
    v.transform(() => /^$/),
  ),
  pattern,
]);

const explanation = v.strictObject({
  method: v.optional(whole),
  path: v.optional(pattern),
  sent: v.optional(pattern),
  fails: v.optional(pattern),
  claims: v.optional(pattern),
  theirs: v.optional(pattern),
  theirType: v.optional(pattern),
  ours: v.optional(pattern),
  status: v.optional(v.tuple([whole, whole])),
  places: v.optional(v.record(v.string(), v.tuple([value, value]))),
});

const row = { id: v.string(), question: v.string(), shows: v.optional(v.array(explanation), []) };

const differencesFile = v.strictObject({
  differences: v.array(v.strictObject({ ...row, real: v.string(), atoll: v.string(), why: v.string() })),
  notEmulated: v.array(v.strictObject(row)),
});

export type Explanation = v.InferOutput<typeof explanation>;

/** A deliberate difference, which a page of the documentation has as a row. `shows` is empty when two answers do not tell that this is the cause. */
export type DeliberateDifference = {
  readonly id: string;
  /** The first cell of the row. */
  readonly question: string;
  readonly page: 'differences' | 'not-emulated';
  readonly shows: readonly Explanation[];
};

/** `root` is the folder of the package. Throws `ConfigurationError`. */
export const readDifferences = async (root: string): Promise<readonly DeliberateDifference[]> => {
  const { differences, notEmulated } = await readYaml(join(root, 'data/differences.yml'), differencesFile);
  return [
    ...differences.map(({ id, question, shows }) => ({ id, question, shows, page: 'differences' as const })),
    ...notEmulated.map((one) => ({ ...one, page: 'not-emulated' as const })),
  ];
};
