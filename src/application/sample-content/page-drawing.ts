/** Draws pages of a typescript, and says where each word is on them. The same words give the same picture. */
import type { ImageSize } from './image-bytes.ts';

/** One byte for each pixel: 1 is ink. */
export type DrawnPage = ImageSize & { readonly ink: Uint8Array; readonly lines: readonly (readonly DrawnWord[])[] };

export type DrawnWord = { readonly text: string; readonly box: readonly [number, number, number, number] };

/** What is typed from the space to the letter z: five columns of eight dots each, the lowest bit on top. */
const typeface = Buffer.from(
  '0000000000' + '00005f0000' + '0007000700' + '147f147f14' + '242a7f2a12' + '2313086462' + '3649562050' + '0008070300' +
    '001c224100' + '0041221c00' + '2a1c7f1c2a' + '08083e0808' + '0080703000' + '0808080808' + '0000606000' + '2010080402' +
    '3e5149453e' + '00427f4000' + '7249494946' + '2141494d33' + '1814127f10' + '2745454539' + '3c4a494931' + '4121110907' +
    '3649494936' + '464949291e' + '0000140000' + '0040340000' + '0008142241' + '1414141414' + '0041221408' + '0201590906' +
    '3e415d594e' + '7c1211127c' + '7f49494936' + '3e41414122' + '7f4141413e' + '7f49494941' + '7f09090901' + '3e41415173' +
    '7f0808087f' + '00417f4100' + '2040413f01' + '7f08142241' + '7f40404040' + '7f021c027f' + '7f0408107f' + '3e4141413e' +
    '7f09090906' + '3e4151215e' + '7f09192946' + '2649494932' + '03017f0103' + '3f4040403f' + '1f2040201f' + '3f4038403f' +
    '6314081463' + '0304780403' + '6159494d43' + '007f414141' + '0204081020' + '004141417f' + '0402010204' + '4040404040' +
    '0003070800' + '2054547840' + '7f28444438' + '3844444428' + '384444287f' + '3854545418' + '00087e0902' + '18a4a49c78' +
    '7f08040478' + '00447d4000' + '2040403d00' + '7f10284400' + '00417f4000' + '7c04780478' + '7c08040478' + '3844444438' +
    'fc18242418' + '18242418fc' + '7c08040408' + '4854545424' + '04043f4424' + '3c4040207c' + '1c2040201c' + '3c4030403c' +
    '4428102844' + '4c9090907c' + '4464544c44',
  'hex',
); // prettier-ignore

const paper: ImageSize = { width: 1200, height: 1600 };
const margin = 120;
/** Pixels of a dot, of a letter with its gap, and of a line. */
const dot = 3;
const letterWidth = 6 * dot;
const lineHeight = 14 * dot;
export const lettersInLine = Math.floor((paper.width - 2 * margin) / letterWidth);

/** The lines of a page from the top. An empty one is a gap. */
export const drawPage = (text: readonly string[]): DrawnPage => {
  const ink = new Uint8Array(paper.width * paper.height);
  drawFrame(ink);
  const lines = text
    .map((line, at) => drawLine(ink, line, margin + at * lineHeight))
    .filter((words) => words.length > 0);
  return { ...paper, ink, lines };
};

const drawLine = (ink: Uint8Array, line: string, top: number): readonly DrawnWord[] =>
  [...line.matchAll(/\S+/g)].map(({ 0: text, index }) => {
    const left = margin + index * letterWidth;
    for (let at = 0; at < text.length; at += 1) drawLetter(ink, text.charCodeAt(at), left + at * letterWidth, top);
    return { text, box: [left, top, left + text.length * letterWidth - dot, top + 8 * dot] };
  });

const drawLetter = (ink: Uint8Array, code: number, left: number, top: number): void => {
  for (let column = 0; column < 5; column += 1) {
    const dots = typeface[(code - 32) * 5 + column] ?? 0x7f;
    for (let row = 0; row < 8; row += 1) {
      if ((dots & (1 << row)) !== 0) fill(ink, [left + column * dot, top + row * dot], [dot, dot]);
    }
  }
};

type Pair = readonly [number, number];

const fill = (ink: Uint8Array, [left, top]: Pair, [width, height]: Pair): void => {
  for (let y = top; y < top + height; y += 1) ink.fill(1, y * paper.width + left, y * paper.width + left + width);
};

/** The edges of the sheet, and the holes of the binding. */
const drawFrame = (ink: Uint8Array): void => {
  const inset = 36;
  const [width, height] = [paper.width - 2 * inset, paper.height - 2 * inset];
  for (const top of [inset, paper.height - inset]) fill(ink, [inset, top], [width, 2]);
  for (const left of [inset, paper.width - inset]) fill(ink, [left, inset], [2, height]);
  for (const top of [400, 800, 1200]) fill(ink, [60, top - 12], [24, 24]);
};

/** Eight pixels in a byte, as many bytes in each row. `inked` is the bit of ink. */
export const inBits = ({ width, height, ink }: DrawnPage, inked: 0 | 1): Buffer => {
  const rowBytes = Math.ceil(width / 8);
  const bits = Buffer.alloc(rowBytes * height, inked === 1 ? 0 : 0xff);
  for (let at = 0; at < ink.length; at += 1) {
    if (ink[at] === 0) continue;
    const x = at % width;
    const byte = Math.floor(at / width) * rowBytes + (x >> 3);
    bits[byte] = (bits[byte] ?? 0) ^ (0x80 >> (x & 7));
  }
  return bits;
};

/** A smaller picture in shades of grey: each of its pixels is as dark as the square of pixels that it is for. */
export const shrunk = ({ width, height, ink }: DrawnPage, side: number): ImageSize & { readonly grey: Buffer } => {
  const size = { width: Math.floor(width / side), height: Math.floor(height / side) };
  const grey = Buffer.alloc(size.width * size.height);
  for (let y = 0; y < size.height; y += 1) {
    for (let x = 0; x < size.width; x += 1) {
      let inked = 0;
      for (let row = 0; row < side; row += 1) {
        for (let column = 0; column < side; column += 1)
          inked += ink[(y * side + row) * width + x * side + column] ?? 0;
      }
      grey[y * size.width + x] = 255 - Math.round((inked * 255) / (side * side));
    }
  }
  return { ...size, grey };
};
