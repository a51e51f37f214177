/** Writes what the tool FITS would say of a file, as far as its bytes and its type tell: identity, size, checksum, pixels. */
import { pictureSizeOf } from '../../../basics/file-beginnings.ts';
import { xmlDocument, xmlElement, type XmlNode } from '../../../basics/formats/xml.ts';
import { digest } from '../../../basics/secrets/digest.ts';

type Described = {
  readonly name: string;
  readonly mimetype: string;
  /** Undefined where they are not read. */
  readonly bytes: Uint8Array | undefined;
};

const pixelsOf = (bytes: Uint8Array): readonly XmlNode[] => {
  const size = pictureSizeOf([bytes]);
  if (size === undefined) return [];
  const sides = [said('imageWidth', 'Exiftool', size.width), said('imageHeight', 'Exiftool', size.height)];
  return [xmlElement('metadata', inLines('  ', [xmlElement('image', inLines('    ', sides))]))];
};

const tool = 'OIS File Information';

const factsOf = (bytes: Uint8Array): readonly XmlNode[] => [
  said('size', tool, bytes.length),
  said('md5checksum', tool, digest('md5', bytes, 'hex')),
];

export const fitsOf = ({ bytes, name, mimetype }: Described): string => {
  const identity = xmlElement('identity', [], { format: mimetype, mimetype, toolname: 'FITS' });
  const file = [said('filename', tool, name), ...(bytes === undefined ? [] : factsOf(bytes))];
  const parts = [
    xmlElement('identification', inLines('  ', [identity])),
    xmlElement('fileinfo', inLines('  ', file)),
    ...(bytes === undefined ? [] : pixelsOf(bytes)),
  ];
  const namespace = 'http://hul.harvard.edu/ois/xml/ns/fits/fits_output';
  const root = xmlElement('fits', inLines('', parts), { xmlns: namespace, version: '1.6.0' });
  return xmlDocument(root, { encoding: 'UTF-8' });
};

const said = (name: string, tool: string, value: string | number): XmlNode =>
  xmlElement(name, [String(value)], { toolname: tool });

/** `indent` is that of the element around them. */
const inLines = (indent: string, nodes: readonly XmlNode[]): readonly (XmlNode | string)[] => [
  ...nodes.flatMap((node) => [`\n${indent}  `, node]),
  `\n${indent}`,
];
