/**
 * Reads the first page of a TIFF (TIFF 6.0): grey, palette or RGB, of 1, 2, 4, 8 or 16 bits, in strips or tiles, not compressed or with
 * PackBits, LZW or Deflate. It follows no pointer but to this directory and its data, and each piece gives no more bytes than its pixels
 * have. The libraries for it follow directories that contain each other without an end.
 */
import { inflateSync } from 'node:zlib';
import type { PictureSize } from '../../../basics/file-beginnings.ts';
import { UnreadSource } from '../../../repository/repository-content.ts';
import { mostPixels, type Pixels } from './pixels.ts';
import { unpackBits, unpackLzw } from './tiff-compression.ts';

const tags = {
  width: 256,
  height: 257,
  bits: 258,
  compression: 259,
  photometric: 262,
  stripOffsets: 273,
  samples: 277,
  rowsPerStrip: 278,
  stripBytes: 279,
  planar: 284,
  predictor: 317,
  palette: 320,
  tileWidth: 322,
  tileHeight: 323,
  tileOffsets: 324,
  tileBytes: 325,
} as const;

type Directory = (tag: number) => readonly number[];

/** Bytes of a value by its type: BYTE, SHORT, LONG. Other types say nothing that is read here. */
const bytesOfType: Readonly<Record<number, number>> = { 1: 1, 3: 2, 4: 4 };

/** Strips or tiles of a picture, and colours of a palette of 16 bits. */
const mostValues = 200_000;

const directoryOf = (view: DataView, isLittle: boolean): Directory => {
  const start = view.getUint32(4, isLittle);
  const count = view.getUint16(start, isLittle);
  const entries = new Map<number, readonly number[]>();
  for (let entry = 0; entry < count; entry += 1) {
    const at = start + 2 + entry * 12;
    const tag = view.getUint16(at, isLittle);
    if (!knownTags.has(tag) || entries.has(tag)) continue;
    entries.set(tag, valuesAt(view, at, isLittle));
  }
  return (tag) => entries.get(tag) ?? [];
};

const knownTags: ReadonlySet<number> = new Set(Object.values(tags));

const valuesAt = (view: DataView, entry: number, isLittle: boolean): readonly number[] => {
  const type = view.getUint16(entry + 2, isLittle);
  const count = view.getUint32(entry + 4, isLittle);
  const size = bytesOfType[type];
  if (size === undefined) return [];
  if (count > mostValues) throw new UnreadSource('The TIFF has too many pieces.');
  const first = count * size <= 4 ? entry + 8 : view.getUint32(entry + 8, isLittle);
  return Array.from({ length: count }, (_, index) => {
    const at = first + index * size;
    return size === 1 ? view.getUint8(at) : size === 2 ? view.getUint16(at, isLittle) : view.getUint32(at, isLittle);
  });
};

/** How the samples of a page lie in its pieces. */
type Layout = {
  readonly isLittle: boolean;
  readonly bits: number;
  readonly samples: number;
  readonly compression: number;
  /** Each sample of a row is the difference from the one before it (14: Differencing Predictor). */
  readonly isDifferenced: boolean;
};

/** Throws `UnreadSource` for a form that is not read, and a RangeError where the file is cut. */
export const readTiff = (bytes: Uint8Array, page: PictureSize): Pixels => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isLittle = bytes[0] === 0x49;
  const directory = directoryOf(view, isLittle);
  const valueOf = (tag: number, otherwise: number): number => directory(tag)[0] ?? otherwise;
  const [bits, samples, predictor] = [valueOf(tags.bits, 1), valueOf(tags.samples, 1), valueOf(tags.predictor, 1)];
  const layout = { isLittle, bits, samples, compression: valueOf(tags.compression, 1), isDifferenced: predictor === 2 };
  const isRead =
    [1, 2, 4, 8, 16].includes(bits) &&
    samples >= 1 &&
    samples <= 5 &&
    (valueOf(tags.planar, 1) === 1 || samples === 1) &&
    (predictor === 1 || (predictor === 2 && bits >= 8));
  if (!isRead) throw unreadForm();
  const colour = colourWriter(directory, layout);
  const data = new Uint8Array(page.width * page.height * 4);
  for (const piece of piecesOf(bytes, directory, page)) {
    const rowBytes = Math.ceil((piece.width * samples * bits) / 8);
    const unpacked = unpack(piece.bytes, rowBytes * piece.height, layout.compression);
    for (let y = 0; y < Math.min(piece.height, page.height - piece.top); y += 1) {
      const row = samplesOf(unpacked.subarray(y * rowBytes, (y + 1) * rowBytes), piece.width * samples, layout);
      for (let x = 0; x < Math.min(piece.width, page.width - piece.left); x += 1) {
        colour(row, x * samples, data, ((piece.top + y) * page.width + piece.left + x) * 4);
      }
    }
  }
  return { ...page, data };
};

const unreadForm = (): UnreadSource => new UnreadSource('The built-in services do not read this form of TIFF.');

/** A rectangle of pixels: a strip as wide as the page, or a tile, of which a part may lie outside. */
type Piece = PictureSize & { readonly left: number; readonly top: number; readonly bytes: Uint8Array };

/** Of all pieces together, the part outside the page included. */
const mostPiecePixels = 4 * mostPixels;

const piecesOf = (bytes: Uint8Array, directory: Directory, page: PictureSize): readonly Piece[] => {
  const isTiled = directory(tags.tileOffsets).length > 0;
  const [width = page.width] = directory(isTiled ? tags.tileWidth : tags.width);
  const [asked = page.height] = directory(isTiled ? tags.tileHeight : tags.rowsPerStrip);
  const height = isTiled ? asked : Math.min(asked, page.height);
  const offsets = directory(isTiled ? tags.tileOffsets : tags.stripOffsets);
  const lengths = directory(isTiled ? tags.tileBytes : tags.stripBytes);
  const [across, down] = [Math.ceil(page.width / width), Math.ceil(page.height / height)];
  const isWhole = width > 0 && height > 0 && offsets.length >= across * down && lengths.length >= across * down;
  if (!isWhole || across * down * width * height > mostPiecePixels) throw unreadForm();
  return Array.from({ length: across * down }, (_, index) => {
    const [left, top] = [(index % across) * width, Math.floor(index / across) * height];
    const [start, length] = [offsets[index] ?? 0, lengths[index] ?? 0];
    const part = bytes.subarray(start, start + length);
    // The last tiles are whole, the last strip is not.
    return { left, top, width, height: isTiled ? height : Math.min(height, page.height - top), bytes: part };
  });
};

/** Exactly so many bytes. What a cut piece lacks is zero. */
const unpack = (packed: Uint8Array, length: number, compression: number): Uint8Array => {
  const unpacked = unpackedBytes(packed, length, compression);
  if (unpacked.length >= length) return unpacked;
  const whole = new Uint8Array(length);
  whole.set(unpacked);
  return whole;
};

const unpackedBytes = (packed: Uint8Array, length: number, compression: number): Uint8Array => {
  switch (compression) {
    case 1:
      return packed.subarray(0, length);
    case 5:
      return unpackLzw(packed, length);
    // Deflate, by its old and its new number.
    case 8:
    case 32_946:
      return inflateSync(packed, { maxOutputLength: Math.max(1, length) });
    case 32_773:
      return unpackBits(packed, length);
    default:
      throw unreadForm();
  }
};

/** The samples of a row, from 0 to 2^bits - 1. */
const samplesOf = (row: Uint8Array, count: number, { bits, samples, isLittle, isDifferenced }: Layout): Uint16Array => {
  const read = new Uint16Array(count);
  for (let at = 0; at < count; at += 1) {
    const before = isDifferenced && at >= samples ? (read[at - samples] ?? 0) : 0;
    read[at] = (sampleAt(row, at, bits, isLittle) + before) & (2 ** bits - 1);
  }
  return read;
};

const sampleAt = (row: Uint8Array, at: number, bits: number, isLittle: boolean): number => {
  if (bits === 8) return row[at] ?? 0;
  if (bits === 16) {
    const [first = 0, second = 0] = [row[at * 2], row[at * 2 + 1]];
    return isLittle ? first | (second << 8) : (first << 8) | second;
  }
  const bit = at * bits;
  return ((row[bit >> 3] ?? 0) >> (8 - bits - (bit & 7))) & (2 ** bits - 1);
};

/** Writes the colour of a pixel, whose samples begin at an index of a row, as four bytes. */
type WriteColour = (row: Uint16Array, first: number, data: Uint8Array, at: number) => void;

const colourWriter = (directory: Directory, { bits, samples }: Layout): WriteColour => {
  const highest = 2 ** bits - 1;
  const toByte = (sample: number): number => (highest === 255 ? sample : Math.round((sample / highest) * 255));
  const [photometric = 1] = directory(tags.photometric);
  const palette = directory(tags.palette);
  const colours = palette.length / 3;
  switch (photometric) {
    case 0:
    case 1:
      return (row, first, data, at) => {
        const grey = toByte(row[first] ?? 0);
        data.fill(photometric === 0 ? 255 - grey : grey, at, at + 3);
        data[at + 3] = 255;
      };
    case 2:
      if (samples < 3) throw unreadForm();
      return (row, first, data, at) => {
        for (let sample = 0; sample < 3; sample += 1) data[at + sample] = toByte(row[first + sample] ?? 0);
        data[at + 3] = samples === 4 ? toByte(row[first + 3] ?? highest) : 255;
      };
    case 3:
      return (row, first, data, at) => {
        const index = row[first] ?? 0;
        for (let sample = 0; sample < 3; sample += 1) data[at + sample] = (palette[sample * colours + index] ?? 0) >> 8;
        data[at + 3] = 255;
      };
    default:
      throw unreadForm();
  }
};
