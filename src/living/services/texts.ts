/** Reads the text of a file, as a service that recognises text would: of a PDF and of plain text really, of others a sentence. */
import type * as Unpdf from 'unpdf';
import { importModule } from '../../basics/import-module.ts';
import { escapedMarkup } from '../../basics/markup.ts';

const beginsWith = (bytes: Uint8Array, text: string): boolean =>
  new TextDecoder('latin1').decode(bytes.subarray(0, 1024)).includes(text);

const isText = (bytes: Uint8Array): boolean => {
  const beginning = bytes.subarray(0, 4096);
  return (
    bytes.length > 0 && !beginning.includes(0) && !new TextDecoder().decode(beginning).slice(0, -1).includes('\ufffd')
  );
};

const textOfPdf = async (bytes: Uint8Array): Promise<string> => {
  // Few read PDFs, and it is larger than most of the program: who wants it installs it.
  const { extractText, getDocumentProxy } = (await importModule('unpdf')) as typeof Unpdf; // its own types
  // The library takes the bytes away from who gives them.
  const { text } = await extractText(await getDocumentProxy(bytes.slice()), { mergePages: true });
  return text.trim();
};

/** `name` is that of the file. */
export const makeText = async (source: Uint8Array, name: string): Promise<string> => {
  const otherwise = `Text of ${name}\n`;
  try {
    if (beginsWith(source, '%PDF-')) return (await textOfPdf(source)) || otherwise;
    return isText(source) ? new TextDecoder().decode(source) : otherwise;
  } catch {
    return otherwise;
  }
};

/** The text as hOCR: one page, each line of the text a line of the page. */
export const hocrOf = (text: string, name: string): string => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const height = 40;
  const spans = lines.map((line, at) => {
    const box = `bbox 0 ${at * height} 1000 ${(at + 1) * height}`;
    const words = line.trim().split(/\s+/);
    const width = Math.floor(1000 / words.length);
    const marked = words.map(
      (word, place) =>
        `<span class="ocrx_word" id="word_${at + 1}_${place + 1}" title="bbox ${place * width} ${at * height} ` +
        `${(place + 1) * width} ${(at + 1) * height}; x_wconf 95">${escapedMarkup(word)}</span>`,
    );
    return `<span class="ocr_line" id="line_${at + 1}" title="${box}">${marked.join(' ')}</span>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<html xmlns="http://www.w3.org/1999/xhtml">',
    `<head><title>${escapedMarkup(name)}</title><meta name="ocr-system" content="atoll"/></head>`,
    `<body><div class="ocr_page" id="page_1" title="bbox 0 0 1000 ${Math.max(1, lines.length) * height}">`,
    ...spans,
    '</div></body></html>',
    '',
  ].join('\n');
};
