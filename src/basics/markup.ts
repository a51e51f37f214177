/** Escapes text for HTML and XML. */

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes `&`, `<`, `>` and `"`. */
export const escapeEntities = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => entities[character] ?? character);

/** Text for use between tags or in a double-quoted attribute. XML 1.0 has no control characters: they become U+FFFD. */
export const escapedMarkup = (text: string): string => escapeEntities(text).replace(/[^\t\n\r\x20-\uffff]/g, '\ufffd');

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
