/** Writes the error of a failed command as one line, with its remedy. */
import { directoryInUseCode } from '../basics/disk/directory-lock.ts';
import { ConfigurationError } from '../basics/configuration-error.ts';
import { errorCode } from '../basics/error-code.ts';

/** A system error of Node: `path` names the file or directory that it is about. */
type SystemError = Error & { readonly path?: string; readonly syscall: string };

const isSystemError = (error: unknown): error is SystemError =>
  error instanceof Error && 'syscall' in error && typeof error.syscall === 'string';

const causes: Readonly<Record<string, string>> = {
  EACCES: 'no permission. Give this user the right to it, or name another place.',
  EPERM: 'not permitted there. Name another place.',
  EROFS: 'the file system is read-only. Name another place, or mount it for writing.',
  ENOSPC: 'no space is left. Make room, or name another place.',
  EDQUOT: 'the quota is used up. Make room, or name another place.',
  EMFILE: 'too many files are open. Raise the limit (ulimit -n).',
  ENFILE: 'too many files are open on this machine. Close some programs.',
  EISDIR: 'a directory, where a file is needed. Name a file.',
  ENOTDIR: 'a part of this path is a file, not a directory. Name another place.',
  ENOENT: 'it does not exist, or nothing can be made there. Name another place.',
  ELOOP: 'its symbolic links lead in a circle. Correct them.',
  ENAMETOOLONG: 'the name is too long. Choose a shorter one.',
  EXDEV: 'it lies on another file system. Name another place.',
};

const remedies: Readonly<Record<string, string>> = {
  [directoryInUseCode]: 'Stop that process first, or name another directory with --data.',
};

/** One line for any error, or one for each violation of a user's file: the cause in plain words and, for a known one, the remedy. */
export const errorLine = (error: unknown): string => {
  if (error instanceof ConfigurationError && error.hasLines) return error.message;
  const code = errorCode(error) ?? '';
  const message = oneLine(error instanceof Error ? error.message : String(error));
  if (!isSystemError(error)) {
    const remedy = remedies[code];
    return remedy === undefined ? message : `${message.replace(/\.?$/, '.')} ${remedy}`;
  }
  const { path, syscall } = error;
  if (code === 'EEXIST' && syscall === 'mkdir')
    return `${path ?? 'The path'}: a file, not a directory. Name a directory.`;
  const cause = causes[code];
  return cause === undefined ? message : `${path ?? `A system call (${syscall})`}: ${cause}`;
};

const oneLine = (text: string): string => text.trim().replace(/\s*\n\s*/g, ' ');
