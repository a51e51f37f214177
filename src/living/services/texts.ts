/** Reads the text of a file, as a service that recognises text would: of a PDF and of plain text really. */
import { escapedMarkup } from '../../basics/markup.ts';
import { UnreadSource } from './unread-source.ts';

const million = 1_000_000;

/** The longest text. Its hOCR also says the place of each word. */
export const mostCharacters = 4 * million;
const mostHocrCharacters = 32 * million;

export const tooLong = (): UnreadSource =>
  new UnreadSource(`The text has more than ${mostCharacters / million} million characters.`);

const isText = (bytes: Uint8Array): boolean => {
  const beginning = bytes.subarray(0, 4096);
  return (
    bytes.length > 0 && !beginning.includes(0) && !new TextDecoder().decode(beginning).slice(0, -1).includes('\ufffd')
  );
};

/** Throws `UnreadSource` for a file that is not a text. */
export const plainTextOf = (source: Uint8Array): string => {
  if (!isText(source)) throw new UnreadSource('The built-in services recognise no text in such a file.');
  // A character of UTF-8 has a byte at least.
  if (source.length > mostCharacters) throw tooLong();
  return new TextDecoder().decode(source);
};

/** The text as hOCR: one page, each line of the text a line of the page. Throws `UnreadSource` when it becomes too long. */
export const hocrOf = (text: string, name: string): string => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const written: string[] = [];
  let length = 0;
  const write = (part: string): void => {
    length += part.length;
    if (length > mostHocrCharacters)
      throw new UnreadSource(`The text as hOCR has more than ${mostHocrCharacters / million} million characters.`);
    written.push(part);
  };
  lines.forEach((line, at) => {
    const words = line.trim().split(/\s+/);
    const width = Math.floor(1000 / words.length);
    const [top, bottom] = [at * lineHeight, (at + 1) * lineHeight];
    write(`<span class="ocr_line" id="line_${at + 1}" title="bbox 0 ${top} 1000 ${bottom}">`);
    words.forEach((word, place) => {
      const box = `bbox ${place * width} ${top} ${(place + 1) * width} ${bottom}; x_wconf 95`;
      const id = `word_${at + 1}_${place + 1}`;
      const blank = place === 0 ? '' : ' ';
      write(`${blank}<span class="ocrx_word" id="${id}" title="${box}">${escapedMarkup(word)}</span>`);
    });
    write('</span>\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<html xmlns="http://www.w3.org/1999/xhtml">',
    `<head><title>${escapedMarkup(name)}</title><meta name="ocr-system" content="atoll"/></head>`,
    `<body><div class="ocr_page" id="page_1" title="bbox 0 0 1000 ${Math.max(1, lines.length) * lineHeight}">`,
    `${written.join('')}</div></body></html>`,
    '',
  ].join('\n');
};

/** In the unit of the boxes. */
const lineHeight = 40;
