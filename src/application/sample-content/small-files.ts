/** Makes small files in the formats that the archive does not have: a picture, sounds and films without content, and texts. */
import { xmlDocument, xmlElement } from '../../basics/formats/xml.ts';
import { tiffBytes } from './image-bytes.ts';

const fromBase64 = (text: string) => (): Buffer => Buffer.from(text, 'base64');

const grey: Parameters<typeof tiffBytes> = [
  { width: 32, height: 48 },
  { bits: 8, data: Buffer.alloc(32 * 48, 0x80) },
];

/** A frame of MPEG-1 layer 3, 128 kbit/s at 44.1 kHz. */
const silence = Buffer.concat([Buffer.of(0xff, 0xfb, 0x90, 0xc0), Buffer.alloc(413)]);

/** By extension. */
const makers: Readonly<Record<string, () => Buffer>> = {
  // One pixel.
  gif: fromBase64('R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAkQBADs='),
  tif: () => tiffBytes(...grey),
  tiff: () => tiffBytes(...grey),
  mp3: () => Buffer.concat([silence, silence, silence]),
  // The header and the information of a film without a track (EBML, RFC 8794).
  webm: fromBase64('GkXfo59ChoEBQveBAULygQRC84EIQoKEd2VibUKHgQJChYECGFOAZ54VSalmmSrXsYMPQkBNgIZzYW1wbGVXQYZzYW1wbGU='),
  // The end of an archive without files.
  zip: fromBase64('UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA=='),
};

const side = { width: '16', height: '16' };
const square = xmlElement('svg', [xmlElement('rect', [], side)], { xmlns: 'http://www.w3.org/2000/svg', ...side });

/** The bytes of a file with this extension. One that is not known gets the text: no repository looks into it. */
export const madeBytes = (extension: string, text: string): Buffer => {
  const inMarkup = text.replace(/[<>&"]/g, ' ');
  const formats: Readonly<Record<string, string>> = {
    md: `# Sample\n\n${inMarkup}\n`,
    csv: `number,words\n1,"${text.replaceAll('"', '""')}"\n`,
    json: `${JSON.stringify({ sample: text })}\n`,
    xml: xmlDocument(xmlElement('sample', [inMarkup]), { encoding: 'UTF-8' }),
    html: `<!doctype html>\n<title>Sample</title>\n<p>${inMarkup}</p>\n`,
    svg: `${String(square)}\n`,
    vtt: `WEBVTT\n\n00:00.000 --> 00:01.000\n${inMarkup}\n`,
    rtf: '{\\rtf1\\ansi Sample}\n',
  };
  return makers[extension]?.() ?? Buffer.from(formats[extension] ?? `${text}\n`);
};
