/** Reads a `Content-Location` header. It is a label for the file, never a path on this machine's disk. */
import { inHeader, type Advise } from '../../../openapi/openapi-host.ts';
import { extensionOf } from '../../fields/values.ts';
import type { FieldDefinition } from '../../model/bundle.ts';
import { malformed } from '../../../openapi/openapi-terms.ts';

/** The parts of `public://2019-03/a.png`. */
type ContentLocation = { readonly scheme: string; readonly path: string; readonly uri: string };

const longestSegment = 255;
const longestPath = 1024;
// Node decodes header bytes as Latin-1, but clients send UTF-8.
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses and checks the header. `header` has one character per byte, as Node gives it. Throws 400 when it is missing or
 * malformed, has an unknown scheme, no file name or path traversal; the texts are those of Islandora's branch 2.x.
 */
export const readContentLocation = (header: string | undefined, schemes: readonly string[]): ContentLocation => {
  if (header === undefined || header === '') throw malformed('Missing Content-Location header');
  const location = decodeHeader(header);
  if (location === undefined) throw malformed('Invalid Content-Location header');
  const [, scheme, path] = /^([a-z][a-z0-9_+.-]*):\/\/(.*)$/s.exec(location) ?? [];
  if (scheme === undefined || path === undefined || !schemes.includes(scheme)) {
    throw malformed('Content-Location must be a valid stream wrapper URI');
  }
  if (path === '' || path.endsWith('/')) throw malformed('Content-Location must include a filename');
  const segments = path.split('/');
  if (segments.some(isTraversal)) throw malformed('Content-Location must not contain path traversal segments');
  const tooLong = segments.some((segment) => Buffer.byteLength(segment) > longestSegment);
  if (tooLong || Buffer.byteLength(path) > longestPath) throw malformed('Invalid Content-Location header');
  return { scheme, path, uri: `${scheme}://${path}` };
};

/** Decodes header bytes as UTF-8. Undefined when they are not UTF-8 or hold control characters. */
export const decodeHeader = (header: string): string | undefined => {
  try {
    const text = utf8.decode(Buffer.from(header, 'latin1'));
    return /[\u0000-\u001f\u007f-\u009f]/.test(text) ? undefined : text.normalize('NFC');
  } catch {
    return undefined;
  }
};

/** Percent sequences stay in the name as they are, but they must not hide a traversal. */
const isTraversal = (segment: string): boolean => {
  const decoded = segment.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return [segment, decoded].some((name) => name === '' || name === '.' || name === '..' || /[\\/\0]/.test(name));
};

/** Throws 400 when the source field does not allow the extension. The real text has two spaces, too. */
export const requireExtension = (location: ContentLocation, sourceField: FieldDefinition): void => {
  const allowed = sourceField.extensions;
  if (allowed === undefined || allowed.includes(extensionOf(location.path))) return;
  throw malformed(`Invalid file extension.  Valid types are ${allowed.join(' ')}`);
};

/** The last segment of a URI's path. */
export const fileNameOf = (uri: string): string => uri.slice(uri.lastIndexOf('/') + 1);

/** The location itself if it is free, else the first free one with `_0`, `_1` … before the extension. */
export const freeUri = (uri: string, isTaken: (uri: string) => boolean): string => {
  if (!isTaken(uri)) return uri;
  const dot = uri.lastIndexOf('.');
  const [stem, extension] = dot > uri.lastIndexOf('/') ? [uri.slice(0, dot), uri.slice(dot)] : [uri, ''];
  for (let number = 0; ; number += 1) {
    const candidate = `${stem}_${number}${extension}`;
    if (!isTaken(candidate)) return candidate;
  }
};

/** Advises of a new file. `sent` is the location or name that the header asks for. */
export const adviseOfName = (header: string, sent: string, stored: string, advise: Advise): void => {
  if (sent === stored) return;
  const reason = 'Another file has this place, or the real site does not allow this name.';
  advise?.({ pointer: inHeader(header), sent, stored, reason });
};
