/** Writes and reads the lines of a journal. `journal-writer.ts` appends them. */
import { hash } from 'node:crypto';
import type { ChangeSet } from '../batched-entity-store.ts';
import { readLines, type Line } from './lines.ts';
import { storeDamaged } from './store-damaged.ts';
import { formatVersion, type StoreIdentity } from './store-files.ts';

/**
 * The content of a line. The first line is `journal`; then each change set is one line. A finished journal ends with
 * `sealed`, which names the next generation, so that a missing journal is noticed.
 */
export type JournalEntry =
  { readonly journal: StoreIdentity & { readonly format: number } } | ChangeSet | { readonly sealed: number };

/** The valid bytes and lines, the next generation if the journal is sealed, and the incomplete last line if there is one. */
export type JournalEnd = {
  readonly bytes: number;
  readonly lines: number;
  readonly sealed: number | undefined;
  readonly torn: { readonly offset: number; readonly bytes: number } | undefined;
};

/** The JSON of an entry, for `journalLine`. */
export const encodeEntry = (entry: JournalEntry): string => JSON.stringify(entry);

export const journalHeader = (identity: StoreIdentity): string =>
  journalLine(identity, 0, encodeEntry({ journal: { format: formatVersion, ...identity } }));

/**
 * One line: `{"n":17,"sum":"…",…entry}`. The checksum covers instance, generation, number and entry. So it reveals a line
 * that was changed, moved, repeated or copied from another journal, and a gap between lines.
 */
export const journalLine = (identity: StoreIdentity, number: number, entry: string): string =>
  `{"n":${number},"sum":"${sumOf(identity, number, entry)}",${entry.slice(1)}\n`;

/**
 * Reads a journal and passes each change set to `apply`, in order. An incomplete last line is the trace of a crash and
 * was never acknowledged: it is skipped and returned as `torn`. Any other damage throws `StoreDamaged`.
 */
export const readJournal = async (
  file: string,
  identity: StoreIdentity,
  apply: (changeSet: ChangeSet) => void,
): Promise<JournalEnd> => {
  let end: JournalEnd = { bytes: 0, lines: 0, sealed: undefined, torn: undefined };
  for await (const lines of readLines(file)) {
    for (const line of lines) {
      // Only the last line may be torn.
      if (end.torn !== undefined) throw storeDamaged(file, end.torn.offset, notAsWritten);
      if (end.sealed !== undefined) throw storeDamaged(file, line.offset, 'lines follow the end of the journal');
      end = readLine(file, identity, line, end, apply);
    }
  }
  if (end.lines === 0) throw storeDamaged(file, 0, 'the first line, which names the journal, is missing');
  return end;
};

const readLine = (
  file: string,
  identity: StoreIdentity,
  line: Line,
  end: JournalEnd,
  apply: (changeSet: ChangeSet) => void,
): JournalEnd => {
  const entry = line.complete ? parseLine(identity, end.lines, line.bytes) : undefined;
  if (entry === undefined) {
    // A page that never reached the disk reads as NUL bytes, which JSON does not contain.
    const cutOff = !line.complete || line.bytes.includes(0);
    if (!cutOff || end.lines === 0) throw storeDamaged(file, line.offset, notAsWritten);
    return { ...end, torn: { offset: line.offset, bytes: line.bytes.byteLength + (line.complete ? 1 : 0) } };
  }
  if ('journal' in entry !== (end.lines === 0)) throw storeDamaged(file, line.offset, notAsWritten);
  if ('changes' in entry) apply(entry);
  return {
    bytes: line.offset + line.bytes.byteLength + 1,
    lines: end.lines + 1,
    sealed: 'sealed' in entry ? entry.sealed : undefined,
    torn: undefined,
  };
};

const notAsWritten = 'the line is not as it was written';

const linePattern = /^\{"n":(?<number>\d+),"sum":"(?<sum>[0-9a-f]{32})",/;

const parseLine = (identity: StoreIdentity, number: number, bytes: Buffer): JournalEntry | undefined => {
  const text = bytes.toString();
  const start = linePattern.exec(text);
  if (start === null || Number(start.groups?.['number']) !== number) return undefined;
  const entry = `{${text.slice(start[0].length)}`;
  if (sumOf(identity, number, entry) !== start.groups?.['sum']) return undefined;
  return JSON.parse(entry) as JournalEntry; // the checksum covers it
};

const sumOf = ({ instance, generation }: StoreIdentity, number: number, entry: string): string =>
  hash('sha256', `${instance} ${generation} ${number} ${entry}`, 'hex').slice(0, 32);
