/** Text as it may stand in HTML and XML, between tags or in a quoted attribute. */

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 has no way to write most control characters: they become U+FFFD. */
export const escapedMarkup = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => entities[character] ?? '').replace(/[^\t\n\r\x20-\uffff]/g, '\ufffd');
