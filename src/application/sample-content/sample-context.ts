/** What the parts of a sample share: the repository, the random numbers, and the records that references can lead to. */
import type { Repository } from '../../repository/repository-content.ts';
import type { Bundle, Principal, Site } from '../../repository/repository.ts';
import type { Archive } from './archive.ts';
import { randomFor, type Random } from './random.ts';

/** A record that references can lead to. */
export type Candidate = { readonly id: number; readonly bundle: string; readonly label: string };

export type SampleContext = {
  readonly site: Site;
  readonly repository: Repository;
  /** What the sample shows. */
  readonly archive: Archive;
  /** The random numbers of something, by its name. */
  readonly random: (name: string) => Random;
  /** Uuids are made from this name from now on. */
  readonly nameUuids: (name: string) => void;
  /** The time of the next record, in seconds since 1970. */
  readonly now: () => number;
  readonly setTime: (seconds: number) => void;
  /** The accounts that own something. They may do everything here. */
  readonly owners: readonly Principal[];
  readonly candidates: Candidates;
  /** What the model does not let the sample have, one sentence each. */
  readonly notes: Set<string>;
  /** Bundles of which no record can be made. */
  readonly impossible: Set<Bundle>;
  /** The number of the record that was begun last. */
  count: number;
};

type Candidates = {
  add(type: string, candidate: Candidate): void;
  /** Those of a type in these bundles; of any when left out. In the order in which they were made. */
  of(type: string, bundles: readonly string[] | undefined): readonly Candidate[];
};

/** References need some to choose from, not all. */
const mostOfBundle = 200;

export const createCandidates = (): Candidates => {
  const known = new Map<string, Map<string, Candidate[]>>();
  // Most references lead to terms, of which hardly any is added after the start.
  const lists = new Map<string, readonly Candidate[]>();
  const ofType = (type: string): Map<string, Candidate[]> => {
    const found = known.get(type) ?? new Map<string, Candidate[]>();
    known.set(type, found);
    return found;
  };
  return {
    add: (type, candidate) => {
      const bundles = ofType(type);
      const ofBundle = bundles.get(candidate.bundle) ?? [];
      bundles.set(candidate.bundle, ofBundle);
      if (ofBundle.length === mostOfBundle) return;
      ofBundle.push(candidate);
      for (const key of lists.keys()) if (key.startsWith(`${type} `)) lists.delete(key);
    },
    of: (type, bundles) => {
      const key = `${type} ${bundles?.join(' ') ?? '*'}`;
      const list = lists.get(key) ?? [...(bundles ?? ofType(type).keys())].flatMap((id) => ofType(type).get(id) ?? []);
      lists.set(key, list);
      return list;
    },
  };
};

export const seededRandom =
  (seed: string): SampleContext['random'] =>
  (name) =>
    randomFor(`${seed} ${name}`);
