/** Makes files to upload by a seed: good ones that are damaged, and ones that are grown out of what their formats let grow. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { encode } from 'fast-png';
import jpeg from 'jpeg-js';
import {
  greyTiff,
  nestedPdf,
  nestedTiff,
  noisyJpeg,
  packedPdf,
  packedZeros,
  pngOf,
  scannedJpeg,
  textChunk,
} from '../../support/hostile-files.ts';
import type { KindName } from '../../support/originals.ts';
import { pdfWith } from '../../support/pdf.ts';
import { pngBytes } from '../../support/png.ts';
import type { RandomSource } from '../../../src/basics/random-source.ts';

export type MadeFile = { readonly kind: KindName; readonly bytes: Uint8Array };

const { samples } = JSON.parse(readFileSync(join(import.meta.dirname, '../../decoding/tiff-samples.json'), 'utf8')) as {
  readonly samples: Readonly<Record<string, string>>;
}; // of that test

const colours = Uint8Array.from({ length: 64 * 48 * 4 }, (_, at) => (at * 37) & 255);

/** Files that are read, by their kind. */
const good: Readonly<Record<KindName, readonly Uint8Array[]>> = {
  png: [pngBytes(64, 48), encode({ width: 64, height: 48, data: colours, channels: 4 })],
  jpeg: [
    Buffer.from(jpeg.encode({ width: 64, height: 48, data: colours }, 80).data),
    noisyJpeg(200, 150),
    scannedJpeg(64, 48, 8),
  ],
  tiff: Object.values(samples).map((text) => Buffer.from(text, 'base64')),
  pdf: [pdfWith('A page of text'), nestedPdf(3, 3), packedPdf(Buffer.from('BT /F1 9 Tf (packed) Tj ET'))],
  text: [Buffer.from('A line\nand another one\n'.repeat(50))],
};

const kindNames: readonly KindName[] = ['png', 'jpeg', 'tiff', 'pdf', 'text'];

/** What draws from a source of numbers. */
const drawing = (random: RandomSource) => {
  const below = (limit: number): number => Math.floor(random() * limit);
  const one = <T>(of: readonly T[]): T => {
    const chosen = of[below(of.length)];
    if (chosen === undefined) throw new Error('There is nothing to choose from.');
    return chosen;
  };
  return { below, one };
};

type Drawing = ReturnType<typeof drawing>;

/** Numbers that readers reckon with: sizes, counts, places. */
const extremes = [0, 1, 0x7f, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_ffff];

/** Changes of bytes, a few at a time. */
const damages: readonly ((bytes: Buffer, draw: Drawing) => Buffer)[] = [
  (bytes, { below }) => {
    bytes[below(bytes.length)] = below(256);
    return bytes;
  },
  (bytes, { below, one }) => {
    if (bytes.length < 8) return bytes;
    const at = below(bytes.length - 4);
    if (below(2) === 0) bytes.writeUInt32LE(one(extremes), at);
    else bytes.writeUInt32BE(one(extremes), at);
    return bytes;
  },
  (bytes, { below }) => bytes.subarray(0, 1 + below(bytes.length)),
  (bytes, { below }) => {
    const [from, length, to] = [below(bytes.length), below(400), below(bytes.length)];
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from, from + length), bytes.subarray(to)]);
  },
  (bytes, { below }) => {
    const at = below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), Buffer.alloc(below(3000), below(256)), bytes.subarray(at)]);
  },
];

const damaged = (draw: Drawing): MadeFile => {
  const kind = draw.one(kindNames);
  let bytes = Buffer.from(draw.one(good[kind]));
  for (let count = 1 + draw.below(6); count > 0; count -= 1) bytes = Buffer.from(draw.one(damages)(bytes, draw));
  return { kind, bytes: bytes.length === 0 ? Buffer.from('x') : bytes };
};

const nestedBoxes = ({ below }: Drawing): Buffer => {
  const box = (name: string, content: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + content.length, 0);
    head.write(name, 4, 'latin1');
    return Buffer.concat([head, content]);
  };
  const sizes = Array.from({ length: 1 + below(12_000) }, () => box('ispe', Buffer.alloc(12, 1)));
  const properties = box('iprp', box('ipco', Buffer.concat(sizes)));
  return Buffer.concat([
    box('ftyp', Buffer.from('heic\0\0\0\0')),
    box('meta', Buffer.concat([Buffer.alloc(4), properties])),
  ]);
};

const growths: readonly ((draw: Drawing) => MadeFile)[] = [
  ({ below, one }) => ({
    kind: 'tiff',
    bytes: nestedTiff(one([330, 34_665, 34_853, 40_965, 0x8769]), 2 + below(60), 1 + below(8)),
  }),
  ({ below, one }) => ({
    kind: 'tiff',
    bytes: greyTiff(1 + below(3000), 1 + below(3000), one([1, 5, 8, 32_773, 32_946, 7]), packedZeros(1 + below(4))),
  }),
  ({ below }) => ({ kind: 'png', bytes: pngOf(1 + below(2000), 1 + below(2000), packedZeros(1 + below(16))) }),
  ({ below }) => ({
    kind: 'png',
    bytes: pngOf(4, 4, deflateSync(Buffer.alloc(68)), Array(below(40)).fill(textChunk(packedZeros(4)))),
  }),
  ({ below }) => ({ kind: 'jpeg', bytes: scannedJpeg(16 + below(300), 16 + below(300), below(90)) }),
  ({ below }) => ({ kind: 'jpeg', bytes: Buffer.concat(Array(1 + below(9)).fill(noisyJpeg(40, 30))) }),
  ({ below }) => ({ kind: 'pdf', bytes: nestedPdf(1 + below(4), 1 + below(6)) }),
  ({ below }) => ({ kind: 'pdf', bytes: packedPdf(Buffer.alloc(1 + below(2_000_000), 'BT (a) Tj ET ')) }),
  (draw) => ({ kind: 'png', bytes: nestedBoxes(draw) }),
  ({ below }) => ({ kind: 'png', bytes: Buffer.from(`<svg a="${' height="x'.repeat(below(9000))}"/>`) }),
  ({ below }) => ({ kind: 'text', bytes: Buffer.alloc(1 + below(300_000), one4(below)) }),
];

const one4 = (below: Drawing['below']): string => ['\n', 'a ', '\u00e4', '<&>'][below(4)] ?? 'x';

/** The next file: three of four are damaged, the others grown. */
export const nextFile = (random: RandomSource): MadeFile => {
  const draw = drawing(random);
  return draw.below(4) === 0 ? draw.one(growths)(draw) : damaged(draw);
};
