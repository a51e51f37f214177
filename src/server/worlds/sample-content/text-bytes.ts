/** Makes small files of text, sound and documents: PDF, WAV, MP3, archives, and text in several formats. */
import { latin1, u8 } from './byte-parts.ts';

/** A PDF of one empty page. */
export const pdfBytes = (): Buffer => {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] >>',
  ];
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  return latin1(`${text}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`);
};

/** Half a second of silence, 8 bits at 8 kHz. */
export const wavBytes = (): Buffer => {
  const samples = Buffer.alloc(4000, 0x80);
  const header = Buffer.alloc(44);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(36 + samples.length, 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20); // without compression
  header.writeUInt16LE(1, 22); // one channel
  header.writeUInt32LE(8000, 24);
  header.writeUInt32LE(8000, 28);
  header.writeUInt16LE(1, 32);
  header.writeUInt16LE(8, 34);
  header.write('data', 36, 'latin1');
  header.writeUInt32LE(samples.length, 40);
  return Buffer.concat([header, samples]);
};

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
