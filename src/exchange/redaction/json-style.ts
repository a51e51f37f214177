/** Tells how a server writes JSON, so that a recording shows it as JSON and still gives back the same bytes. */
import type { Json } from '../../basics/json.ts';

type Writer = (value: Json) => string;

const escaped = (text: string, pattern: RegExp): string =>
  text.replace(pattern, (sign) =>
    Array.from(sign, (_, at) => `\\u${sign.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );

/** PHP escapes the slash, and by default what is not ASCII. */
const php: Writer = (value) => escaped(JSON.stringify(value).replaceAll('/', '\\/'), /[^\x20-\x7e]/g);

/** A quote within a text is `\"` for JSON.stringify; a quote at the end of a text never has an odd number of backslashes. */
const drupal: Writer = (value) =>
  php(value)
    .replace(/\\(.)/g, (all, sign: string) => (sign === '"' ? '\\u0022' : all))
    .replace(/[<>&']/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** Colons and commas outside texts get a blank. */
const spaced = (text: string): string =>
  text.replace(/("(?:[^"\\]|\\.)*")|([:,])/g, (_all, quoted: string | undefined, sign: string) => quoted ?? `${sign} `);

const writers = {
  compact: (value) => JSON.stringify(value),
  'indented 2': (value) => JSON.stringify(value, null, 2),
  'indented 4': (value) => JSON.stringify(value, null, 4),
  php,
  drupal,
  spaced: (value) => spaced(JSON.stringify(value)),
  'spaced ascii': (value) => spaced(escaped(JSON.stringify(value), /[^\x20-\x7e]/g)),
  go: (value) => JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (sign) => escaped(sign, /./gs)),
} as const satisfies Readonly<Record<string, Writer>>;

type StyleName = keyof typeof writers;

/** The name of a style, with ` line` when a line feed is behind the JSON. */
type JsonStyle = StyleName | `${StyleName} line`;

const names = Object.keys(writers) as StyleName[]; // the keys of this object

export const jsonStyles: readonly JsonStyle[] = names.flatMap((name): JsonStyle[] => [name, `${name} line`]);

export const writeJson = (value: Json, style: JsonStyle): string => {
  const hasLine = style.endsWith(' line');
  const name = (hasLine ? style.slice(0, -' line'.length) : style) as StyleName; // as its type says
  return writers[name](value) + (hasLine ? '\n' : '');
};

/** The style that writes this value as this text. Undefined when none does: then only the text itself is exact. */
export const styleOf = (text: string, value: Json): JsonStyle | undefined =>
  jsonStyles.find((style) => writeJson(value, style) === text);
