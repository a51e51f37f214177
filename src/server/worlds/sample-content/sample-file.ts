/** Chooses and makes the file of a field: an extension that the field allows, and bytes of its format. */
import type { FieldDefinition, MediaSource } from '../../../core/model/bundle.ts';
import type { Draws } from './random.ts';
import { mp4Bytes, webmBytes } from './film-bytes.ts';
import { gifBytes, jpegBytes, pngBytes, tiffBytes, type ImageSize } from './image-bytes.ts';
import { sentencesOf } from './sample-words.ts';
import { mp3Bytes, pdfBytes, textBytes, wavBytes, zipBytes } from './text-bytes.ts';

type SampleFile = { readonly extension: string; readonly bytes: Buffer };

/** What a field keeps, as far as it decides the extension. */
export type FileKind = MediaSource['kind'] | 'track';

/** The extensions whose bytes can be made, those of the kind's own formats first. */
const extensionsOf: { readonly [K in FileKind]?: readonly string[] } = {
  image: ['png', 'jpg', 'jpeg', 'gif'],
  audio: ['wav', 'mp3'],
  video: ['mp4', 'webm', 'm4v', 'mov'],
  file: ['pdf', 'txt', 'xml', 'csv'],
  track: ['vtt'],
};
const otherExtensions = ['tif', 'tiff', 'svg', 'json', 'md', 'html', 'rtf', 'zip'];

const sizes: readonly ImageSize[] = [
  { width: 16, height: 16 },
  { width: 24, height: 16 },
  { width: 32, height: 48 },
];
const colours = [
  [200, 60, 40],
  [40, 90, 160],
  [60, 140, 80],
] as const;

/** The file of a field. A format that nobody can make here gets bytes of text: no repository looks into them. */
export const sampleFile = (field: FieldDefinition, kind: FileKind, draws: Draws): SampleFile => {
  const extension = extensionFor(field.extensions, kind, draws);
  return { extension, bytes: bytesOf(extension, draws) };
};

const extensionFor = (allowed: readonly string[] | undefined, kind: FileKind, draws: Draws): string => {
  const own = extensionsOf[kind] ?? [];
  const fits = (extension: string): boolean => allowed?.includes(extension) ?? true;
  const known = own.filter(fits);
  if (known.length > 0) return draws.pick(known) ?? 'txt';
  const others = [...Object.values(extensionsOf).flat(), ...otherExtensions].filter(fits);
  return draws.pick(others) ?? allowed?.[0] ?? 'txt';
};

const bytesOf = (extension: string, draws: Draws): Buffer => {
  const size = draws.pick(sizes) ?? { width: 16, height: 16 };
  const makers: Readonly<Record<string, () => Buffer>> = {
    png: () => pngBytes(size, draws.pick(colours) ?? [0, 0, 0]),
    jpg: () => jpegBytes(size),
    jpeg: () => jpegBytes(size),
    gif: gifBytes,
    tif: () => tiffBytes(size),
    tiff: () => tiffBytes(size),
    wav: wavBytes,
    mp3: mp3Bytes,
    mp4: () => mp4Bytes(size),
    m4v: () => mp4Bytes(size),
    mov: () => mp4Bytes(size),
    webm: webmBytes,
    pdf: pdfBytes,
    zip: zipBytes,
  };
  const text = sentencesOf(draws);
  return makers[extension]?.() ?? textBytes(extension, text) ?? Buffer.from(`${text}\n`);
};
