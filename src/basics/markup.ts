/** Escapes text for HTML and XML. */

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes `&`, `<`, `>` and `"`. */
export const escapeEntities = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => entities[character] ?? character);

/** Text for use between tags or in a double-quoted attribute. XML 1.0 has no control characters: they become U+FFFD. */
export const escapedMarkup = (text: string): string => escapeEntities(text).replace(/[^\t\n\r\x20-\uffff]/g, '\ufffd');
