/** Places the drawing of a link graph: the object on one side, the targets on the other, an edge for each link. */
import type { Link } from '../../../src/client/client.ts';

/** A line of a target's box. */
export type TextLine = { readonly text: string; readonly isSoft: boolean };

export type PlacedEdge = {
  readonly link: Link;
  readonly label: string;
  /** An SVG path. */
  readonly path: string;
  /** Where the label ends, above the edge. */
  readonly labelX: number;
  readonly labelY: number;
};

export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

export type PlacedTarget = Box & {
  readonly target: string;
  readonly lines: readonly TextLine[];
  readonly edges: readonly PlacedEdge[];
};

export type Drawing = {
  readonly width: number;
  readonly height: number;
  readonly source: Box & { readonly lines: readonly TextLine[] };
  readonly targets: readonly PlacedTarget[];
};

export const lineHeight = 18;
export const padding = 8;
const gap = 14;
const edgeHeight = 24;
/** The width of a letter of the drawing's font, at most of most texts. */
const letter = 7.6;

export type Named = { readonly link: Link; readonly name: string | undefined };

/** Below this width the object is above its targets. */
const narrow = 640;

/**
 * Targets stand in the order of the links, each once. `width` is that of the drawing, in pixels; the height follows from the
 * number of links.
 */
export const drawingOf = (title: string, links: readonly Named[], width: number): Drawing =>
  width < narrow ? narrowDrawing(title, links, width) : wideDrawing(title, links, width);

const wideDrawing = (title: string, links: readonly Named[], width: number): Drawing => {
  const sourceWidth = Math.round(width * 0.22);
  const targetWidth = Math.round(width * 0.42);
  const targetX = width - targetWidth - 1;
  const targets: PlacedTarget[] = [];
  const sourceLines = wrapped(title, sourceWidth);
  const sourceHeight = heightOf(sourceLines.length);
  const shapes = shapesOf(links, targetWidth);
  const total = shapes.reduce((sum, shape) => sum + shape.height + gap, 0);
  const height = Math.max(total, sourceHeight) + gap;
  // The object stays in view at the top of a long drawing.
  const sourceY = Math.min(height / 2 - sourceHeight / 2, 200);
  const from = { x: sourceWidth, y: sourceY + sourceHeight / 2 };
  const labelStart = sourceWidth + (targetX - sourceWidth) * 0.3;
  let y = gap / 2;
  for (const shape of shapes) {
    const edges = shape.links.map((link, at): PlacedEdge => {
      const end = y + (shape.height * (at + 1)) / (shape.links.length + 1) + 4;
      const bend = (from.x + labelStart) / 2;
      return {
        ...{ link, label: relationLabel(link.rel), labelX: targetX - 12, labelY: end - 4 },
        path: `M${from.x} ${from.y} C${bend} ${from.y} ${bend} ${end} ${labelStart} ${end} L${targetX} ${end}`,
      };
    });
    targets.push({ ...{ x: targetX, y, width: targetWidth, height: shape.height }, ...shape, edges });
    y += shape.height + gap;
  }
  const source = { x: 1, y: sourceY, width: sourceWidth, height: sourceHeight, lines: sourceLines };
  return { width, height, source, targets };
};

const narrowDrawing = (title: string, links: readonly Named[], width: number): Drawing => {
  const indent = 28;
  const trunk = 12;
  const sourceLines = wrapped(title, width);
  const source = { x: 1, y: gap / 2, width: width - 2, height: heightOf(sourceLines.length), lines: sourceLines };
  const targets: PlacedTarget[] = [];
  let y = source.y + source.height + gap;
  for (const shape of shapesOf(links, width - indent)) {
    const top = y + shape.links.length * lineHeight + 4;
    const middle = top + shape.height / 2;
    const edges = shape.links.map((link, at): PlacedEdge => ({
      ...{ link, label: relationLabel(link.rel), labelX: width - 2, labelY: y + (at + 1) * lineHeight - 4 },
      path: `M${trunk} ${source.y + source.height} L${trunk} ${middle} L${indent} ${middle}`,
    }));
    targets.push({ ...{ x: indent, y: top, width: width - indent - 2, height: shape.height }, ...shape, edges });
    y = top + shape.height + gap;
  }
  return { width, height: y, source, targets };
};

type Shape = Pick<PlacedTarget, 'target' | 'lines' | 'height'> & { readonly links: readonly Link[] };

const shapesOf = (links: readonly Named[], width: number): readonly Shape[] => {
  const byTarget = new Map<string, Named[]>();
  for (const named of links) byTarget.set(named.link.target, [...(byTarget.get(named.link.target) ?? []), named]);
  return [...byTarget].map(([target, all]) => {
    const titles = [...new Set(all.flatMap(({ link }) => link.title ?? []))];
    const name = all.find((each) => each.name !== undefined)?.name;
    const words = [...titles, ...(name === undefined || titles.includes(name) ? [] : [name])].join(': ');
    const lines = [
      ...(words === '' ? [] : wrapped(words, width)),
      ...wrapped(target, width).map(({ text }) => ({ text, isSoft: true })),
    ];
    const height = Math.max(heightOf(lines.length), (all.length + 1) * edgeHeight * 0.9);
    return { target, lines, height, links: all.map(({ link }) => link) };
  });
};

const heightOf = (lines: number): number => lines * lineHeight + 2 * padding;

/** The last part of a relation that is a URI, such as `delete-form`. */
export const relationLabel = (rel: string): string => (rel.includes(':') ? (rel.split(/[/#]/).at(-1) ?? rel) : rel);

/** Breaks a text into lines of a width: at spaces, and in long words at their slashes and hyphens or anywhere. */
export const wrapped = (text: string, width: number): readonly TextLine[] => {
  const most = Math.max(Math.floor((width - 2 * padding) / letter), 8);
  const lines: string[] = [];
  let line = '';
  for (const piece of text.split(/(?<=[\s/?&=-])/).flatMap((word) => slicesOf(word, most))) {
    if (line !== '' && lengthOf(line + piece.trimEnd()) > most) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += piece;
  }
  return [...lines, line.trimEnd()].map((each) => ({ text: each, isSoft: false }));
};

const slicesOf = (word: string, most: number): readonly string[] => {
  const slices: string[] = [];
  let slice = '';
  for (const character of word) {
    if (lengthOf(slice + character) > most) {
      slices.push(slice);
      slice = '';
    }
    slice += character;
  }
  return [...slices, slice];
};

/** Letters of some scripts are about twice as wide. */
const lengthOf = (text: string): number => {
  let length = 0;
  for (const character of text) {
    length += /[\u1100-\u11ff\u2e80-\uffdf]|[\u{1f000}-\u{3ffff}]/u.test(character) ? 2 : 1;
  }
  return length;
};
