/** Makes small PDFs. */

/** A file of these objects, of which the first is the catalogue. */
export const pdfOf = (objects: readonly string[]): Buffer => {
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, at) => {
    const offset = file.length;
    file += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = file.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  return Buffer.from(`${file}trailer<</Root 1 0 R/Size ${objects.length + 1}>>\nstartxref\n${start}\n%%EOF`, 'latin1');
};

export const pdfStream = (dictionary: string, content: string): string =>
  `<<${dictionary}/Length ${content.length}>>\nstream\n${content}\nendstream`;

/** One page: its content, what it may name beside the font `F1`, and further objects, of which the first is 6. */
export const pdfPage = (content: string, resources = '', others: readonly string[] = []): Buffer =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>${resources}>>>>`,
    content,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...others,
  ]);

/** The page says the text, which has no brackets. */
export const pdfWith = (text: string): Uint8Array =>
  // The library that reads PDFs takes no Buffer.
  new Uint8Array(pdfPage(pdfStream('', `BT /F1 12 Tf 20 100 Td (${text}) Tj ET`)));
