/** Writes a value as XML, as the `xml` of its schema says (OpenAPI 3.1 §4.8.26). */
import { xmlDocument, xmlElement, type XmlNode } from '../../basics/formats/xml.ts';
import { isRecord } from '../../basics/json.ts';
import type { SchemaObject, Schemas } from '../schemas/schemas.ts';

type Xml = {
  readonly name?: string;
  readonly namespace?: string;
  readonly prefix?: string;
  readonly attribute?: boolean;
  readonly wrapped?: boolean;
};

type Part = { readonly schema: SchemaObject; readonly xml: Xml };

/** A document whose root is named by the schema: its `xml.name`, its name in the document, or `root`. */
export const xmlBody = (value: unknown, schema: unknown, schemas: Schemas): string => {
  const part = partOf(schema, schemas);
  const name = part.xml.name ?? schemas.nameOf(schema) ?? 'root';
  const [root] = elementsOf(name, value, part, schemas);
  return xmlDocument(root ?? xmlElement('root'), { encoding: 'UTF-8' });
};

const partOf = (schema: unknown, schemas: Schemas): Part => {
  const read = schemas.read(schema ?? true, 'response');
  if (typeof read === 'boolean') return { schema: {}, xml: {} };
  return { schema: read, xml: isRecord(read['xml']) ? read['xml'] : {} };
};

/** One element, or one for each item of a list that is not wrapped. */
const elementsOf = (name: string, value: unknown, part: Part, schemas: Schemas): XmlNode[] => {
  if (value === undefined) return [];
  if (!Array.isArray(value)) return [elementOf(name, value, part, schemas)];
  const item = partOf(part.schema['items'], schemas);
  const itemName = item.xml.name ?? (part.xml.wrapped === true ? name : (part.xml.name ?? name));
  const items = value.flatMap((each: unknown) => elementsOf(itemName, each, item, schemas));
  // A list at the root has to be in one element.
  const isWrapped = part.xml.wrapped === true || name === 'root';
  return isWrapped ? [xmlElement(tagName(part.xml.name ?? name, part.xml), items, namespaceOf(part.xml))] : items;
};

const elementOf = (name: string, value: unknown, { schema, xml }: Part, schemas: Schemas): XmlNode => {
  const tag = tagName(name, xml);
  if (!isRecord(value)) return xmlElement(tag, value === null ? [] : [textOf(value)], namespaceOf(xml));
  const attributes: Record<string, string> = { ...namespaceOf(xml) };
  const content: (XmlNode | string)[] = [];
  for (const [key, member] of Object.entries(value)) {
    const part = memberOf(schema, key, schemas);
    const memberName = part.xml.name ?? key;
    if (part.xml.attribute === true && member !== null) attributes[tagName(memberName, part.xml)] = textOf(member);
    else content.push(...elementsOf(memberName, member, part, schemas));
  }
  return xmlElement(tag, content, attributes);
};

const memberOf = (schema: SchemaObject, key: string, schemas: Schemas, level = 0): Part => {
  const { properties, allOf } = schema;
  if (isRecord(properties) && Object.hasOwn(properties, key)) return partOf(properties[key], schemas);
  for (const branch of level < 5 && Array.isArray(allOf) ? (allOf as unknown[]) : []) {
    const { schema: read } = partOf(branch, schemas);
    const found = memberOf(read, key, schemas, level + 1);
    if (Object.keys(found.schema).length > 0) return found;
  }
  return partOf(schema['additionalProperties'], schemas);
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const namespaceOf = ({ namespace, prefix }: Xml): Readonly<Record<string, string>> =>
  namespace === undefined ? {} : { [prefix === undefined ? 'xmlns' : `xmlns:${prefix}`]: namespace };

/** Signs that a name cannot have are an underline. */
const tagName = (name: string, { prefix }: Xml): string => {
  const plain = name.replaceAll(/[^\w.:-]/g, '_').replace(/^(?=[^A-Za-z_])/, '_') || '_';
  return prefix === undefined ? plain : `${prefix}:${plain}`;
};
