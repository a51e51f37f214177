/** Reads the text of a PDF, page by page, as far as a text may be long. */
import type * as Unpdf from 'unpdf';
import { importModule } from '../../basics/import-module.ts';
import { mostCharacters, tooLong, UnreadSource } from '../../repository/repository-content.ts';

/** Few read PDFs, and it is larger than most of the program: who wants it installs it. */
const loadLibrary = async (): Promise<typeof Unpdf> => {
  try {
    return (await importModule('unpdf')) as typeof Unpdf; // its own types
  } catch {
    throw new UnreadSource('Texts of PDFs are read where the package unpdf is installed.');
  }
};

/** Rejects with `UnreadSource` where the library is not installed, where the text is too long, and where there is none. */
export const textOfPdf = async (bytes: Uint8Array): Promise<string> => {
  const { getDocumentProxy } = await loadLibrary();
  // The library takes the bytes away from who gives them.
  const pdf = await getDocumentProxy(bytes);
  const pages: string[] = [];
  let length = 0;
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = await pdf.getPage(number);
    const reader = page.streamTextContent().getReader() as ReadableStreamDefaultReader<TextPiece>; // its types say any
    let text = '';
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      for (const { str = '', hasEOL = false } of next.value.items) text += hasEOL ? `${str}\n` : str;
      if (length + text.length > mostCharacters) throw tooLong();
    }
    length += text.length + 1;
    if (length > mostCharacters) throw tooLong();
    pages.push(text);
    page.cleanup();
  }
  const whole = tidied(pages.join('\n'));
  if (whole === '') throw new UnreadSource('The PDF has no text.');
  return whole;
};

/** Marked content has no text. */
type TextPiece = { readonly items: readonly { readonly str?: string; readonly hasEOL?: boolean }[] };

/** Blanks and empty lines of a layout say nothing. */
const tidied = (text: string): string =>
  text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
