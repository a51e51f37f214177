/** Writes XML 1.0, for every part that does: whatever its texts are, the document is well-formed. */
import { escapedMarkup, withXmlCharacters } from '../markup.ts';

class WrittenXml {
  readonly #written: string;

  constructor(written: string) {
    this.#written = written;
  }

  toString(): string {
    return this.#written;
  }
}

/** Markup that this module has made. No other text goes into a document as it is. */
export type XmlNode = WrittenXml;

/**
 * An element with its content, in which each string is a text. Without content it is an empty tag. Throws for a name that
 * XML does not have: names are those of a format, never of a record.
 */
export const xmlElement = (
  name: string,
  content: readonly (XmlNode | string)[] = [],
  attributes: Readonly<Record<string, string>> = {},
): XmlNode => {
  const written = Object.entries(attributes).map(([key, value]) => ` ${checkedName(key)}="${attributeValue(value)}"`);
  const head = `${checkedName(name)}${written.join('')}`;
  if (content.length === 0) return new WrittenXml(`<${head}/>`);
  const inner = content.map((part) => (typeof part === 'string' ? textContent(part) : String(part))).join('');
  return new WrittenXml(`<${head}>${inner}</${name}>`);
};

/** A text as the encoder of a real site writes it: in a section where it would have to be escaped. */
export const xmlSection = (text: string): XmlNode => {
  const characters = withXmlCharacters(text);
  if (!/[<>&]/.test(characters)) return new WrittenXml(withReferences(characters, /\r/g));
  const content = characters.replaceAll(']]>', ']]]]><![CDATA[>').replaceAll('\r', ']]>&#13;<![CDATA[');
  return new WrittenXml(`<![CDATA[${content}]]>`);
};

/** A document in UTF-8, which is what XML is in where it does not say so. */
export const xmlDocument = (root: XmlNode, { encoding }: { readonly encoding?: 'UTF-8' } = {}): string =>
  `<?xml version="1.0"${encoding === undefined ? '' : ` encoding="${encoding}"`}?>\n${String(root)}\n`;

// Namespaces in XML 1.0 §4, as far as its names are ASCII.
const qualifiedName = /^[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?$/;

const checkedName = (name: string): string => {
  if (!qualifiedName.test(name)) throw new Error(`${JSON.stringify(name)} is not a name of XML.`);
  return name;
};

// A reader makes a line feed of CR (XML 1.0 §2.11).
const textContent = (text: string): string => withReferences(escapedMarkup(text).replaceAll("'", '&#039;'), /\r/g);

// In an attribute a reader makes a blank of each (§3.3.3).
const attributeValue = (text: string): string => withReferences(escapedMarkup(text), /[\t\n\r]/g);

const withReferences = (text: string, characters: RegExp): string =>
  text.replace(characters, (character) => `&#${character.charCodeAt(0)};`);
