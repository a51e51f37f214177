/** What collections do, in a Map: the rules in a few lines each, written without the program, for sequences drawn by chance. */
import fc from 'fast-check';

export type Value = Readonly<Record<string, unknown>>;
/** The records of each collection by the path of each, in their order, and the highest number seen. */
export type State = { readonly records: Map<string, Map<string, Value>>; readonly highest: Map<string, number> };

export type Drawn = { readonly text: string; readonly number: number; readonly id: string; readonly flag: boolean };

export type Kind = {
  readonly name: string;
  readonly parent?: string;
  /** The path of a list. `{}` is the path of its parent. */
  readonly path: string;
  readonly id: string;
  /** Numbers count, UUIDs are read from the answer, others are in the body. */
  readonly ids: 'counted' | 'made' | 'sent';
  readonly begins: readonly Value[];
  /** What clients write, by POST and by PUT. */
  readonly body: (drawn: Drawn, does: 'post' | 'put') => Value;
  readonly patch: (drawn: Drawn) => Value;
  /** What the server adds to a new record. */
  readonly added: Value;
  /** What a PUT leaves. */
  readonly kept: readonly string[];
  readonly isBodyRight: (body: Value) => boolean;
  readonly fits: (record: Value) => boolean;
  readonly does: readonly Step['does'][];
  readonly createsByPut: boolean;
  readonly success: Readonly<Partial<Record<Step['does'], number>>>;
};

export type Step = {
  readonly kind: string;
  readonly does: 'post' | 'put' | 'patch' | 'delete' | 'get' | 'list';
  /** Which of the records that are there, or were; beyond them one that never was. */
  readonly which: number;
  readonly parent: number;
  readonly drawn: Drawn;
};

export type Expected = {
  readonly status: number;
  readonly isMocked?: boolean;
  readonly record?: Value;
  readonly list?: readonly Value[];
  /** Where the record of a POST is put once its id is known. */
  readonly store?: (id: string) => void;
};

export const beginning = (kinds: readonly Kind[]): State => {
  const records = new Map<string, Map<string, Value>>();
  const highest = new Map<string, number>();
  for (const kind of kinds) {
    const rows = new Map<string, Value>();
    for (const { parentPath = '', ...value } of kind.begins)
      rows.set(pathOf(kind, parentPath as string, value[kind.id]), value);
    records.set(kind.name, rows);
    highest.set(kind.name, Math.max(0, ...kind.begins.map((value) => Number(value[kind.id]))));
  }
  return { records, highest };
};

export const copyOf = ({ records, highest }: State): State => ({
  records: new Map([...records].map(([name, rows]) => [name, new Map(rows)])),
  highest: new Map(highest),
});

const pathOf = (kind: Kind, parent: string, id: unknown): string =>
  `${kind.path.replace('{}', parent)}/${encodeURIComponent(String(id))}`;

const rowsOf = ({ records }: State, name: string): Map<string, Value> => records.get(name) ?? new Map<string, Value>();

/** The paths that a step may mean. Those of sent ids are the same few, there or not. */
const targetOf = (state: State, kind: Kind, step: Step, parent: string): string => {
  if (kind.ids === 'sent' || (step.does === 'put' && kind.createsByPut && step.drawn.flag))
    return pathOf(kind, parent, kind.ids === 'sent' ? step.drawn.id : uuids[step.which % uuids.length]);
  const paths = [...rowsOf(state, kind.name).keys()];
  return paths[step.which] ?? pathOf(kind, parent, kind.ids === 'counted' ? 900 + step.which : uuids[0]);
};
const uuids = ['11111111-2222-4333-8444-555555555555', '22222222-2222-4333-8444-555555555555'];

export const parentOf = (state: State, kind: Kind, step: Step): string =>
  kind.parent === undefined ? '' : ([...rowsOf(state, kind.parent).keys()][step.parent] ?? '/users/nobody');

export type Asked = { readonly method: string; readonly path: string; readonly body?: Value };

export const requestOf = (state: State, kind: Kind, step: Step): Asked => {
  const parent = parentOf(state, kind, step);
  const list = kind.path.replace('{}', parent);
  if (step.does === 'list') return { method: 'GET', path: list };
  if (step.does === 'post') return { method: 'POST', path: list, body: kind.body(step.drawn, 'post') };
  const path = targetOf(state, kind, step, parent);
  if (step.does === 'put') return { method: 'PUT', path, body: kind.body(step.drawn, 'put') };
  if (step.does === 'patch') return { method: 'PATCH', path, body: kind.patch(step.drawn) };
  return { method: step.does.toUpperCase(), path };
};

/** What is right for a step; the state is changed, but for the record of a POST. */
export const answerOf = (state: State, kinds: readonly Kind[], kind: Kind, step: Step): Expected => {
  const { method, path, body = {} } = requestOf(state, kind, step);
  const rows = rowsOf(state, kind.name);
  const parent = parentOf(state, kind, step);
  const status = kind.success[step.does] ?? 200;
  // 404: the parent first, then the record.
  if (kind.parent !== undefined && !rowsOf(state, kind.parent).has(parent)) return { status: 404 };
  if (step.does === 'list')
    return { status, list: [...rows].filter(([each]) => each.startsWith(`${path}/`)).map(([, value]) => value) };
  const parentMember =
    kind.parent === undefined ? {} : { userSlug: decodeURIComponent(parent.split('/').at(-1) ?? '') };
  if (method === 'POST') {
    if (!kind.isBodyRight(body)) return { status: 422 };
    const next = (state.highest.get(kind.name) ?? 0) + 1;
    const sentId = kind.ids === 'sent' ? body[kind.id] : kind.ids === 'counted' ? next : undefined;
    if (kind.ids === 'sent' && rows.has(pathOf(kind, parent, sentId))) return { status: 409 };
    const record = { ...kind.added, ...body, ...parentMember, ...(sentId === undefined ? {} : { [kind.id]: sentId }) };
    if (!kind.fits(record)) return { status, isMocked: true };
    const store = (id: string): void => {
      rows.set(pathOf(kind, parent, id), { ...record, [kind.id]: kind.ids === 'counted' ? Number(id) : id });
      state.highest.set(kind.name, next);
    };
    return { status, record, store };
  }
  const before = rows.get(path);
  if (before === undefined && !(method === 'PUT' && kind.createsByPut)) return { status: 404 };
  const id = before?.[kind.id] ?? decodeURIComponent(path.split('/').at(-1) ?? '');
  if (method === 'PUT') {
    if (!kind.isBodyRight(body) || (kind.id in body && body[kind.id] !== id)) return { status: 422 };
    const kept = kind.kept.map((name) => [name, (before ?? kind.added)[name]] as const);
    const record = { ...Object.fromEntries(kept), ...body, [kind.id]: id };
    if (!kind.fits(record)) return { status: 422 };
    rows.set(path, record);
    return { status: before === undefined ? (kind.success.post ?? status) : status, record };
  }
  if (method === 'PATCH') {
    const record = merged(before ?? {}, body);
    if (!kind.fits(record)) return { status: 422 };
    rows.set(path, record);
    return { status, record };
  }
  if (method === 'DELETE') {
    rows.delete(path);
    for (const child of kinds.filter((each) => each.parent === kind.name)) {
      const own = rowsOf(state, child.name);
      for (const each of own.keys()) if (each.startsWith(`${path}/`)) own.delete(each);
    }
    return { status };
  }
  return { status, ...(before === undefined ? {} : { record: before }) };
};

/** RFC 7396, for patches without objects. */
const merged = (record: Value, patch: Value): Value =>
  Object.fromEntries(Object.entries({ ...record, ...patch }).filter(([, value]) => value !== null));

export const stepsOf = (kinds: readonly Kind[]): fc.Arbitrary<Step> =>
  fc.constantFrom(...kinds).chain((kind) =>
    fc.record({
      kind: fc.constant(kind.name),
      does: fc.constantFrom(...kind.does),
      which: fc.nat(5),
      parent: fc.nat(3),
      drawn: fc.record({
        text: fc.constantFrom('A', 'B', 'Ć', ''),
        number: fc.nat(3),
        id: fc.constantFrom('a', 'b', 'a/b', '__proto__', 'é'),
        flag: fc.boolean(),
      }),
    }),
  );
