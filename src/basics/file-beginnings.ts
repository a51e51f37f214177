/** Knows how the files of a media type begin. */

/** Only types whose files all begin so. A PDF may begin with other bytes, within its first 1,024. */
const beginnings: Readonly<Record<string, RegExp>> = {
  'image/png': /^\x89PNG\r\n\x1a\n/,
  'image/jpeg': /^\xff\xd8\xff/,
  'image/gif': /^GIF8[79]a/,
  'image/tiff': /^(II[*+]\0|MM\0[*+])/,
  'image/jp2': /^(\0\0\0\x0cjP {2}|\xffO\xffQ)/,
  'image/webp': /^RIFF[\s\S]{4}WEBP/,
  'image/bmp': /^BM/,
  'application/pdf': /%PDF-/,
  'application/zip': /^PK(\x03\x04|\x05\x06|\x07\x08)/,
  'audio/mpeg': /^(ID3|\xff[\xe0-\xff])/,
  'audio/wav': /^(RIFF|RF64|BW64)[\s\S]{4}WAVE/,
  'video/mp4': /^[\s\S]{4}(ftyp|moov|mdat|free|skip|wide)/,
};

/** Other names of those types. */
const sameTypes: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/x-ms-bmp': 'image/bmp',
  'audio/mp3': 'audio/mpeg',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-wav': 'audio/wav',
};

/** What the first bytes of such a file match, one character for each byte. Undefined where its files begin in many ways. */
export const beginningOfFiles = (mediaType: string): RegExp | undefined => {
  const name = sameTypes[mediaType] ?? mediaType;
  return Object.hasOwn(beginnings, name) ? beginnings[name] : undefined;
};
