/** Reads YAML as the library `yaml` does, in a fifth of the time, but without line numbers. Terms of one line each are read as JSON. */
import type * as QuickYaml from 'js-yaml';
import { parsedJson } from '../json.ts';
import { loadQuickYaml } from './yaml-library.ts';

type TermLines = {
  /** The text with an empty line in place of each term. */
  readonly rest: string;
  readonly terms: readonly unknown[];
  /** The line of each term, counted from 1. */
  readonly lines: readonly number[];
};

const marker = '\nterms:\n';

/** Undefined when the file has no list of terms, or a term that is written otherwise. Then the YAML library reads all. */
export const readTermLines = (text: string): TermLines | undefined => {
  const start = text.indexOf(marker);
  if (start < 0) return undefined;
  const head = text.slice(0, start + marker.length);
  const firstLine = head.split('\n').length;
  const terms: unknown[] = [];
  const lines: number[] = [];
  const after = text.slice(head.length).split('\n');
  let index = 0;
  for (; index < after.length; index += 1) {
    const line = after[index] ?? '';
    // The next key of the file ends the list.
    if (/^[^\s#]/.test(line)) break;
    if (/^\s*(#|$)/.test(line)) continue;
    const term = readTerm(line);
    if (term === undefined) return undefined;
    terms.push(term);
    lines.push(firstLine + index);
  }
  if (terms.length === 0) return undefined;
  return { rest: head + '\n'.repeat(index) + after.slice(index).join('\n'), terms, lines };
};

const readTerm = (line: string): unknown => {
  return line.startsWith('  - {') ? parsedJson(line.slice('  - '.length)) : undefined;
};

/** A value that begins with an anchor, an alias or a tag; a directive; and a key that is empty or null. */
const plainDiffers =
  /(?:^|[-:?,[{])[ \t]*(?:[&*!]|(?:(?:~|null|Null|NULL)[ \t]*)?:(?:[\s,[\]{}]|$))|[{,]\s*(?:~|null|Null|NULL)\s*[,}]|^%/m;

/** A list or a mapping in braces that may be a key, outside of lines that are comments. */
const isKeyInBraces = /[{,?]\s*[{[]|^(?![ \t]*#).*[}\]]\s*:/m;

/**
 * Undefined for a text that is not valid, and for one that the slower library might read otherwise: with anchors, aliases (which
 * can make a small file a huge value), tags, directives, or keys that are null, a list or a mapping.
 */
export const parseQuickly = async (text: string): Promise<{ readonly value: unknown } | undefined> => {
  const termLines = readTermLines(text);
  const rest = termLines?.rest ?? text;
  if (plainDiffers.test(rest) || isKeyInBraces.test(rest)) return undefined;
  const library = await loadQuickYaml();
  try {
    const value = library.load(rest, { schema: numbersOf12(library) });
    return { value: termLines === undefined ? value : { ...(value as object), terms: termLines.terms } }; // it has the key `terms`
  } catch {
    return undefined;
  }
};

/** YAML 1.2 has no `1_000` and no `0b11`: they are texts. The schema of js-yaml takes them for numbers. */
const numbersOf12 = ({ CORE_SCHEMA, Type }: typeof QuickYaml): QuickYaml.Schema =>
  (schema ??= CORE_SCHEMA.extend({
    implicit: [
      new Type('tag:yaml.org,2002:int', {
        kind: 'scalar',
        resolve: (text: unknown) => typeof text === 'string' && /^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$/.test(text),
        construct: (text: string) => (/^0[ox]/.test(text) ? Number(text) : parseInt(text, 10)),
      }),
      new Type('tag:yaml.org,2002:float', {
        kind: 'scalar',
        resolve: (text: unknown) =>
          typeof text === 'string' &&
          /^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/.test(
            text,
          ),
        construct: floatOf,
      }),
    ],
  }));

let schema: QuickYaml.Schema | undefined;

const floatOf = (text: string): number => {
  if (/nan$/i.test(text)) return NaN;
  if (/inf$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  return parseFloat(text);
};
