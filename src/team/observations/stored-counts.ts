/** Coverage as several processes write it, each its own part, and the sum of such parts. */
import { createCoverageTally, sumOfCounts, type CoverageCounts } from '../../contract/contract-coverage.ts';
import type { RecordedExchange } from '../../exchange/exchange.ts';

/** What a process has shown and was asked for at one address. A relation is written as `operation relation`. Times are in milliseconds. */
type AddressNote = {
  readonly process: string;
  readonly address: string;
  /** When the first link to it of each relation was shown. */
  readonly shown: Readonly<Record<string, number>>;
  readonly asked: number;
  /** When it was asked for the first times. */
  readonly first: readonly number[];
  /** How many of `asked` the process itself has counted as followed. */
  readonly followed: Readonly<Record<string, number>>;
};

/** Counts, and the notes from which follows what several processes count of links. Made to be written as JSON. */
export type StoredCounts = CoverageCounts & { readonly notes: readonly AddressNote[] };

type RelationCount = CoverageCounts['relations'][number];

/** The most kinds of advice. One process alone counts as many. */
const maxAdviceKinds = 500;

/** The most notes. One process alone remembers about as many links. */
const maxNotes = 4000;

/** The most times in `first`. */
const maxFirst = 8;

/**
 * A request to another process counts as later than a link when it is at most so much earlier: the clocks of processes differ a
 * little, and a link that is followed should count.
 */
const slackMs = 50;

/** A tally whose counts are taken away part by part. */
export type PartTally = Pick<ReturnType<typeof createCoverageTally>, 'add' | 'clear'> & {
  /** The counts since the last call. Undefined when there are none. */
  take(): StoredCounts | undefined;
  /** Counts the exchanges that `take` has not taken once more, as if no other had come before: no link was shown yet. */
  recount(): void;
};

/** The most exchanges that are counted again. */
const maxRecounted = 2000;

/** `now` is the same for all processes, nearly. */
export const createPartTally = (process: string, now: () => number): PartTally => {
  let notes = createNotes(process);
  let untaken: RecordedExchange[] = [];
  const times = new WeakMap<RecordedExchange, number>();
  let time = 0;
  const tally = createCoverageTally({
    begins: (exchange) => {
      time = times.get(exchange) ?? now();
    },
    shown: (target, relation) => notes.shown(target, relation, time),
    asked: (target) => notes.asked(target, time),
    followed: (target, relation) => notes.followed(target, relation),
  });
  const add = (exchange: RecordedExchange): void => {
    if (untaken.length < maxRecounted) untaken.push(exchange);
    if (!times.has(exchange)) times.set(exchange, now());
    tally.add(exchange);
  };
  const clear = (): void => {
    tally.clear();
    notes = createNotes(process);
    untaken = [];
  };
  return {
    add,
    take: () => {
      const counts = tally.takeNow();
      const part = { ...counts, notes: notes.all() };
      notes = createNotes(process);
      untaken = [];
      return isEmpty(part) ? undefined : part;
    },
    recount: () => {
      const again = untaken;
      clear();
      again.forEach(add);
    },
    clear,
  };
};

const isEmpty = ({ answers, relations, advice, notes }: StoredCounts): boolean =>
  answers.length + relations.length + advice.length + notes.length === 0;

type Relation = Pick<RelationCount, 'operation' | 'relation'>;

/** Neither ids of operations nor names of relations have spaces. */
const relationKey = ({ operation, relation }: Relation): string => `${operation} ${relation}`;

type MutableNote = {
  readonly shown: Map<string, number>;
  asked: number;
  readonly first: number[];
  readonly followed: Map<string, number>;
};

const createNotes = (process: string) => {
  const noted = new Map<string, MutableNote>();
  const noteOf = (address: string): MutableNote => {
    const known = noted.get(address) ?? { shown: new Map(), asked: 0, first: [], followed: new Map() };
    if (noted.size < maxNotes) noted.set(address, known);
    return known;
  };
  return {
    shown: (target: string, relation: Relation, time: number): void => {
      const { shown } = noteOf(target);
      const key = relationKey(relation);
      if (!shown.has(key)) shown.set(key, time);
    },
    asked: (target: string, time: number): void => {
      const note = noteOf(target);
      note.asked += 1;
      if (note.first.length < maxFirst) note.first.push(time);
    },
    followed: (target: string, relation: Relation): void => {
      const { followed } = noteOf(target);
      followed.set(relationKey(relation), (followed.get(relationKey(relation)) ?? 0) + 1);
    },
    all: (): AddressNote[] =>
      [...noted].map(([address, { shown, asked, first, followed }]) => ({
        ...{ process, address, asked, first },
        shown: Object.fromEntries(shown),
        followed: Object.fromEntries(followed),
      })),
  };
};

/** The parts in the order in which they were written. Its sum with further parts is the sum of all of them. */
export const sumOfStored = (parts: readonly StoredCounts[]): StoredCounts => {
  const notes = mergedNotes(parts.flatMap((part) => part.notes));
  const forgotten = addressesToForget(notes);
  const isForgotten = ({ address }: AddressNote): boolean => forgotten.has(address);
  const settled = acrossProcesses(notes.filter(isForgotten));
  const sum = sumOfCounts([...parts, { answers: [], relations: settled, advice: [] }]);
  return {
    ...sum,
    advice: sum.advice.slice(0, maxAdviceKinds),
    notes: notes.filter((note) => !isForgotten(note)),
  };
};

/** What one process would have counted that had all requests. */
export const countsOf = ({ answers, relations, advice, notes }: StoredCounts): CoverageCounts =>
  sumOfCounts([
    { answers, relations, advice },
    { answers: [], relations: acrossProcesses(notes), advice: [] },
  ]);

const mergedNotes = (notes: readonly AddressNote[]): AddressNote[] => {
  const merged = new Map<string, AddressNote>();
  for (const note of notes) {
    const key = `${note.process} ${note.address}`;
    const known = merged.get(key);
    merged.set(key, known === undefined ? note : sumOfNotes(known, note));
  }
  return [...merged.values()];
};

const sumOfNotes = (a: AddressNote, b: AddressNote): AddressNote => ({
  ...a,
  shown: joined(a.shown, b.shown, Math.min),
  asked: a.asked + b.asked,
  first: [...a.first, ...b.first].sort((x, y) => x - y).slice(0, maxFirst),
  followed: joined(a.followed, b.followed, (x, y) => x + y),
});

type Numbers = Readonly<Record<string, number>>;

const joined = (a: Numbers, b: Numbers, join: (x: number, y: number) => number): Numbers => {
  const all = new Map(Object.entries(a));
  for (const [key, value] of Object.entries(b)) {
    const known = all.get(key);
    all.set(key, known === undefined ? value : join(known, value));
  }
  return Object.fromEntries(all);
};

/** The addresses that were noted first, as many as there are notes too many. */
const addressesToForget = (notes: readonly AddressNote[]): ReadonlySet<string> =>
  new Set(notes.slice(0, Math.max(0, notes.length - maxNotes)).map(({ address }) => address));

/**
 * What the sum of the processes' own counts lacks, and what it has too much: a link that one process shows and another one is
 * asked for is followed, and a link that two processes show is one link.
 */
const acrossProcesses = (notes: readonly AddressNote[]): RelationCount[] =>
  byAddress(notes).flatMap((ofAddress) => {
    const keys = new Set(ofAddress.flatMap(({ shown }) => Object.keys(shown)));
    return [...keys].flatMap((key) => {
      const processes = ofAddress.filter(({ shown }) => key in shown).length;
      const followed = ofAddress.reduce((sum, note) => sum + followedOfOthers(note, key, ofAddress), 0);
      const [operation = '', relation = ''] = key.split(' ');
      return processes === 1 && followed === 0 ? [] : [{ operation, relation, seen: 1 - processes, followed }];
    });
  });

/** How many requests to the process of a note follow a link that only other processes had shown by then. */
const followedOfOthers = (note: AddressNote, key: string, ofAddress: readonly AddressNote[]): number => {
  const times = ofAddress.flatMap(({ process, shown }) => (process === note.process ? [] : (shown[key] ?? [])));
  if (times.length === 0) return 0;
  const shownAt = Math.min(...times) - slackMs;
  const later = note.asked - note.first.filter((time) => time <= shownAt).length;
  return Math.max(0, later - (note.followed[key] ?? 0));
};

const byAddress = (notes: readonly AddressNote[]): readonly (readonly AddressNote[])[] => {
  const groups = new Map<string, AddressNote[]>();
  for (const note of notes) {
    const group = groups.get(note.address);
    if (group === undefined) groups.set(note.address, [note]);
    else group.push(note);
  }
  return [...groups.values()];
};
