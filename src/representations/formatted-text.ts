/** Renders formatted text as the platform's plain text format does. */
import { escapedText, withAnchors } from './web-links.ts';

/**
 * The `processed` property of a formatted text: HTML-escaped, one paragraph per block, one break per line, and an anchor for
 * each address. The real site ends each paragraph with a newline.
 * open: every format is treated as plain text.
 */
export const formattedText = (text: string): string =>
  escapedText(text.replace(/\r\n?/g, '\n').replace(/^[ \t\n\0\v]+/, ''))
    .replace(/(?<![ \t\n\0\v])[ \t\n\0\v]+$/, '')
    .split(/\n[ \t\n\v\f]*\n/)
    .filter((block) => !/^[ \t\v\f]*$/.test(block))
    .map((block) =>
      block
        .split(/(?<![ \t\v\f])[ \t\v\f]*\n/)
        .map(withAnchors)
        .join('<br />\n'),
    )
    .map((block) => `<p>${block}</p>\n`)
    .join('');
