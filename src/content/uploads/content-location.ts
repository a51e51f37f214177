/** Reads a `Content-Location` header: a label for the file, never a place on our disk (contract, rule 3; R 3.1, branch 2.x). */
import { malformed } from '../../problem.ts';
import { extensionOf } from '../fields/field-types.ts';
import type { FieldDefinition } from '../../model/bundle.ts';

/** `public://2019-03/a.png`, taken apart. */
export type ContentLocation = { readonly scheme: string; readonly path: string; readonly uri: string };

const longestSegment = 255;
const longestPath = 1024;
// Node hands header bytes over as Latin-1; what was sent is UTF-8.
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Checks and takes apart. `header` is the header as Node gives it (one character a byte). Throws 400 with the texts of
 * branch 2.x: missing, malformed, unknown scheme, no file name, traversal.
 */
export const readContentLocation = (header: string | undefined, schemes: readonly string[]): ContentLocation => {
  if (header === undefined || header === '') throw malformed('Missing Content-Location header');
  const location = decode(header);
  const [, scheme, path] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/s.exec(location) ?? [];
  if (scheme === undefined || path === undefined || !schemes.includes(scheme)) {
    throw malformed('Content-Location must be a valid stream wrapper URI');
  }
  if (path === '' || path.endsWith('/')) throw malformed('Content-Location must include a filename');
  const segments = path.split('/');
  if (segments.some(leadsAway)) throw malformed('Content-Location must not contain path traversal segments');
  const tooLong = segments.some((segment) => Buffer.byteLength(segment) > longestSegment);
  if (tooLong || Buffer.byteLength(path) > longestPath) throw malformed('Invalid Content-Location header');
  return { scheme, path, uri: `${scheme}://${path}` };
};

const decode = (header: string): string => {
  let text: string;
  try {
    text = utf8.decode(Buffer.from(header, 'latin1'));
  } catch (cause) {
    throw malformed('Invalid Content-Location header', cause);
  }
  if (/[\u0000-\u001f\u007f-\u009f]/.test(text)) throw malformed('Invalid Content-Location header');
  return text.normalize('NFC');
};

/** Percent sequences stay as they are in the name (R 3.1), but must not hide a way up. */
const leadsAway = (segment: string): boolean => {
  const decoded = segment.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return [segment, decoded].some((name) => name === '' || name === '.' || name === '..' || /[\\/\0]/.test(name));
};

/** Throws 400 when the file name's extension is not one of the source field's (R 3.1; two spaces in the text). */
export const requireExtension = (location: ContentLocation, sourceField: FieldDefinition): void => {
  const allowed = sourceField.extensions;
  if (allowed === undefined || allowed.includes(extensionOf(location.path))) return;
  throw malformed(`Invalid file extension.  Valid types are ${allowed.join(' ')}`);
};

/** The last segment of a URI's path. */
export const fileNameOf = (uri: string): string => uri.slice(uri.lastIndexOf('/') + 1);

/** The location itself, or the first of `_0`, `_1` … before the extension that is free (decisions: Different). */
export const freeUri = (uri: string, isTaken: (uri: string) => boolean): string => {
  if (!isTaken(uri)) return uri;
  const dot = uri.lastIndexOf('.');
  const [stem, extension] = dot > uri.lastIndexOf('/') ? [uri.slice(0, dot), uri.slice(dot)] : [uri, ''];
  for (let number = 0; ; number += 1) {
    const candidate = `${stem}_${number}${extension}`;
    if (!isTaken(candidate)) return candidate;
  }
};
