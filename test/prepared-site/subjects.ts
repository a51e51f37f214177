/** Requests for an operation: one that is right, and many that are wrong in one place each. */
import type { RawParameters } from '../../src/openapi/openapi-parts.ts';
import { type DocumentObject, rawOperation, type RawOperation } from '../../src/openapi/openapi-terms.ts';
import type { Operation } from '../../src/repository/repository-engine.ts';

/** What a backend looks at. */
export type Subject = { readonly raw: RawParameters; readonly body?: unknown };

/** Makes a value for a schema of a request. */
export type SampleOf = (schema: unknown) => Promise<unknown>;

type Tree = Record<string, unknown>;
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null;

/** Values that few schemas allow all of. */
const strange: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 1e21, '', 'x', '7', 'true', ' \u{1f600} '.repeat(200), '2024-02-30T12:00:00Z'],
  ...[[], {}, { value: 'x' }, { value: 7 }, { target_id: 1 }, { target_uuid: 'x' }, [{ value: 'x' }], { unknown: 1 }],
];

/** The ways to all values inside of a value, its own included. */
const waysInto = (value: unknown, way: readonly string[] = []): (readonly string[])[] => [
  way,
  ...(isTree(value) ? Object.entries(value).flatMap(([name, inside]) => waysInto(inside, [...way, name])) : []),
];

/** A copy of a value that is changed in one place. */
const changedAt = (value: unknown, way: readonly string[], change: (holder: Tree, name: string) => void): unknown => {
  const copy: Tree = { whole: structuredClone(value) };
  const steps = ['whole', ...way];
  let holder = copy;
  for (const step of steps.slice(0, -1)) holder = holder[step] as Tree; // the way leads through trees
  change(holder, steps.at(-1) ?? '');
  return copy['whole'];
};

/** Makes the value, or a copy of it with one place left out, replaced, doubled, or with a member too many. */
const variantsOf = (value: unknown): (() => unknown)[] => [
  () => value,
  ...waysInto(value).flatMap((way) => {
    const changes: ((holder: Tree, name: string) => void)[] = [
      (holder, name) => Reflect.deleteProperty(holder, name),
      (holder, name) => (holder[name] = [holder[name], holder[name]]),
      (holder, name) => {
        const there = holder[name];
        if (!isTree(there)) return;
        there[Array.isArray(there) ? there.length : 'unknown'] = structuredClone(Object.values(there)[0] ?? 1);
      },
      ...strange.map((other) => (holder: Tree, name: string) => void (holder[name] = structuredClone(other))),
    ];
    return changes.map((change) => () => changedAt(value, way, change));
  }),
];

/** At most so many variants of a value, evenly chosen, the value itself first. */
export const someVariants = (value: unknown, most: number): unknown[] => {
  const variants = variantsOf(value);
  const step = Math.ceil(variants.length / most);
  return variants.filter((_, index) => index % step === 0).map((make) => make());
};

type Schema = Readonly<Record<string, unknown>>;

/** A body with every member that the schema names, also those that may be left out. */
const wholeBody = async ({ properties = {} }: Schema, sampleOf: SampleOf): Promise<Tree> => {
  const members = Object.entries(properties as Readonly<Record<string, Schema>>);
  return Object.fromEntries(
    await Promise.all(members.map(async ([name, each]) => [name, await sampleOf(each)] as const)),
  );
};

const bodiesOf = async ({ requestBody }: RawOperation, most: number, sampleOf: SampleOf): Promise<unknown[]> => {
  const { schema, example, examples = {} } = requestBody?.content['application/json'] ?? {};
  const given = [example, ...Object.values(examples).map(({ value }) => value)].filter((each) => each !== undefined);
  const made = schema === undefined ? [] : [await sampleOf(schema), await wholeBody(schema, sampleOf)];
  return [...given, ...made].flatMap((each) => someVariants(each, most));
};

/** The values of the parameters by their places. */
const parametersOf = async ({ described }: Operation, sampleOf: SampleOf): Promise<Tree> => {
  const parts: Record<string, Tree> = { path: {}, query: {}, header: {} };
  for (const { in: part, name, schema } of described.parameters) {
    const values = parts[part];
    if (values !== undefined) values[name] = await sampleOf(schema ?? {});
  }
  return parts;
};

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const texts = (part: unknown): Record<string, string> =>
  isTree(part) ? Object.fromEntries(Object.entries(part).map(([name, value]) => [name, text(value)])) : {};

/** As a client would write them, with a value that was sent twice in the query. */
const rawOf = ({ path, query, header }: Tree): RawParameters => ({
  path: Object.fromEntries(Object.entries(texts(path)).map(([name, value]) => [name, encodeURIComponent(value)])),
  query: new URLSearchParams(
    Object.entries(isTree(query) ? query : {}).flatMap(([name, value]) =>
      (Array.isArray(value) ? (value as unknown[]) : [value]).map((each): [string, string] => [name, text(each)]),
    ),
  ).toString(),
  headers: Object.fromEntries(Object.entries(texts(header)).map(([name, value]) => [name.toLowerCase(), value])),
});

/** `most` bounds the number of bodies, and of each part of the parameters. */
export const subjectsOf = async (
  document: DocumentObject,
  operation: Operation,
  { most, sampleOf }: { readonly most: number; readonly sampleOf: SampleOf },
): Promise<Subject[]> => {
  const parameters = await parametersOf(operation, sampleOf);
  const raw = rawOperation(document, operation);
  const bodies = raw === undefined ? [] : await bodiesOf(raw, most, sampleOf);
  const withParameters = Object.entries(parameters).flatMap(([part, value]) =>
    someVariants(value, most).map((each) => ({ raw: rawOf({ ...parameters, [part]: each }) })),
  );
  return [...withParameters, ...bodies.map((body) => ({ raw: rawOf(parameters), body }))];
};
