/** The file `journal.end`: how far the journal was acknowledged, so that the next start notices when less of it is there. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeWhole, type Durability, type Files } from '../../basics/disk/files.ts';
import { readRegularFile } from './checksummed-lines.ts';
import { storeDamaged } from '../store-errors.ts';
import { endName, repairAdvice } from './store-files.ts';
import type { Counters } from '../../openapi/openapi-records.ts';

/**
 * `open`: the server wrote this note after a batch, and may have written more. `closed`: the server stopped in order.
 * `refused`: whatever follows in the journal was refused and could not be cut off.
 */
export type EndState = 'open' | 'closed' | 'refused';

/** The end of a journal: bytes and lines, and the highest ids that were given by then. */
export type AcknowledgedEnd = {
  readonly generation: number;
  readonly lines: number;
  readonly bytes: number;
  readonly counters: Counters;
  readonly state: EndState;
  readonly durability: Durability;
  /** The run of the machine, on systems that name it. */
  readonly boot: string | undefined;
};

type Slot = { readonly turn: number; readonly end: AcknowledgedEnd };

/** Two slots are written in turn, so that one of them is whole whenever the power is cut. */
const slotBytes = 1024;
const slotPattern = /^\{"sum":"(?<sum>[0-9a-f]{32})",(?<rest>"turn":.*) *\n$/;

const sumOf = (instance: string, rest: string): string =>
  createHash('sha256').update(`${instance} ${rest}`).digest('hex').slice(0, 32);

const encodeSlot = (instance: string, slot: Slot): Buffer => {
  const rest = JSON.stringify(slot).slice(1);
  const text = `{"sum":"${sumOf(instance, rest)}",${rest}`;
  if (Buffer.byteLength(text) >= slotBytes) throw new Error('The end of the journal does not fit into its slot.');
  return Buffer.from(`${text.padEnd(slotBytes - 1)}\n`);
};

const decodeSlot = (instance: string, bytes: Buffer): Slot | undefined => {
  const found = slotPattern.exec(bytes.toString())?.groups;
  const rest = found?.['rest']?.trimEnd() ?? '';
  if (found?.['sum'] !== sumOf(instance, rest)) return undefined;
  return JSON.parse(`{${rest}`) as Slot; // the checksum covers it
};

const newestSlot = async (directory: string, instance: string): Promise<Slot | undefined> => {
  const bytes = await readRegularFile(join(directory, endName));
  const slots = [0, 1].map((at) => decodeSlot(instance, bytes.subarray(at * slotBytes, (at + 1) * slotBytes)));
  return slots.reduce((newest, slot) => ((slot?.turn ?? 0) > (newest?.turn ?? 0) ? slot : newest), undefined);
};

/** The end that was noted last. Throws `StoreDamaged` when there is no such note. */
export const readAcknowledgedEnd = async (directory: string, instance: string): Promise<AcknowledgedEnd> => {
  const slot = await newestSlot(directory, instance);
  if (slot !== undefined) return slot.end;
  throw storeDamaged(
    join(directory, endName),
    0,
    'the note of how far the journal was acknowledged is missing or damaged',
    repairAdvice,
  );
};

/**
 * Whether everything up to this end must be there. With `os` a power cut may have taken what the system had not written;
 * then the machine has started again since.
 */
export const isBinding = async (end: AcknowledgedEnd): Promise<boolean> => {
  if (end.durability === 'full' || end.state !== 'open') return true;
  return end.boot !== undefined && end.boot === (await currentBoot());
};

/** Linux names each run of the machine. */
const currentBoot = async (): Promise<string | undefined> =>
  (await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => undefined))?.trim();

/** Creates the file, durably. */
export const createEndNote = async (
  files: Files,
  directory: string,
  instance: string,
  end: Omit<AcknowledgedEnd, 'boot'>,
): Promise<void> => {
  const first = encodeSlot(instance, { turn: 1, end: { ...end, boot: await currentBoot() } });
  const both = Buffer.concat([first, Buffer.from(`${' '.repeat(slotBytes - 1)}\n`)]);
  await writeWhole(files, join(directory, endName), [both]);
  await files.syncDirectory(directory);
};

export type EndNotes = Awaited<ReturnType<typeof openEndNotes>>;

/** Opens the existing file. Its calls must not overlap. */
export const openEndNotes = async (files: Files, directory: string, instance: string, durability: Durability) => {
  const boot = await currentBoot();
  let turn = (await newestSlot(directory, instance))?.turn ?? 0;
  const file = await files.reopen(join(directory, endName));
  return {
    /** Notes an end. It survives the end of the process, and a power cut after the next `sync`. */
    write: async (end: Omit<AcknowledgedEnd, 'boot' | 'durability'>): Promise<void> => {
      turn += 1;
      await file.write(encodeSlot(instance, { turn, end: { ...end, durability, boot } }), (turn % 2) * slotBytes);
    },
    sync: () => file.sync(),
    close: () => file.close(),
  };
};
