/** How a journal is written and read, line by line. When, and which journal, is decided by the adapter. */
import { hash } from 'node:crypto';
import type { ChangeSet } from '../batched-entity-store.ts';
import { readLines } from './lines.ts';
import type { Line } from './lines.ts';
import { storeDamaged } from './store-damaged.ts';
import { formatVersion } from './store-files.ts';
import type { StoreIdentity } from './store-files.ts';

/**
 * What a line says. The first is `journal`, then one `changes` per change set; `sealed` is the last and names the
 * generation that goes on, so that a journal that is missing is noticed.
 */
export type JournalEntry =
  { readonly journal: StoreIdentity & { readonly format: number } } | ChangeSet | { readonly sealed: number };

/** Where reading ended: the bytes and lines that are good, the next generation, and what was cut off at the end. */
export type JournalEnd = {
  readonly bytes: number;
  readonly lines: number;
  readonly sealed: number | undefined;
  readonly torn: { readonly offset: number; readonly bytes: number } | undefined;
};

/** The JSON of an entry, to be given to `journalLine`. */
export const encodeEntry = (entry: JournalEntry): string => JSON.stringify(entry);

export const journalHeader = (identity: StoreIdentity): string =>
  journalLine(identity, 0, encodeEntry({ journal: { format: formatVersion, ...identity } }));

/**
 * One line: `{"n":17,"sum":"…",…entry}`. The sum is over instance, generation, number and entry, so that a line that
 * was changed, moved, doubled, left out before others, or taken from another journal does not fit.
 */
export const journalLine = (identity: StoreIdentity, number: number, entry: string): string =>
  `{"n":${number},"sum":"${sumOf(identity, number, entry)}",${entry.slice(1)}\n`;

/**
 * Reads a journal and gives each change set to `apply`, in order. A last line that a crash cut off was never
 * acknowledged: it is left out and told as `torn`. Any other fault throws `StoreDamaged`.
 */
export const readJournal = async (
  file: string,
  identity: StoreIdentity,
  apply: (changeSet: ChangeSet) => void,
): Promise<JournalEnd> => {
  let end: JournalEnd = { bytes: 0, lines: 0, sealed: undefined, torn: undefined };
  for await (const lines of readLines(file)) {
    for (const line of lines) {
      // A torn line that something follows was not the last line.
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
    // A page that never reached the disk reads as NUL bytes, which JSON does not contain (measurement M2).
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
  return JSON.parse(entry) as JournalEntry; // its sum says that we wrote it
};

const sumOf = ({ instance, generation }: StoreIdentity, number: number, entry: string): string =>
  hash('sha256', `${instance} ${generation} ${number} ${entry}`, 'hex').slice(0, 32);
