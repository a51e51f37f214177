/** Writes what the tool FITS would say of a file, as far as its bytes and its type tell: identity, size, checksum, pixels. */
import { pictureSizeOf } from '../../basics/formats/picture-size.ts';
import { escapedMarkup } from '../../basics/markup.ts';
import { digest } from '../../basics/secrets/digest.ts';

type Described = {
  readonly name: string;
  readonly mimetype: string;
  /** Undefined where they are not read. */
  readonly bytes: Uint8Array | undefined;
};

const pixelsOf = (bytes: Uint8Array): readonly string[] => {
  const size = pictureSizeOf([bytes]);
  if (size === undefined) return [];
  return [
    '  <metadata>',
    '    <image>',
    `      <imageWidth toolname="Exiftool">${size.width}</imageWidth>`,
    `      <imageHeight toolname="Exiftool">${size.height}</imageHeight>`,
    '    </image>',
    '  </metadata>',
  ];
};

const factsOf = (bytes: Uint8Array): readonly string[] => [
  `    <size toolname="OIS File Information">${bytes.length}</size>`,
  `    <md5checksum toolname="OIS File Information">${digest('md5', bytes, 'hex')}</md5checksum>`,
];

export const fitsOf = ({ bytes, name, mimetype }: Described): string => {
  const type = escapedMarkup(mimetype);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<fits xmlns="http://hul.harvard.edu/ois/xml/ns/fits/fits_output" version="1.6.0">',
    '  <identification>',
    `    <identity format="${type}" mimetype="${type}" toolname="FITS"/>`,
    '  </identification>',
    '  <fileinfo>',
    `    <filename toolname="OIS File Information">${escapedMarkup(name)}</filename>`,
    ...(bytes === undefined ? [] : factsOf(bytes)),
    '  </fileinfo>',
    ...(bytes === undefined ? [] : pixelsOf(bytes)),
    '</fits>',
    '',
  ].join('\n');
};
