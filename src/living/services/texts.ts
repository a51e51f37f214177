/** Reads the text of a file, as a service that recognises text would: of a PDF and of plain text really, of others a sentence. */
import type * as Unpdf from 'unpdf';
import { importModule } from '../../basics/import-module.ts';
import { hocrDocument } from '../../basics/formats/hocr.ts';

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
  const [side, height] = [1000, 40];
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return hocrDocument({
    ...{ title: name, width: side, height: Math.max(1, lines.length) * height, confidence: 95 },
    lines: lines.map((line, at) => {
      const [top, bottom] = [at * height, (at + 1) * height];
      const words = line.trim().split(/\s+/);
      const width = Math.floor(side / words.length);
      return {
        box: [0, top, side, bottom],
        words: words.map((word, place) => ({ text: word, box: [place * width, top, (place + 1) * width, bottom] })),
      };
    }),
  });
};
