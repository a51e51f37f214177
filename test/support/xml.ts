/** Reads XML 1.0 as strictly as a harvester does: throws for whatever is not well-formed, and undoes references and line ends. */

export type XmlElement = {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
};

const characters = /^[\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;
const nameStart =
  ':A-Z_a-z\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02ff\\u0370-\\u037d\\u037f-\\u1fff\\u200c\\u200d\\u2070-\\u218f';
const name = `[${nameStart}][${nameStart}\\-.0-9\\xb7\\u0300-\\u036f\\u203f\\u2040]*`;
const attribute = `\\s+(${name})\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`;
const declaration = /^<\?xml version="1\.0"(?: encoding="UTF-8")?\?>\s*/;
const startTag = new RegExp(`<(${name})((?:${attribute})*)\\s*(/?)>`, 'uy');
const endTag = new RegExp(`</(${name})\\s*>`, 'uy');
const section = /<!\[CDATA\[([\s\S]*?)\]\]>/y;
const text = /[^<]+/y;

const predefined: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const withoutReferences = (written: string): string =>
  written.replace(
    /&(?:#(\d+);|#x([\da-fA-F]+);|(\w+);)?/g,
    (whole, decimal?: string, hex?: string, entity?: string) => {
      if (entity !== undefined && predefined[entity] !== undefined) return predefined[entity];
      const code = decimal !== undefined ? Number(decimal) : parseInt(hex ?? '', 16);
      const character = Number.isNaN(code) || code > 0x10ffff ? '\0' : String.fromCodePoint(code);
      if (!characters.test(character)) throw new Error(`No reference of XML: ${whole}`);
      return character;
    },
  );

const attributesOf = (written: string): Readonly<Record<string, string>> => {
  const read: Record<string, string> = {};
  for (const [, key = '', double, single] of written.matchAll(new RegExp(attribute, 'gu'))) {
    if (Object.hasOwn(read, key)) throw new Error(`An attribute twice: ${key}`);
    read[key] = withoutReferences((double ?? single ?? '').replace(/[\t\n]/g, ' '));
  }
  return read;
};

/** The root of a document. Texts that follow one another are one. */
export const readXml = (document: string): XmlElement => {
  if (!characters.test(document)) throw new Error('A character that XML does not have.');
  // XML 1.0 §2.11
  const source = document.replace(/\r\n?/g, '\n').replace(declaration, '');
  let at = 0;
  const next = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    at += match?.[0].length ?? 0;
    return match;
  };
  const element = (): XmlElement => {
    const start = next(startTag);
    if (start === null) throw new Error(`No element: ${source.slice(at, at + 40)}`);
    const [, tag = '', attributes = ''] = start;
    const children: (XmlElement | string)[] = [];
    const add = (added: string): void => {
      const last = children.at(-1);
      if (typeof last === 'string') children[children.length - 1] = last + added;
      else children.push(added);
    };
    while (start.at(-1) !== '/') {
      const end = next(endTag);
      if (end !== null && end[1] !== tag) throw new Error(`The end of another element: ${end[0]}`);
      if (end !== null) break;
      const plain = next(text)?.[0];
      if (plain?.includes(']]>') === true) throw new Error('The end of a section in a text.');
      const unescaped = plain === undefined ? next(section)?.[1] : withoutReferences(plain);
      if (unescaped === undefined) children.push(element());
      else add(unescaped);
    }
    return { name: tag, attributes: attributesOf(attributes), children };
  };
  const root = element();
  if (source.slice(at).trim() !== '') throw new Error(`More after the root: ${source.slice(at, at + 40)}`);
  return root;
};

/** The text in an element and in those within it. */
export const textIn = (node: XmlElement | string): string =>
  typeof node === 'string' ? node : node.children.map(textIn).join('');

/** All elements of a name, in the order of the document. */
export const elementsOf = (node: XmlElement | string, wanted: string): readonly XmlElement[] =>
  typeof node === 'string'
    ? []
    : [...(node.name === wanted ? [node] : []), ...node.children.flatMap((child) => elementsOf(child, wanted))];
