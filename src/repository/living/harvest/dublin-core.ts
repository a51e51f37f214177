/** Makes simple Dublin Core (`oai_dc`) of a record by the RDF mapping of its bundle, as the module of a real site does. */
import { changed, timestamp, formatTimestamp } from '../../fields/types/timestamp.ts';
import { geolocation } from '../../fields/types/geolocation.ts';
import { edtf } from '../../fields/types/edtf.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import { plainDate } from '../../../basics/formats/edtf.ts';
import { visibleBundle } from '../../content/fields/field-access.ts';
import type { Viewer } from '../../content/views.ts';
import { labelOf } from '../../model/entity.ts';
import { bundleOf, type Bundle, type FieldDefinition } from '../../model/bundle.ts';
import { targetsOf } from '../../representations/targets.ts';
import { xmlElement, type XmlNode } from '../../../basics/formats/xml.ts';
import { items, type Entity, type FieldItem } from '../../../openapi/openapi-records.ts';

const elements = 'http://purl.org/dc/elements/1.1/';
const terms = 'http://purl.org/dc/terms/';

const plainElements = new Set([
  ...['contributor', 'coverage', 'creator', 'date', 'description', 'format', 'identifier', 'language'],
  ...['publisher', 'relation', 'rights', 'source', 'subject', 'title', 'type'],
]);

/** What each of the terms refines (DCMI Metadata Terms). */
const refinements: Readonly<Record<string, readonly string[]>> = {
  date: [
    ...['available', 'created', 'dateAccepted', 'dateCopyrighted', 'dateSubmitted', 'issued', 'modified', 'valid'],
  ],
  description: ['abstract', 'tableOfContents'],
  format: ['extent', 'hasFormat', 'medium'],
  rights: ['accessRights', 'license'],
  title: ['alternative'],
  identifier: ['bibliographicCitation'],
  coverage: ['spatial', 'temporal'],
  relation: [
    ...['conformsTo', 'hasPart', 'hasVersion', 'isFormatOf', 'isPartOf', 'isReferencedBy', 'isReplacedBy'],
    ...['isRequiredBy', 'isVersionOf', 'references', 'replaces', 'requires'],
  ],
};

const elementOfTerm = new Map(
  Object.entries(refinements).flatMap(([name, refining]) => refining.map((term) => [term, name] as const)),
);

/** The element for a predicate; undefined for one of another vocabulary. */
const elementFor = (predicate: string): string | undefined => {
  const prefix = [elements, terms].find((each) => predicate.startsWith(each));
  if (prefix === undefined) return undefined;
  const name = predicate.slice(prefix.length);
  return plainElements.has(name) ? name : elementOfTerm.get(name);
};

/** The values by element, each element at the place of its first field: base fields first, then the others by their names. */
export const dublinCore = (entity: Entity, viewer: Viewer): ReadonlyMap<string, readonly string[]> => {
  const bundle = visibleBundle(bundleOf(viewer.site, entity), entity, viewer.principal);
  const found = new Map<string, string[]>();
  for (const field of inOrder(bundle)) {
    const name = (bundle.rdf?.fields.get(field.name) ?? []).map(elementFor).find((each) => each !== undefined);
    if (name === undefined) continue;
    const values = valuesOf(entity, field, bundle, viewer);
    if (values.length > 0) found.set(name, [...(found.get(name) ?? []), ...values]);
  }
  return found;
};

const inOrder = ({ fields }: Bundle): readonly FieldDefinition[] => {
  const all = [...fields.values()];
  const byName = (a: FieldDefinition, b: FieldDefinition): number => (a.name < b.name ? -1 : 1);
  return [...all.filter(({ configured }) => !configured), ...all.filter(({ configured }) => configured).sort(byName)];
};

const valuesOf = (entity: Entity, field: FieldDefinition, bundle: Bundle, { records }: Viewer): readonly string[] =>
  field.target === undefined
    ? items(entity, field.name).flatMap((item) => textIn(item, field, bundle))
    : targetsOf(entity, field, records).map(labelOf);

const textIn = (item: FieldItem, field: FieldDefinition, { rdf }: Bundle): readonly string[] => {
  const type = fieldTypeOf(field);
  if (type === geolocation) return [`${scalar(item['lat'])}, ${scalar(item['lng'])}`];
  const value = item['value'] ?? item['uri'];
  if (value === undefined || value === null || typeof value === 'object') return [];
  if (type === edtf && rdf?.asWritten.has(field.name) !== true) return [plainDate(String(value))];
  return [
    (type === timestamp || type === changed) && typeof value === 'number' ? formatTimestamp(value) : String(value),
  ];
};

const scalar = (value: unknown): string =>
  typeof value === 'number' || typeof value === 'string' ? String(value) : '';

/** The record of the format, with the line ends and blanks of the real one. */
export const dublinCoreElement = (entity: Entity, viewer: Viewer): XmlNode => {
  const content = [...dublinCore(entity, viewer)].flatMap(([name, values]) =>
    values.flatMap((value, place) => [`\n${' '.repeat(place === 0 ? 18 : 10)}`, xmlElement(`dc:${name}`, [value])]),
  );
  return xmlElement('oai_dc:dc', content.slice(1), {
    'xmlns:dc': elements,
    'xmlns:oai_dc': 'http://www.openarchives.org/OAI/2.0/oai_dc/',
    'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
    'xsi:schemaLocation': 'http://www.openarchives.org/OAI/2.0/oai_dc/ http://www.openarchives.org/OAI/2.0/oai_dc.xsd',
  });
};
