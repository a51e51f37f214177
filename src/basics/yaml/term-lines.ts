/** Reads long lists of a site's files, one line each element, as JSON: of thousands of terms, YAML would take seconds. */
import { parsedJson } from '../json.ts';

type TermLines = {
  readonly key: string;
  /** The text with an empty line in place of each element. */
  readonly rest: string;
  readonly elements: readonly unknown[];
  /** The line of each element, counted from 1. */
  readonly lines: readonly number[];
};

/** The terms of a vocabulary, and the objects of an exported configuration. */
const marker = /\n(terms|objects):\n/;

/** Undefined when the file has no such list, or an element that is written otherwise. Then the YAML library reads all. */
export const readTermLines = (text: string): TermLines | undefined => {
  const found = marker.exec(text);
  if (found === null) return undefined;
  const [mark, key = ''] = found;
  const head = text.slice(0, found.index + mark.length);
  const firstLine = head.split('\n').length;
  const elements: unknown[] = [];
  const lines: number[] = [];
  const after = text.slice(head.length).split('\n');
  let index = 0;
  for (; index < after.length; index += 1) {
    const line = after[index] ?? '';
    // The next key of the file ends the list.
    if (/^[^\s#]/.test(line)) break;
    if (/^\s*(#|$)/.test(line)) continue;
    const element = readElement(line);
    if (element === undefined) return undefined;
    elements.push(element);
    lines.push(firstLine + index);
  }
  if (elements.length === 0) return undefined;
  return { rest: head + '\n'.repeat(index) + after.slice(index).join('\n'), key, elements, lines };
};

const readElement = (line: string): unknown => {
  return line.startsWith('  - {') ? parsedJson(line.slice('  - '.length)) : undefined;
};
