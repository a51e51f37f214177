/** Writes XML: elements with attributes, other elements and texts. */
import { escapedMarkup } from '../../basics/markup.ts';

/** An element. `written` is markup already. */
export type Element = { readonly written: string };

type Attributes = Readonly<Record<string, string>>;

/** An element with a text, or with other elements. */
export const element = (name: string, content: string | readonly Element[], attributes: Attributes = {}): Element => {
  const inner = typeof content === 'string' ? textIn(content) : content.map(({ written }) => written).join('');
  const head = [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escapedMarkup(value)}"`)].join(
    ' ',
  );
  return { written: inner === '' ? `<${head}/>` : `<${head}>${inner}</${name}>` };
};

/** As the encoder of a real site: a section for a text that would have to be escaped. */
const textIn = (content: string): string => {
  const text = content.replace(/[^\t\n\r\x20-\uffff]/g, '\ufffd');
  return /[<>&]/.test(text) ? `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>` : text;
};

export const xmlDocument = ({ written }: Element): string => `<?xml version="1.0"?>\n${written}\n`;
