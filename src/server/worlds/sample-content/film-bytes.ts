/** Makes a short MP4 (ISO/IEC 14496-12 and -14) with one track whose frames are JPEG images, and a WebM without a track. */
import { latin1, u16, u32, u8 } from './byte-parts.ts';
import { jpegBytes, type ImageSize } from './image-bytes.ts';

const box = (type: string, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([u32(body.length + 8), latin1(type), body]);
};
/** A box with version 0 and flags. */
const fullBox = (type: string, flags: number, ...content: readonly Buffer[]): Buffer =>
  box(type, u32(flags), ...content);
/** A descriptor (14496-1 §8.3.3) of at most 127 bytes. */
const descriptor = (tag: number, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([u8(tag, body.length), body]);
};

const unityMatrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);
const timescale = 600;

/** Whole JPEG files of one size. */
type Film = ImageSize & { readonly frames: readonly Buffer[]; readonly frameTime: number };

/** The object type 0x6C is JPEG. */
const sampleDescription = ({ width, height, frames }: Film): Buffer => {
  const largest = Math.max(...frames.map((frame) => frame.length));
  const decoder = descriptor(4, u8(0x6c, 0x11), u32(largest).subarray(1), u32(0, 0));
  const stream = descriptor(3, u16(1), u8(0), decoder, descriptor(6, u8(2)));
  const entry = [u16(0, 0, 0, 1, 0, 0), u32(0, 0, 0), u16(width, height), u32(0x480000, 0x480000, 0), u16(1)];
  const compressor = [Buffer.alloc(32), u16(24, 0xffff)];
  return fullBox('stsd', 0, u32(1), box('mp4v', ...entry, ...compressor, fullBox('esds', 0, stream)));
};

const sampleTable = (film: Film, dataOffset: number): Buffer => {
  const { frames, frameTime } = film;
  return box(
    'stbl',
    sampleDescription(film),
    fullBox('stts', 0, u32(1, frames.length, frameTime)),
    fullBox('stsc', 0, u32(1, 1, frames.length, 1)),
    fullBox('stsz', 0, u32(0, frames.length, ...frames.map((frame) => frame.length))),
    fullBox('stco', 0, u32(1, dataOffset)),
  );
};

const movie = (film: Film, dataOffset: number): Buffer => {
  const { width, height, frames, frameTime } = film;
  const duration = frames.length * frameTime;
  // The samples are in this file.
  const place = box('dinf', fullBox('dref', 0, u32(1), fullBox('url ', 1)));
  const media = box(
    'mdia',
    fullBox('mdhd', 0, u32(0, 0, timescale, duration), u16(0x55c4, 0)), // the language "und"
    fullBox('hdlr', 0, u32(0), latin1('vide'), u32(0, 0, 0), latin1('VideoHandler\0')),
    box('minf', fullBox('vmhd', 1, u16(0, 0, 0, 0)), place, sampleTable(film, dataOffset)),
  );
  const track = [u32(0, 0, 1, 0, duration, 0, 0), u16(0, 0, 0, 0), unityMatrix, u32(width << 16, height << 16)];
  const times = [u32(0, 0, timescale, duration, 0x10000), u16(0x100, 0), u32(0, 0), unityMatrix];
  const header = fullBox('mvhd', 0, ...times, u32(0, 0, 0, 0, 0, 0, 2));
  return box('moov', header, box('trak', fullBox('tkhd', 3, ...track), media));
};

/** A film of three grey frames. */
export const mp4Bytes = (size: ImageSize): Buffer => {
  const frame = jpegBytes(size);
  const film: Film = { ...size, frames: [frame, frame, frame], frameTime: 200 };
  const brand = box('ftyp', latin1('isom'), u32(0x200), latin1('isommp41'));
  const dataOffset = brand.length + movie(film, 0).length + 8;
  return Buffer.concat([brand, movie(film, dataOffset), box('mdat', ...film.frames)]);
};

/** An element of EBML (RFC 8794) with at most 126 bytes. */
const element = (id: readonly number[], ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([u8(...id, 0x80 | body.length), body]);
};

/** Header and information of a WebM. */
export const webmBytes = (): Buffer =>
  Buffer.concat([
    element(
      [0x1a, 0x45, 0xdf, 0xa3],
      element([0x42, 0x86], u8(1)),
      element([0x42, 0xf7], u8(1)),
      element([0x42, 0xf2], u8(4)),
      element([0x42, 0xf3], u8(8)),
      element([0x42, 0x82], latin1('webm')),
      element([0x42, 0x87], u8(2)),
      element([0x42, 0x85], u8(2)),
    ),
    element(
      [0x18, 0x53, 0x80, 0x67],
      element(
        [0x15, 0x49, 0xa9, 0x66],
        element([0x2a, 0xd7, 0xb1], u8(0x0f, 0x42, 0x40)),
        element([0x4d, 0x80], latin1('sample')),
        element([0x57, 0x41], latin1('sample')),
      ),
    ),
  ]);
