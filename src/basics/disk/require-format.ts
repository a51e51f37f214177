/** Refuses a file whose form is newer than what this program knows. */
import { flawError } from '../configuration-error.ts';
import { isRecord } from '../json.ts';

/**
 * Throws `ConfigurationError` when the content of a file says a higher version of its form than `known`. A file that says none is of
 * version 1. Call it before the content is compared with a schema: a newer form has members that the schema does not know.
 */
export const requireFormat = (file: string, content: unknown, known: number, member = 'format'): void => {
  const format = isRecord(content) ? content[member] : undefined;
  if (typeof format !== 'number' || format <= known) return;
  const message = `${member} ${format} is not known to this version.`;
  throw flawError({ file, rule: member, message, remedy: 'Use a newer Atoll.' });
};
