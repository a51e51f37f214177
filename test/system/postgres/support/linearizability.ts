/**
 * Tells whether the history of one record is linearizable: whether each operation can have happened in one moment between its
 * call and its answer, in one order for all clients. Records are checked one by one, because linearizability is a property of
 * each object alone.
 */

/** The fields of a record as a client sees them; undefined is a record that is not there. */
export type RecordState = Readonly<Record<string, string>> | undefined;

/** What a client asked for and learned. */
export type Action =
  /** The record was made with these fields. */
  | { readonly kind: 'create'; readonly fields: Readonly<Record<string, string>> }
  /** These fields were changed; the others stay. */
  | { readonly kind: 'change'; readonly fields: Readonly<Record<string, string>> }
  /** The record has these fields alone, whether or not it was there. */
  | { readonly kind: 'put'; readonly fields: Readonly<Record<string, string>> }
  | { readonly kind: 'delete' }
  /** This was seen. */
  | { readonly kind: 'read'; readonly seen: RecordState };

/**
 * One request. `called` and `answered` are numbers from one sequence that the clients share. An operation without an answer,
 * or whose answer leaves open what happened, has no `answered`: it may have happened at any time after its call, or never.
 */
export type Operation = {
  readonly action: Action;
  readonly called: number;
  readonly answered?: number;
  /** Whose request it was, for messages. */
  readonly client: string;
};

/** Why a history is refused: no order explains this operation's answer. */
export type Violation = { readonly operation: Operation; readonly possible: readonly RecordState[] };

/** The state after the action. False when the action cannot have had this outcome in this state. */
const apply = (state: RecordState, action: Action): RecordState | false => {
  if (action.kind === 'create') return state === undefined ? { ...action.fields } : false;
  if (action.kind === 'put') return { ...action.fields };
  if (action.kind === 'read') return keyOf(state) === keyOf(action.seen) ? state : false;
  if (state === undefined) return false;
  return action.kind === 'delete' ? undefined : { ...state, ...action.fields };
};

const keyOf = (state: RecordState): string =>
  state === undefined
    ? 'absent'
    : JSON.stringify(Object.entries(state).sort(([one], [other]) => (one < other ? -1 : 1)));

/** What may be the case at one moment: the state, and which of the open operations have happened. */
type Possibility = { readonly state: RecordState; readonly happened: ReadonlySet<Operation> };

/** Possibilities without doubles. `numbers` names each operation. */
const createPossibilities = (numbers: ReadonlyMap<Operation, number>) => {
  const byKey = new Map<string, Possibility>();
  return {
    add: (possibility: Possibility): boolean => {
      const happened = [...possibility.happened].map((each) => numbers.get(each) ?? -1).sort((a, b) => a - b);
      const key = `${happened.join(',')} ${keyOf(possibility.state)}`;
      if (byKey.has(key)) return false;
      byKey.set(key, possibility);
      return true;
    },
    all: (): Possibility[] => [...byKey.values()],
  };
};

/** All possibilities in which `operation` has happened, that come from one of `before` by letting open operations happen. */
const letHappen = (
  before: readonly Possibility[],
  open: ReadonlySet<Operation>,
  operation: Operation,
  numbers: ReadonlyMap<Operation, number>,
): Possibility[] => {
  const met = createPossibilities(numbers);
  const found = createPossibilities(numbers);
  const left = before.filter((each) => met.add(each));
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { state, happened } = next;
    if (happened.has(operation)) {
      // It is over, so it need not be remembered.
      found.add({ state, happened: new Set([...happened].filter((each) => each !== operation)) });
      continue;
    }
    for (const each of open) {
      const after = happened.has(each) ? false : apply(state, each.action);
      if (after === false) continue;
      const possibility = { state: after, happened: new Set([...happened, each]) };
      if (met.add(possibility)) left.push(possibility);
    }
  }
  return found.all();
};

/**
 * Leaves out changes without an answer of which no read has seen a value. When such a change happened, nobody read the record
 * until its fields were written again, so the other operations are explained without it as well. Each one that stays may double
 * the possibilities. A `put` may also make the record, so it is left out only where nothing else asks whether the record is there.
 */
const withoutUnseen = (operations: readonly Operation[]): readonly Operation[] => {
  const seen = new Set<string>();
  for (const { action } of operations) {
    if (action.kind === 'read') for (const field of Object.entries(action.seen ?? {})) seen.add(JSON.stringify(field));
  }
  const mayLeaveOut = new Set(['change']);
  if (operations.every(({ action: { kind } }) => kind === 'put' || kind === 'read')) mayLeaveOut.add('put');
  return operations.filter(({ action, answered }) => {
    if (answered !== undefined || !mayLeaveOut.has(action.kind) || !('fields' in action)) return true;
    const fields = Object.entries(action.fields);
    return fields.length === 0 || fields.some((field) => seen.has(JSON.stringify(field)));
  });
};

/**
 * Checks the history of one record that has the state `first` before all calls. Answers undefined when it is linearizable,
 * else the earliest answer that no order explains. Reads without an answer are left out. The time grows with the number of
 * operations that are open at once, not with the length of the history.
 */
export const findViolation = (history: readonly Operation[], first?: RecordState): Violation | undefined => {
  const operations = withoutUnseen(
    history.filter(({ action, answered }) => action.kind !== 'read' || answered !== undefined),
  );
  const numbers = new Map(operations.map((operation, index) => [operation, index]));
  const events = operations
    .flatMap((operation) => [
      { at: operation.called, operation, isAnswer: false },
      ...(operation.answered === undefined ? [] : [{ at: operation.answered, operation, isAnswer: true }]),
    ])
    .sort((one, other) => one.at - other.at);
  const open = new Set<Operation>();
  let possibilities: readonly Possibility[] = [{ state: first, happened: new Set() }];
  for (const { operation, isAnswer } of events) {
    if (!isAnswer) {
      open.add(operation);
      continue;
    }
    const after = letHappen(possibilities, open, operation, numbers);
    if (after.length === 0) return { operation, possible: possibilities.map(({ state }) => state) };
    open.delete(operation);
    possibilities = after;
  }
  return undefined;
};

/** A violation as a text. */
export const describeViolation = (record: string, { operation, possible }: Violation): string => {
  const { client, action, called, answered } = operation;
  const states = [...new Set(possible.map((state) => JSON.stringify(state ?? 'absent')))].join(' or ');
  return `${record}: ${client} ${JSON.stringify(action)} (${called} to ${answered ?? 'open'}), where it can be ${states}`;
};
