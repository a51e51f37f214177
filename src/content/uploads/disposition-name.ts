/** Reads the file name from the `Content-Disposition` header of the standard upload. */
import { malformed } from '../../problem.ts';
import { decodeHeader } from './content-location.ts';

const example = 'A file name in the format "filename=FILENAME" must be provided.';

/**
 * The name in `filename="…"`, without a path before it. A `filename*` after it is ignored, because Islandora Workbench
 * sends both. `header` has one character per byte, as Node gives it. Throws 400 with the real site's texts.
 */
export const readDispositionName = (header: string | undefined): string => {
  if (header === undefined || header === '') throw malformed(`"Content-Disposition" header is required. ${example}`);
  const [, star, quoted] = /\bfilename(\*?)="([^"]+)"/.exec(header) ?? [];
  if (quoted === undefined) throw missingName();
  if (star === '*') {
    throw malformed('The extended "filename*" format is currently not supported in the "Content-Disposition" header.');
  }
  const name = decodeHeader(quoted)?.split(/[\\/]/).at(-1) ?? '';
  if (name === '' || name === '.' || name === '..') throw missingName();
  return name;
};

const missingName = (): Error => malformed(`No filename found in "Content-Disposition" header. ${example}`);
