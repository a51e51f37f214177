/** Writes what the tool FITS would say of a file, as far as its bytes and its type tell: identity, size, checksum, pixels. */
import { imageSize } from 'image-size';
import { xmlDocument, xmlElement, type XmlNode } from '../../basics/formats/xml.ts';
import { digest } from '../../basics/secrets/digest.ts';

type Described = { readonly bytes: Uint8Array; readonly name: string; readonly mimetype: string };

const pixelsOf = (bytes: Uint8Array): readonly XmlNode[] => {
  try {
    const { width, height } = imageSize(bytes);
    const sides = [said('imageWidth', 'Exiftool', width), said('imageHeight', 'Exiftool', height)];
    return [xmlElement('metadata', inLines('  ', [xmlElement('image', inLines('    ', sides))]))];
  } catch {
    return [];
  }
};

export const fitsOf = ({ bytes, name, mimetype }: Described): string => {
  const identity = xmlElement('identity', [], { format: mimetype, mimetype, toolname: 'FITS' });
  const tool = 'OIS File Information';
  const file = [
    said('filename', tool, name),
    ...[said('size', tool, bytes.length), said('md5checksum', tool, digest('md5', bytes, 'hex'))],
  ];
  const parts = [
    xmlElement('identification', inLines('  ', [identity])),
    xmlElement('fileinfo', inLines('  ', file)),
    ...pixelsOf(bytes),
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
