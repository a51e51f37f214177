/** How formatted text is shown where no text format is kept: the platform's plain text format. */

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#039;',
};

/**
 * The `processed` member of a formatted text: HTML escaped, a paragraph per block, a break per line, each paragraph
 * ending with a newline (recording: "term json anon"; the recorded text has one paragraph).
 * open: the platform also makes anchors of web addresses; every format is treated as plain text.
 */
export const formattedText = (text: string): string =>
  text
    .replace(/[&<>"']/g, (character) => entities[character] ?? character)
    .replace(/\r\n?/g, '\n')
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map((block) => `<p>${block.replaceAll('\n', '<br />\n')}</p>\n`)
    .join('');
