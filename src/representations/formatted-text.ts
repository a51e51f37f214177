/** Renders formatted text as the platform's plain text format does. */
import { escapeEntities } from './markup.ts';

/**
 * The `processed` property of a formatted text: HTML-escaped, one paragraph per block, one break per line. The real site
 * ends each paragraph with a newline.
 * open: the platform also makes anchors of web addresses; every format is treated as plain text.
 */
export const formattedText = (text: string): string =>
  escapeEntities(text)
    .replaceAll("'", '&#039;')
    .replace(/\r\n?/g, '\n')
    .split(/\n\s*\n/)
    .map((block) => block.trim())
    .filter((block) => block !== '')
    .map((block) => `<p>${block.replaceAll('\n', '<br />\n')}</p>\n`)
    .join('');
