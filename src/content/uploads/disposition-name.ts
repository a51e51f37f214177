/** Reads the file name from the `Content-Disposition` of the standard upload (R 2.7). Where the file goes is not decided here. */
import { malformed } from '../../problem.ts';

const example = 'A file name in the format "filename=FILENAME" must be provided.';
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The name in `filename="…"`, without a path before it; `filename*` beside it is not looked at (clients.md 1.1: Workbench
 * sends both). `header` is as Node gives it, one character a byte. Throws 400 with the texts of R 2.7.
 */
export const readDispositionName = (header: string | undefined): string => {
  if (header === undefined || header === '') throw malformed(`"Content-Disposition" header is required. ${example}`);
  const [, star, quoted] = /\bfilename(\*?)="([^"]+)"/.exec(header) ?? [];
  if (quoted === undefined) throw missingName();
  if (star === '*') {
    throw malformed('The extended "filename*" format is currently not supported in the "Content-Disposition" header.');
  }
  const name = decode(quoted).split(/[\\/]/).at(-1) ?? '';
  if (name === '' || name === '.' || name === '..') throw missingName();
  return name;
};

const missingName = (cause?: unknown): Error =>
  malformed(`No filename found in "Content-Disposition" header. ${example}`, cause);

const decode = (text: string): string => {
  let name: string;
  try {
    name = utf8.decode(Buffer.from(text, 'latin1'));
  } catch (cause) {
    throw missingName(cause);
  }
  if (/[\u0000-\u001f\u007f-\u009f]/.test(name)) throw missingName();
  return name.normalize('NFC');
};
