/** Reads YAML as the library `yaml` does, in a fifth of the time, but without line numbers. */
import type * as QuickYaml from 'js-yaml';
import { readTermLines } from './term-lines.ts';
import { loadQuickYaml } from './yaml-library.ts';

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
