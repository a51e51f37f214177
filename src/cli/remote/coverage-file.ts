/** Reads coverage records from files, and writes coverage reports to a file or the terminal. */
import { readFile, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import type { CoverageRecord } from '../../contract/coverage/coverage-figures.ts';
import { ConfigurationError } from '../../basics/configuration-error.ts';

const names = v.array(v.string());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Ignores the figures, which are computed again. */
const recordSchema = v.object({
  version: v.literal(1),
  offered: v.array(
    v.object({
      operation: v.string(),
      method: v.string(),
      path: v.string(),
      answers: v.record(v.string(), names),
      identities: names,
      relations: names,
    }),
  ),
  answers: v.array(
    v.object({ operation: v.string(), status: count, mediaType: v.nullable(v.string()), identities: names, count }),
  ),
  relations: v.array(v.object({ operation: v.string(), relation: v.string(), seen: count, followed: count })),
  /** Earlier reports have none. */
  advice: v.optional(v.array(v.object({ operation: v.string(), pointer: v.string(), reason: v.string(), count })), []),
});

/** Reads a JSON report. Throws `ConfigurationError` when the file cannot be read or holds something else. */
export const readCoverageFile = async (file: string): Promise<CoverageRecord> => {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError(`${file}: cannot be read.`, { cause });
  });
  try {
    return v.parse(recordSchema, JSON.parse(text));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ConfigurationError(
      `${file}: is no coverage as "atoll coverage report --format json" writes it: ${reason}`,
      { cause },
    );
  }
};

/** Writes a report to a file, or prints it when `file` is undefined. */
export const writeReport = async (
  text: string,
  file: string | undefined,
  print: (text: string) => void,
): Promise<void> => {
  if (file === undefined) print(text.trimEnd());
  else await writeFile(file, text);
};
