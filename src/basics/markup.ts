/** Escapes text for HTML. XML is written by `formats/xml.ts`. */

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes `&`, `<`, `>` and `"`. */
export const escapeEntities = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => entities[character] ?? character);

/** U+FFFD stands for each character that XML 1.0 (§2.2) does not have: control characters, halves of surrogate pairs, U+FFFE and U+FFFF. */
export const withXmlCharacters = (text: string): string =>
  text.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');

/** Text for use between tags or in a double-quoted attribute of HTML, which XML may read as well. */
export const escapedMarkup = (text: string): string => withXmlCharacters(escapeEntities(text));

const characters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
};

/** Text with its references to characters replaced. open: names of HTML besides these, such as `&eacute;`. */
export const decodedEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-z]+));/g, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return characters[name] ?? whole;
    const code = decimal === undefined ? parseInt(String(hex), 16) : Number(decimal);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
