/** Renders formatted text: as the platform's plain text format does, or as the HTML that it is. */
import type { Json } from '../model/entity.ts';
import type { Site } from '../site/site.ts';
import { escapedText, withAnchors } from './web-links.ts';

/**
 * The `processed` property of plain text: HTML-escaped, one paragraph per block, one break per line, and an anchor for
 * each address. The real site ends each paragraph with a newline.
 */
export const plainText = (text: string): string =>
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

/**
 * The `processed` property of a text in a format of the site. A text in HTML stays as it is.
 * open: the filters of such a format are not run. A real site can take tags away and make anchors and paragraphs.
 */
export const formattedText = (
  text: string,
  format: Json | undefined,
  { htmlFormats }: Pick<Site, 'htmlFormats'>,
): string => (typeof format === 'string' && htmlFormats.has(format) ? text.replace(/\r\n?/g, '\n') : plainText(text));
