/** Writes hOCR 1.2: the text of one page, its lines and their words, each with its box in pixels of the picture. */
import { xmlDocument, xmlElement, type XmlNode } from './xml.ts';

/** Left, top, right and bottom. */
export type HocrBox = readonly [number, number, number, number];

export type HocrPage = {
  readonly title: string;
  readonly language?: string;
  readonly width: number;
  readonly height: number;
  /** How sure it is of each word, in percent. */
  readonly confidence: number;
  readonly lines: readonly {
    readonly box: HocrBox;
    readonly words: readonly { readonly text: string; readonly box: HocrBox }[];
  }[];
};

export const hocrDocument = ({ title, language, width, height, confidence, lines }: HocrPage): string => {
  const spans = lines.map(({ box, words }, line) => {
    const marked = words.map(({ text, box: place }, word) =>
      xmlElement('span', [text], {
        ...{ class: 'ocrx_word', id: `word_1_${line + 1}_${word + 1}` },
        title: `bbox ${place.join(' ')}; x_wconf ${confidence}`,
      }),
    );
    const attributes = { class: 'ocr_line', id: `line_1_${line + 1}`, title: `bbox ${box.join(' ')}` };
    return xmlElement('span', separated(marked, ' '), attributes);
  });
  const page = { class: 'ocr_page', id: 'page_1', title: `bbox 0 0 ${width} ${height}` };
  const head = [
    ...[xmlElement('title', [title]), meta('ocr-system', 'atoll')],
    meta('ocr-capabilities', 'ocr_page ocr_line ocrx_word'),
  ];
  const body = [xmlElement('div', ['\n', ...separated(spans, '\n'), '\n'], page)];
  const root = xmlElement('html', ['\n', xmlElement('head', head), '\n', xmlElement('body', body)], {
    ...{ xmlns: 'http://www.w3.org/1999/xhtml', ...(language === undefined ? {} : { lang: language }) },
  });
  return xmlDocument(root, { encoding: 'UTF-8' });
};

const meta = (name: string, content: string): XmlNode => xmlElement('meta', [], { name, content });

const separated = (nodes: readonly XmlNode[], blank: string): readonly (XmlNode | string)[] =>
  nodes.flatMap((node, at) => (at === 0 ? [node] : [blank, node]));
