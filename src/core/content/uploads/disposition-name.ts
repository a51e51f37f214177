/** Reads the file name from the `Content-Disposition` header of the standard upload, and makes it a safe one. */
import { malformed } from '../../problem.ts';
import { decodeHeader } from './content-location.ts';

const example = 'A file name in the format "filename=FILENAME" must be provided.';

/**
 * The name in `filename="…"`, up to the last quotation mark, without a path before it. A `filename*` after it is ignored, because Islandora Workbench
 * sends both. `header` has one character per byte, as Node gives it. Throws 400 with the real site's texts.
 */
export const readDispositionName = (header: string | undefined): string => {
  if (header === undefined) throw malformed(`"Content-Disposition" header is required. ${example}`);
  const [, star, quoted] = /\bfilename(\*?)="(.+)"/.exec(header) ?? [];
  if (quoted === undefined) throw missingName();
  if (star === '*') {
    throw malformed('The extended "filename*" format is currently not supported in the "Content-Disposition" header.');
  }
  const name = decodeHeader(quoted)?.split(/[\\/]/).at(-1) ?? '';
  if (name === '' || name === '.' || name === '..') throw missingName();
  return name;
};

const missingName = (): Error => malformed(`No filename found in "Content-Disposition" header. ${example}`);

const insecureExtensions: ReadonlySet<string> = new Set([
  ...['phar', 'php', 'pl', 'py', 'cgi', 'asp', 'js', 'htaccess', 'phtml'],
]);

/** What a web server could take for an extension. */
const looksLikeExtension = /^[a-z]{2,5}\d?$/i;

/**
 * The name under which the real site stores a file: `a.php.png` becomes `a.php_.png`. A part in the middle that could be an
 * extension, but none of `allowed`, gets an underscore; all parts get one when an insecure extension is among them. A name
 * whose own extension is not allowed stays as it is, because it is refused.
 */
export const safeName = (name: string, allowed: readonly string[] = []): string => {
  const parts = name.replace(/^\.+|\.+$/g, '').split('.');
  const extension = parts.length > 1 ? (parts.at(-1) ?? '') : '';
  const isFree = allowed.length === 0;
  if (!isFree && !allowed.includes(extension.toLowerCase())) return name;
  const isInsecure = insecureExtensions.has(extension.toLowerCase());
  if (isInsecure && !isFree && !allowed.includes('txt')) return name;
  const middle = isInsecure ? parts.slice(1) : parts.slice(1, -1);
  const markAll = middle.some((part) => insecureExtensions.has(part.toLowerCase()));
  const marked = middle.map((part) => {
    const isForeign = !isFree && !allowed.includes(part.toLowerCase()) && looksLikeExtension.test(part);
    return markAll || isForeign ? `${part}_` : part;
  });
  const end = isInsecure ? ['txt'] : extension === '' ? [] : [extension];
  return [parts[0] ?? '', ...marked, ...end].join('.');
};
