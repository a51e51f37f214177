/** Reads and writes maps by rows: where a value is, how it is read, and how it is written again. */
import { withValueAt } from '../json-pointer.ts';
import { type Data, dataOf, valueAt } from './lenient-values.ts';

/** `read` returns undefined where the value says nothing, `write` where nothing is written. */
type Row<Context, Owner> = readonly [
  path: string,
  read: (value: unknown, context: Context) => unknown,
  write?: (owner: Owner) => unknown,
];

/** By the keys of the map that they make. */
export type Rows<Context = unknown, Owner = never> = Readonly<Record<string, Row<Context, Owner>>>;

type Value<R extends Rows<never>, Key extends keyof R> = Exclude<ReturnType<R[Key][1]>, undefined>;

/** What rows read, by their keys. One that always reads something is never missing. */
export type ReadBy<R extends Rows<never>> = {
  -readonly [Key in keyof R as undefined extends ReturnType<R[Key][1]> ? Key : never]?: Value<R, Key>;
} & { -readonly [Key in keyof R as undefined extends ReturnType<R[Key][1]> ? never : Key]: Value<R, Key> };

/** What a map says, without the keys of which it says nothing. */
export const readRows = <Context, R extends Rows<Context>>(rows: R, map: unknown, context = {} as Context): ReadBy<R> =>
  Object.fromEntries(
    Object.entries(rows).flatMap(([key, [path, read]]) => {
      const value = read(valueAt(map, path), context);
      return value === undefined ? [] : [[key, value]];
    }),
  ) as ReadBy<R>; // each row reads the value of its key

/** The map that the rows write of their owner. */
export const writeRows = <Owner>(rows: Rows<never, Owner>, owner: Owner): Data => {
  let whole: Data = {};
  for (const [path, , write] of Object.values(rows)) {
    const value = write?.(owner);
    if (value !== undefined) whole = dataOf(withValueAt(whole, path.split('.'), value));
  }
  return whole;
};
