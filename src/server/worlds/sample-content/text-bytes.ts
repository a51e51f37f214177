/** Makes small files in the formats that the archive does not have: MP3, archives, and text in several formats. */
import { latin1, u8 } from './byte-parts.ts';

/** Three silent frames of MPEG-1 layer 3, 128 kbit/s at 44.1 kHz. */
export const mp3Bytes = (): Buffer => {
  const frame = Buffer.concat([u8(0xff, 0xfb, 0x90, 0xc0), Buffer.alloc(413)]);
  return Buffer.concat([frame, frame, frame]);
};

/** The end of an archive without files. */
export const zipBytes = (): Buffer => Buffer.concat([latin1('PK'), u8(5, 6), Buffer.alloc(18)]);

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');

/** Text in the format of an extension. Undefined for an extension that is none of a text. */
export const textBytes = (extension: string, text: string): Buffer | undefined => {
  const inMarkup = text.replace(/[<>&"]/g, ' ');
  const formats: Readonly<Record<string, string>> = {
    txt: `${text}\n`,
    md: `# Sample\n\n${inMarkup}\n`,
    csv: `number,words\n1,"${text.replaceAll('"', '""')}"\n`,
    json: `${JSON.stringify({ sample: text })}\n`,
    xml: `<?xml version="1.0" encoding="UTF-8"?>\n<sample>${inMarkup}</sample>\n`,
    html: `<!doctype html>\n<title>Sample</title>\n<p>${inMarkup}</p>\n`,
    svg: '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"><rect width="16" height="16"/></svg>\n',
    vtt: `WEBVTT\n\n00:00.000 --> 00:01.000\n${inMarkup}\n`,
    rtf: '{\\rtf1\\ansi Sample}\n',
  };
  const found = formats[extension];
  return found === undefined ? undefined : utf8(found);
};
