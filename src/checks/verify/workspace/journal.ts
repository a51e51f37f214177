/** Keeps a file of what a run makes: the intent before, the id after. From it everything is removed, also after a crash. */
import { appendFile, mkdir, readFile, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { parsedJson } from '../../../basics/json.ts';
import { ConfigurationError } from '../../../basics/configuration-error.ts';
import { requireFormat } from '../../../basics/disk/require-format.ts';
import { errorCode } from '../../../basics/error-code.ts';
import { slugOf } from '../sample-file.ts';

const madeTypes = ['node', 'media', 'file', 'taxonomy_term', 'redirect'] as const;
export type MadeType = (typeof madeTypes)[number];

/** `uuid` is undefined where the target did not tell it. `isUpload`: of a media whose file was made with it. */
const madeSchema = v.object({
  type: v.picklist(madeTypes),
  id: v.number(),
  uuid: v.optional(v.string()),
  isUpload: v.optional(v.boolean()),
});

/** Written out: it is in the public types, where valibot is not. */
export type MadeEntity = { type: MadeType; id: number; uuid?: string | undefined; isUpload?: boolean | undefined };

/** `account` makes things, and removes them, too. */
const headSchema = v.object({
  target: v.string(),
  label: v.string(),
  account: v.string(),
  container: v.optional(v.number()),
});
type JournalHead = v.InferOutput<typeof headSchema>;

/** Raise it when the lines change. The first journals do not say it. */
const journalFormat = 1;

const lineSchema = v.variant('event', [
  v.object({ event: v.literal('begun'), format: v.optional(v.number(), journalFormat), ...headSchema.entries }),
  v.object({ event: v.literal('intent'), attempt: v.number(), type: v.picklist(madeTypes) }),
  v.object({ event: v.literal('made'), attempt: v.optional(v.number()), ...madeSchema.entries }),
  v.object({ event: v.literal('refused'), attempt: v.number() }),
  v.object({ event: v.literal('removed'), type: v.picklist(madeTypes), id: v.number() }),
]);
type Line = v.InferOutput<typeof lineSchema>;

/** The folder of the journals, below the working directory. */
const journalFolder = '.atoll-verify';

/** The default file of a run with this label. */
export const journalFileOf = (label: string): string => join(journalFolder, `${slugOf(label)}.jsonl`);

/** Begins a file. Throws `ConfigurationError` when it is there already or cannot be written. */
export const beginJournal = async (file: string, head: JournalHead): Promise<Journal> => {
  try {
    await mkdir(dirname(file), { recursive: true });
    await appendFile(file, lineOf({ event: 'begun', format: journalFormat, ...head }), { flag: 'ax', mode: 0o600 });
  } catch (cause) {
    const isThere = errorCode(cause) === 'EEXIST';
    throw new ConfigurationError(
      isThere
        ? `${file} is the journal of another run. Remove what that run left with \`atoll verify clean --journal ${file}\`.`
        : `The journal ${file} cannot be written. Name another file with --journal.`,
      { cause },
    );
  }
  return journalOf(file, head, []);
};

/** A journal without a file, for a server that ends with the run: nothing of it needs to be removed. */
export const unkeptJournal = (head: JournalHead): Journal => journalOf('', head, [], () => Promise.resolve());

/** Reads the file of an earlier run, and goes on with it. Throws `ConfigurationError`. */
export const openJournal = async (file: string): Promise<Journal> => {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError(`The journal ${file} cannot be read.`, { cause });
  });
  const whole = text.slice(0, text.lastIndexOf('\n') + 1); // the last line of a killed run may be cut
  const lines = whole.split('\n').filter((line) => line !== '');
  requireFormat(file, parsedJson(lines[0] ?? ''), journalFormat);
  const parsed = lines.map((line, at) => {
    const result = v.safeParse(lineSchema, parsedJson(line));
    if (result.success) return result.output;
    throw new ConfigurationError(`${file}: line ${at + 1} is not a line of a journal.`);
  });
  const [head, ...rest] = parsed;
  if (head?.event !== 'begun') throw new ConfigurationError(`${file} is not a journal of \`atoll verify\`.`);
  return journalOf(file, head, rest);
};

/** The journals in the folder for journals that are of this target. */
export const journalsFor = async (target: string, folder = journalFolder): Promise<readonly string[]> => {
  const names = await readdir(folder).catch(() => []);
  const files = names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
  const heads = await Promise.all(files.map(async (file) => ({ file, journal: await openJournal(file) })));
  return heads.filter(({ journal }) => journal.target === target).map(({ file }) => file);
};

type Write = (file: string, line: string) => Promise<void>;

const lineOf = (line: Line | JournalHead): string => `${JSON.stringify(line)}\n`;

const keyOf = ({ type, id }: MadeEntity): string => `${type} ${id}`;

const journalOf = (file: string, head: JournalHead, lines: readonly Line[], write: Write = appendFile) => {
  const left = new Map<string, MadeEntity>();
  const open = new Map<number, MadeType>();
  let attempts = 0;
  const take = (line: Line): void => {
    if (line.event === 'intent') {
      attempts = Math.max(attempts, line.attempt);
      open.set(line.attempt, line.type);
    }
    if (line.event === 'refused') open.delete(line.attempt);
    if (line.event === 'removed') left.delete(keyOf(line));
    if (line.event === 'made') {
      if (line.attempt !== undefined) open.delete(line.attempt);
      const before = left.get(keyOf(line));
      const { type, id, uuid = before?.uuid, isUpload = before?.isUpload } = line;
      left.set(keyOf(line), { type, id, uuid, isUpload });
    }
  };
  lines.forEach(take);
  const add = async (line: Line): Promise<void> => {
    take(line);
    await write(file, lineOf(line));
  };
  const { target, label, account, container } = head;
  return {
    ...{ file, target, label, account, container },
    /** Notes that something will be made. Returns the number of the attempt. */
    intent: async (type: MadeType): Promise<number> => {
      attempts += 1;
      const attempt = attempts;
      await add({ event: 'intent', attempt, type });
      return attempt;
    },
    made: (entity: MadeEntity, attempt?: number): Promise<void> => add({ event: 'made', ...entity, attempt }),
    /** The attempt made nothing. */
    refused: (attempt: number): Promise<void> => add({ event: 'refused', attempt }),
    removed: ({ type, id }: MadeEntity): Promise<void> => add({ event: 'removed', type, id }),
    /** Everything that was made and is not removed, oldest first. */
    left: (): readonly MadeEntity[] => [...left.values()],
    /** What attempts without a known end may have made. */
    unknown: (): readonly MadeType[] => [...open.values()],
    /** Removes the file, and its folder when that is empty. */
    end: async (): Promise<void> => {
      await rm(file, { force: true });
      if (dirname(file) === journalFolder) await rmdir(journalFolder).catch(() => undefined);
    },
  };
};

export type Journal = ReturnType<typeof journalOf>;
