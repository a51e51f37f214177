/** Reads the text of a file, as a service that recognises text would: of a PDF and of plain text really. */
import { hocrDocument } from '../../../basics/formats/hocr.ts';
import { UnreadSource } from './unread-source.ts';

/** The longest text, and the most words of one that becomes hOCR. */
export const mostCharacters = 4_000_000;
export const mostWords = 200_000;

export const tooLong = (): UnreadSource =>
  new UnreadSource(`The text has more than ${mostCharacters / 1_000_000} million characters.`);

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

/** The text as hOCR: one page, each line of the text a line of the page. Throws `UnreadSource` when it has too many words. */
export const hocrOf = (text: string, name: string): string => {
  const [side, height] = [1000, 40];
  const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim().split(/\s+/)]));
  if (lines.reduce((sum, words) => sum + words.length, 0) > mostWords)
    throw new UnreadSource(`The text has more than ${mostWords} words, which hOCR would place one by one.`);
  return hocrDocument({
    ...{ title: name, width: side, height: Math.max(1, lines.length) * height, confidence: 95 },
    lines: lines.map((words, at) => {
      const [top, bottom] = [at * height, (at + 1) * height];
      const width = Math.floor(side / words.length);
      return {
        box: [0, top, side, bottom],
        words: words.map((word, place) => ({ text: word, box: [place * width, top, (place + 1) * width, bottom] })),
      };
    }),
  });
};
