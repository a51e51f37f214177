/** Makes the probes of a site: one for each kind of records, state and operation that a written probe goes over. */
import type { TargetContract } from '../../target/contract-source.ts';
import { uploadBundle } from '../checks/uploads/uploading.ts';
import { fileBundles, mainKinds, type RecordKind } from '../checks/writing/record-kinds.ts';
import type { Step, WrittenProbe } from '../../target/probe-files.ts';
import type { Bundle } from '../../../repository/repository.ts';
import type { Severity } from '../check.ts';
import { extensionOf } from '../sample-file.ts';

/** `let`: what each name in `<…>` of the steps stands for, in the words of `things.ts`. */
export type Probe = {
  readonly name: string;
  /** What the answers show, in a sentence. */
  readonly shows: string;
  readonly source: string;
  readonly severity: Severity;
  readonly operations: readonly string[];
  readonly isExclusive: boolean;
  readonly let: Readonly<Record<string, string>>;
  /** Whether every account of the run takes the steps. */
  readonly isForEachAccount: boolean;
  readonly steps: readonly Step[];
};

type Choice = Readonly<Record<string, string>>;

/** The values of `{…}` in the texts of a probe. A kind brings its words with it. */
export const probesFor = (contract: TargetContract, written: readonly WrittenProbe[]): readonly Probe[] => {
  const kinds = new Map(mainKinds(contract).map((kind) => [kind.word as string, kind]));
  return written.flatMap((one) =>
    choicesOf(one, contract)
      .filter((choice) => choice['kind'] === undefined || kinds.has(choice['kind']))
      .map((choice) =>
        probeOf(one, {
          ...{ ...choice, ...wordsOf(kinds.get(choice['kind'] ?? '')) },
          ...mediaWords(fileBundles(contract).find(({ id }) => id === choice['media'])),
        }),
      )
      // A kind that lacks a word has no such probe.
      .filter((probe) => !/\{\w+\}/.test(JSON.stringify([probe.let, probe.steps]))),
  );
};

/** The names that a site has for a value: its media types with files, or the schemes where they are kept. One stands for all where it says so. */
const namesOf = (name: string, which: 'each' | 'one', contract: TargetContract): readonly string[] => {
  if (name === 'scheme') return contract.site.storages.map(({ scheme }) => scheme);
  const bundles = fileBundles(contract);
  if (name !== 'media') throw new Error(`A site has no list of each ${name}.`);
  const chosen = which === 'each' || bundles.length === 0 ? bundles : [uploadBundle({ contract })];
  return chosen.map(({ id }) => id);
};

const choicesOf = ({ over, except }: WrittenProbe, contract: TargetContract): readonly Choice[] =>
  Object.entries(over)
    .reduce<readonly Choice[]>(
      (choices, [name, values]) =>
        choices.flatMap((choice) =>
          (typeof values === 'string' ? namesOf(name, values, contract) : values).map((value) => ({
            ...choice,
            [name]: value,
          })),
        ),
      [{}],
    )
    .filter((choice) => !except.some((one) => Object.entries(one).every(([name, value]) => choice[name] === value)));

const wordsOf = (kind: RecordKind | undefined): Choice => {
  if (kind === undefined) return {};
  const { create, read, update, remove } = kind.operations;
  const list = listField(kind);
  return {
    ...{ collection: kind.collection, label: kind.labelField, id: kind.idField },
    ...{ bundleField: kind.bundleField, bundle: kind.bundle.id, type: kind.type },
    ...{ create, read, update, remove, ...(list === undefined ? {} : { list }) },
  };
};

const mediaWords = (bundle: Bundle | undefined): Choice =>
  bundle === undefined ? {} : { source: bundle.source?.field ?? '', extension: extensionOf(bundle) };

/** A text field that may hold several values. */
const listField = ({ bundle }: RecordKind): string | undefined =>
  [...bundle.fields.values()].find(
    ({ type, cardinality, configured, access = 'public' }) =>
      type === 'string' && cardinality > 2 && configured && access === 'public',
  )?.name;

const probeOf = (written: WrittenProbe, choice: Choice): Probe => {
  const { name, shows, source, severity, operations, isExclusive, let: names, steps, accounts } = written;
  const texts = { name, shows, source, operations, let: names, steps };
  return { ...filled(texts, choice), severity, isExclusive, isForEachAccount: accounts === 'each' };
};

/** The value with the words of the choice in its texts. */
const filled = <T>(value: T, choice: Choice): T => {
  const deep = (part: unknown): unknown => {
    if (typeof part === 'string') return part.replace(/\{(\w+)\}/g, (all, name: string) => choice[name] ?? all);
    if (Array.isArray(part)) return part.map(deep);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, member]) => [deep(name), deep(member)]));
  };
  return deep(value) as T; // texts stay texts
};
