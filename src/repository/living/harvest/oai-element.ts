/** Elements of OAI-PMH, with their texts in the form of a real site. */
import { xmlElement, xmlSection, type XmlNode } from '../../../basics/formats/xml.ts';

/** An element with a text, or with other elements. One without either is an empty tag. */
export const element = (
  name: string,
  content: string | readonly XmlNode[],
  attributes: Readonly<Record<string, string>> = {},
): XmlNode => {
  const nodes = typeof content !== 'string' ? content : content === '' ? [] : [xmlSection(content)];
  return xmlElement(name, nodes, attributes);
};
