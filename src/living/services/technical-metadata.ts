/** Writes what the tool FITS would say of a file, as far as its bytes and its type tell: identity, size, checksum, pixels. */
import { imageSize } from 'image-size';
import { escapedMarkup } from '../../basics/markup.ts';
import { digest } from '../../basics/secrets/digest.ts';

type Described = { readonly bytes: Uint8Array; readonly name: string; readonly mimetype: string };

const pixelsOf = (bytes: Uint8Array): readonly string[] => {
  try {
    const { width, height } = imageSize(bytes);
    return [
      '  <metadata>',
      '    <image>',
      `      <imageWidth toolname="Exiftool">${width}</imageWidth>`,
      `      <imageHeight toolname="Exiftool">${height}</imageHeight>`,
      '    </image>',
      '  </metadata>',
    ];
  } catch {
    return [];
  }
};

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
    `    <size toolname="OIS File Information">${bytes.length}</size>`,
    `    <md5checksum toolname="OIS File Information">${digest('md5', bytes, 'hex')}</md5checksum>`,
    '  </fileinfo>',
    ...pixelsOf(bytes),
    '</fits>',
    '',
  ].join('\n');
};
