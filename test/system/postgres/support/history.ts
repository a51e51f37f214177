/** What the clients of a test asked for and learned, by record; and whether one order explains all of it. */
import type { Answer, Fields } from './ask.ts';
import { describeViolation, findViolation, type Action, type Operation } from './linearizability.ts';

/** How a request ended. `unknown`: without an answer, or with one that leaves open what happened. */
export type Ending = 'acknowledged' | 'read' | 'refused' | 'unknown';

export type History = {
  /** How many requests ended in which way. */
  readonly counts: Readonly<Record<Ending, number>>;
  /** The answers that refused although the test expects none: method, status and message. */
  readonly refusals: readonly string[];
  /** The last answer that left open what happened, for messages. */
  readonly lastUnknown: () => string | undefined;
  /** Sends a write and notes it. `absent`: the record is not there when the answer is 404. */
  write(record: string, client: string, action: Action, send: () => Promise<Answer>): Promise<Answer>;
  /** Sends a request that makes a record and notes it by the name that its answer gives. */
  create(
    client: string,
    fields: Fields,
    send: () => Promise<Answer>,
    nameOf: (answer: Answer) => string,
  ): Promise<Answer>;
  /** Sends a read and notes what it saw. `undefined` of `seenIn` is a record that is not there. */
  read(
    record: string,
    client: string,
    send: () => Promise<Answer>,
    seenIn: (answer: Answer) => Fields,
  ): Promise<Answer>;
  /** Notes what was seen in several requests at a time when nobody wrote. */
  noteAtRest(record: string, seen: Fields | undefined): void;
  readonly records: () => readonly string[];
  operations(record: string): readonly Operation[];
  /** A text for each record whose history no order explains. */
  violations(): readonly string[];
};

const isDone = ({ status }: Answer): boolean => status >= 200 && status < 300;
/** Everything from 500 on may have happened: 502 is a connection that broke, 503 also a commit that nobody answered. */
const isUnknown = ({ status }: Answer): boolean => status === 0 || status >= 500;

export const createHistory = (): History => {
  const operations = new Map<string, Operation[]>();
  const counts = { acknowledged: 0, read: 0, refused: 0, unknown: 0 };
  const refusals: string[] = [];
  let moment = 0;
  const now = (): number => (moment += 1);
  const note = (record: string, operation: Operation): void => {
    const noted = operations.get(record);
    if (noted === undefined) operations.set(record, [operation]);
    else noted.push(operation);
  };
  /** Counts an answer that is neither known to have done what was asked nor open. */
  const refuse = (what: string, { status, bytes }: Answer): void => {
    counts.refused += 1;
    refusals.push(`${what}: ${status} ${bytes.toString().slice(0, 200)}`);
  };
  let last: string | undefined;
  const leaveOpen = ({ status, bytes }: Answer): void => {
    counts.unknown += 1;
    last = `${status} ${bytes.toString().slice(0, 200)}`;
  };
  const gone: Action = { kind: 'read', seen: undefined };

  return {
    ...{ counts, refusals, lastUnknown: () => last },
    write: async (record, client, action, send) => {
      const called = now();
      const answer = await send();
      const answered = now();
      if (isDone(answer)) {
        counts.acknowledged += 1;
        note(record, { action, called, answered, client });
      } else if (isUnknown(answer)) {
        leaveOpen(answer);
        note(record, { action, called, client });
      } else if (answer.status === 404) {
        counts.read += 1;
        note(record, { action: gone, called, answered, client });
      } else refuse(`${action.kind} ${record}`, answer);
      return answer;
    },
    create: async (client, fields, send, nameOf) => {
      const called = now();
      const answer = await send();
      if (isDone(answer)) {
        counts.acknowledged += 1;
        note(nameOf(answer), { action: { kind: 'create', fields }, called, answered: now(), client });
      } else if (isUnknown(answer)) leaveOpen(answer);
      else refuse('create', answer);
      return answer;
    },
    read: async (record, client, send, seenIn) => {
      const called = now();
      const answer = await send();
      const isGone = answer.status === 404;
      if (isDone(answer) || isGone) {
        counts.read += 1;
        const action: Action = { kind: 'read', seen: isGone ? undefined : seenIn(answer) };
        note(record, { action, called, answered: now(), client });
      } else if (!isUnknown(answer)) refuse(`read ${record}`, answer);
      return answer;
    },
    noteAtRest: (record, seen) => {
      note(record, { action: { kind: 'read', seen }, called: now(), answered: now(), client: 'at rest' });
    },
    records: () => [...operations.keys()],
    operations: (record) => operations.get(record) ?? [],
    violations: () =>
      [...operations].flatMap(([record, history]) => {
        const found = findViolation(history);
        return found === undefined ? [] : [describeViolation(record, found)];
      }),
  };
};
