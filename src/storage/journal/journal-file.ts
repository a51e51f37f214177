/** Writes and reads the batches of a journal. `journal-writer.ts` appends them. */
import { createHash, hash } from 'node:crypto';
import type { ChangeSet } from '../batched-entity-store.ts';
import type { AcknowledgedEnd } from './acknowledged-end.ts';
import { readLines, type Line } from './checksummed-lines.ts';
import { storeDamaged } from '../store-errors.ts';
import { formatVersion, repairAdvice, type StoreIdentity } from './store-files.ts';

/**
 * The content of a line. The first line is `journal`. Then each batch is one line: `sets` has its change sets. In format 1
 * each change set is a line of its own. A finished journal ends with `sealed`, which names the next generation, so that a
 * missing journal is noticed.
 */
type JournalEntry =
  | { readonly journal: StoreIdentity & { readonly format: number } }
  | { readonly sets: readonly ChangeSet[] }
  | ChangeSet
  | { readonly sealed: number };

/** The form of the lines: 1, or 2 since format 2 of the store. */
export const lineForm = 2;

/** The valid bytes and lines, the next generation if the journal is sealed, and what follows them if anything does. */
export type JournalEnd = {
  /** The form of its lines. */
  readonly form: number;
  readonly bytes: number;
  readonly lines: number;
  readonly sealed: number | undefined;
  /** A batch that was not acknowledged. */
  readonly torn: { readonly offset: number; readonly bytes: number } | undefined;
};

/** The JSON of an entry, for `batchLines`. */
export const encodeEntry = (entry: JournalEntry): string => JSON.stringify(entry);

export const journalHeader = (identity: StoreIdentity): string =>
  journalLine(identity, 0, encodeEntry({ journal: { format: formatVersion, ...identity } })).toString();

/**
 * One line: `{"batch":17,"bytes":345,"sum":"…",…entry}`. `bytes` is the length of the entry. The checksum covers instance,
 * generation, number and entry. So it reveals a line that was changed, moved, repeated or copied from another journal, and a
 * gap between lines. One write and one line for each batch: whatever a crash leaves of it is less than a line.
 * Made as bytes, because a batch is long, and each text that is made of it would copy all of it.
 */
const journalLine = (identity: StoreIdentity, number: number, entry: string): Buffer => {
  const bytes = Buffer.from(entry);
  const sum = createHash('sha256').update(sumStart(identity, number)).update(bytes).digest('hex').slice(0, sumLength);
  const start = Buffer.from(`{"batch":${number},"bytes":${bytes.byteLength},"sum":"${sum}",`);
  return Buffer.concat([start, bytes.subarray(1), lineBreak]);
};

const lineBreak = Buffer.from('\n');

/** A line of format 1: `{"n":17,"sum":"…",…entry}`. */
const oldLine = (identity: StoreIdentity, number: number, entry: string): string =>
  `{"n":${number},"sum":"${sumOf(identity, number, entry)}",${entry.slice(1)}\n`;

/** A journal as it is now. */
type JournalPlace = StoreIdentity & { readonly form: number; readonly lines: number };

/** The bytes of a batch of change sets that follows so many lines, and how many lines it has itself. */
export const batchLines = (
  journal: JournalPlace,
  changeSets: readonly string[],
): { readonly bytes: Buffer; readonly lines: number } => {
  if (journal.form > 1) {
    return { bytes: journalLine(journal, journal.lines, `{"sets":[${changeSets.join()}]}`), lines: 1 };
  }
  const text = changeSets.map((changeSet, at) => oldLine(journal, journal.lines + at, changeSet)).join('');
  return { bytes: Buffer.from(text), lines: changeSets.length };
};

/** The last line of a journal. */
export const sealLine = (journal: JournalPlace, next: number): Buffer =>
  journal.form > 1
    ? journalLine(journal, journal.lines, encodeEntry({ sealed: next }))
    : Buffer.from(oldLine(journal, journal.lines, encodeEntry({ sealed: next })));

type ReadOptions = {
  readonly apply: (changeSet: ChangeSet) => void;
  /** What must be there, if that is known. */
  readonly acknowledged?: AcknowledgedEnd | undefined;
};

/**
 * Reads a journal and passes each change set to `apply`, in order. A last line that is incomplete or has a hole is the trace
 * of a crash: it is skipped and returned as `torn`, unless it is known to be acknowledged. So is everything behind the end
 * of a journal whose last batch was refused. Any other damage throws `StoreDamaged`.
 */
export const readJournal = async (
  file: string,
  identity: StoreIdentity,
  { apply, acknowledged }: ReadOptions,
): Promise<JournalEnd> => {
  let end: JournalEnd = { form: lineForm, bytes: 0, lines: 0, sealed: undefined, torn: undefined };
  for await (const lines of readLines(file)) {
    for (const line of lines) {
      const isRefused = acknowledged?.state === 'refused' && line.offset >= acknowledged.bytes;
      if (isRefused) end = { ...end, torn: withLine(end.torn, line) };
      else end = readLine(file, identity, line, end, apply);
    }
  }
  if (end.lines === 0) throw storeDamaged(file, 0, 'the first line, which names the journal, is missing');
  requireAcknowledged(file, end, acknowledged);
  return end;
};

const requireAcknowledged = (file: string, end: JournalEnd, acknowledged: AcknowledgedEnd | undefined): void => {
  if (acknowledged === undefined || end.bytes >= acknowledged.bytes) return;
  const missing = `${acknowledged.lines - end.lines} acknowledged batches up to byte ${acknowledged.bytes} are missing`;
  throw storeDamaged(file, end.bytes, `${missing} or damaged`, repairAdvice);
};

const withLine = (torn: JournalEnd['torn'], { offset, bytes, complete }: Line): JournalEnd['torn'] => ({
  offset: torn?.offset ?? offset,
  bytes: (torn?.bytes ?? 0) + bytes.byteLength + (complete ? 1 : 0),
});

const readLine = (
  file: string,
  identity: StoreIdentity,
  line: Line,
  end: JournalEnd,
  apply: (changeSet: ChangeSet) => void,
): JournalEnd => {
  // Only the last line may be torn.
  if (end.torn !== undefined) throw storeDamaged(file, end.torn.offset, notAsWritten, repairAdvice);
  if (end.sealed !== undefined) {
    throw storeDamaged(file, line.offset, 'lines follow the end of the journal', repairAdvice);
  }
  const parsed = line.complete ? parseLine(identity, line.bytes) : undefined;
  const isExpected =
    parsed?.number === end.lines &&
    'journal' in parsed.entry === (end.lines === 0) &&
    (end.lines === 0 || parsed.form === end.form);
  if (parsed === undefined || !isExpected) {
    // A page that never reached the disk reads as NUL bytes, which JSON does not contain.
    const isTorn = !line.complete || line.bytes.includes(0);
    if (!isTorn || end.lines === 0) throw storeDamaged(file, line.offset, notAsWritten, repairAdvice);
    return { ...end, torn: withLine(undefined, line) };
  }
  for (const changeSet of changeSetsOf(parsed.entry)) apply(changeSet);
  return {
    form: parsed.form,
    bytes: line.offset + line.bytes.byteLength + 1,
    lines: end.lines + 1,
    sealed: 'sealed' in parsed.entry ? parsed.entry.sealed : undefined,
    torn: undefined,
  };
};

const notAsWritten = 'the line is not as it was written';

export const changeSetsOf = (entry: JournalEntry): readonly ChangeSet[] => {
  if ('sets' in entry) return entry.sets;
  return 'changes' in entry ? [entry] : [];
};

const linePattern = /^\{"batch":(?<number>\d+),"bytes":(?<bytes>\d+),"sum":"(?<sum>[0-9a-f]{32})",/;
const oldLinePattern = /^\{"n":(?<number>\d+),"sum":"(?<sum>[0-9a-f]{32})",/;

type ParsedLine = { readonly form: number; readonly number: number; readonly entry: JournalEntry };

/** A complete line of the journal. Undefined when it is not as it was written. */
export const parseLine = (identity: StoreIdentity, bytes: Buffer): ParsedLine | undefined => {
  const text = bytes.toString();
  const found = linePattern.exec(text);
  const start = found ?? oldLinePattern.exec(text);
  if (start === null) return undefined;
  const number = Number(start.groups?.['number']);
  const entry = `{${text.slice(start[0].length)}`;
  if (found !== null && Number(found.groups?.['bytes']) !== bytes.byteLength - found[0].length + 1) return undefined;
  if (sumOf(identity, number, entry) !== start.groups?.['sum']) return undefined;
  return { form: found === null ? 1 : lineForm, number, entry: JSON.parse(entry) as JournalEntry }; // the checksum covers it
};

const sumLength = 32;

const sumStart = ({ instance, generation }: StoreIdentity, number: number): string =>
  `${instance} ${generation} ${number} `;

const sumOf = (identity: StoreIdentity, number: number, entry: string): string =>
  hash('sha256', sumStart(identity, number) + entry, 'hex').slice(0, sumLength);
