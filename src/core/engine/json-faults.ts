/** Says what is wrong with a JSON text in the words of the real site, which reads it byte by byte. */

const malformedUtf8 = 'Malformed UTF-8 characters, possibly incorrectly encoded';
const controlCharacter = 'Control character error, possibly incorrectly encoded';
export const loneSurrogate = 'Single unpaired UTF-16 surrogate in unicode escape';
const syntaxError = 'Syntax error';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes as text, with a byte order mark if there is one. Undefined for bytes that are no UTF-8. */
export const decoded = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
};

/** What is wrong with bytes that are no JSON: the first fault of their characters, else their syntax. */
export const jsonFault = (bytes: Uint8Array): string => {
  const known = decoded(bytes);
  const text = known ?? readablePart(bytes);
  return characterFault(text) ?? (known === undefined ? malformedUtf8 : syntaxError);
};

/** The text before the first byte that is no UTF-8. The decoder writes U+FFFD for such a byte. */
const readablePart = (bytes: Uint8Array): string => {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return text.slice(0, text.indexOf('\uFFFD'));
};

/** The first control character that is not written as an escape, or the first half of a surrogate pair that is. */
const characterFault = (text: string): string | undefined => {
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character < ' ' && (inString || !'\t\n\r'.includes(character))) return controlCharacter;
    if (character === '"') inString = !inString;
    if (!inString || character !== '\\') continue;
    const length = escapeLength(text, index);
    if (length === 0) return loneSurrogate;
    index += length - 1;
  }
  return undefined;
};

const pair = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/y;
const half = /\\u[dD][89a-fA-F][0-9a-fA-F]{2}/y;

/** The length of the escape at a position: two escapes for a surrogate pair, 0 for half of one. */
const escapeLength = (text: string, index: number): number => {
  pair.lastIndex = half.lastIndex = index;
  if (pair.test(text)) return 12;
  return half.test(text) ? 0 : 2;
};
