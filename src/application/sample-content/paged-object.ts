/** An object of the archive that has pages: a minute book, drawn here with the text of each page and its place (hOCR). */
import { hocrDocument } from '../../basics/formats/hocr.ts';
import { once } from '../../basics/once.ts';
import type { Archive, ArchiveFile, ArchiveObject, ArchiveTerm } from './archive.ts';
import { deflated, pngBytes, tiffBytes } from './image-bytes.ts';
import { type DrawnPage, drawPage, inBits, lettersInLine, shrunk } from './page-drawing.ts';

/** The terms of paged objects, which the default site does not have. */
const pagedTerms: readonly ArchiveTerm[] = [
  { vocabulary: 'islandora_models', name: 'Paged Content', uri: 'https://schema.org/Book' },
  { vocabulary: 'islandora_models', name: 'Page', uri: 'http://id.loc.gov/ontologies/bibframe/part' },
  { vocabulary: 'islandora_media_use', name: 'hOCR', uri: 'https://discoverygarden.ca/use#hocr' },
];

/** What a site without such a term calls it. */
export const standIns: Readonly<Record<string, string>> = {
  'Paged Content': 'Digital Document',
  Page: 'Image',
  hOCR: 'Extracted Text',
};

const title = 'Minute book of the Harbour Board, 1903';

const minutes: readonly string[] = [
  'Present: Captain Orvea in the chair, Messrs Brixfield, Tarn and Wend, the Harbour Master, and the Clerk.\n' +
    'The minutes of the October meeting were read and signed.\n' +
    'The Harbour Master reported 41 vessels in the month, of which 29 were luggers of this port, and tolls of 63 pounds 4 shillings.\n' +
    'Resolved, that the lamp at the end of the north wall be lit from sunset, and not from six, until the end of March.',
  'The Clerk read a letter from the keeper of Gannet Point Light, who saw from the gallery that the sea broke over the north wall in the gale of the 9th, and who asked for a telegraph line to the quay.\n' +
    'Mr Tarn moved that the line be laid before the winter. Mr Wend asked what it would cost. The Harbour Master had an estimate of 118 pounds.\n' +
    'Resolved, that the letter be answered, and the estimate be sent to the Board of Trade.',
  'The great storm of the 21st was considered. The north wall is down for 30 yards, two boats are lost with all their gear, and no life is lost, which the Board notes with thanks.\n' +
    'Mrs Quellan of Quellan & Daughters has offered to photograph the damage without charge. The offer was accepted.\n' +
    'Resolved, that the wall be made good with dressed stone from the Wend quarry, and that the tolls of the quay be raised by a penny a ton for two years.',
  'The accounts of the quarter were laid on the table. In hand at the bank: 204 pounds 11 shillings and sixpence.\n' +
    'The crew of the "Leonie" asked for leave to dry nets on the new quay. Granted, except on market days.\n' +
    'There being no other business, the Board rose at half past nine, to meet again on the second Tuesday of December.\n' +
    'Signed: J. Orvea, chairman.',
];

/** In lines that fit on the sheet. */
const typed = (text: string): readonly string[] =>
  text
    .split('\n')
    .flatMap((paragraph) => [...(paragraph.match(new RegExp(`.{1,${lettersInLine}}(?:\\s+|$)`, 'g')) ?? []), '']);

const pageLines = (text: string, number: number): readonly string[] => [
  'HARBOUR BOARD OF SALTMARSH QUAY',
  `Minutes, 10 November 1903                    Page ${number}`,
  '',
  '',
  ...typed(text).map((line) => line.trimEnd()),
];

const textOf = ({ lines }: DrawnPage): string =>
  lines.map((words) => words.map(({ text }) => text).join(' ')).join('\n') + '\n';

const hocrOf = ({ width, height, lines }: DrawnPage, name: string): string =>
  hocrDocument({
    ...{ title: name, language: 'en', width, height, confidence: 96 },
    lines: lines.map((words) => {
      const [first, last] = [words[0]?.box, words.at(-1)?.box];
      return { box: [first?.[0] ?? 0, first?.[1] ?? 0, last?.[2] ?? 0, last?.[3] ?? 0], words };
    }),
  });

type Made = Pick<ArchiveFile, 'use' | 'contentType'> & {
  readonly extension: string;
  readonly make: (page: DrawnPage) => Promise<Buffer>;
};

const grey = (page: DrawnPage, side: number): Promise<Buffer> => {
  const small = shrunk(page, side);
  return pngBytes(small, { bits: 8, data: small.grey });
};

const thumbnail: Made = {
  ...{ use: 'Thumbnail Image', extension: 'png', contentType: 'image/png' },
  make: (page) => grey(page, 8),
};

/** What a page has: the scan, the picture to look at, a small one, and its text. */
const madeOf = (name: string): readonly Made[] => [
  {
    ...{ use: 'Original File', extension: 'tif', contentType: 'image/tiff' },
    make: async (page) => tiffBytes(page, { bits: 1, data: await deflated(inBits(page, 1)) }, 8),
  },
  {
    ...{ use: 'Service File', extension: 'png', contentType: 'image/png' },
    make: (page) => pngBytes(page, { bits: 1, data: inBits(page, 0) }),
  },
  thumbnail,
  {
    ...{ use: 'Extracted Text', extension: 'txt', contentType: 'text/plain' },
    make: (page) => Promise.resolve(Buffer.from(textOf(page))),
  },
  {
    ...{ use: 'hOCR', extension: 'hocr', contentType: 'text/vnd.hocr+html' },
    make: (page) => Promise.resolve(Buffer.from(hocrOf(page, name))),
  },
];

/** The sheets are drawn when the bytes of one of their files are asked for. */
const filesOf = (number: number, drawn: () => DrawnPage, made: readonly Made[]): readonly ArchiveFile[] =>
  made.map(({ use, extension, contentType, make }) => ({
    path: `minute-book-${number}-${use}.${extension}`,
    name: use === 'Original File' ? `minute-book-1903-${String(number).padStart(3, '0')}.${extension}` : undefined,
    ...{ use, contentType, isPublished: true, alt: `${title}, page ${number}` },
    draw: once(() => make(drawn())),
  }));

/** The archive with the book and its pages behind everything that they belong to. */
export const withPages = (archive: Archive): Archive => ({
  ...archive,
  objects: [...archive.objects, ...pagedObjects()],
  terms: (vocabulary) => [...archive.terms(vocabulary), ...pagedTerms.filter((term) => term.vocabulary === vocabulary)],
  bytes: (file) => file.draw?.() ?? archive.bytes(file),
});

/** One list for all samples of a process, so that each sheet is drawn once. */
const pagedObjects = once((): readonly ArchiveObject[] => {
  const sheets = minutes.map((text, at) => once(() => drawPage(pageLines(text, at + 1))));
  const common = { owner: 'editor', date: '2019-06-14T10:00:00Z' };
  const book: ArchiveObject = {
    ...common,
    ...{ title, name: 'minute-book', model: 'Paged Content', member_of: 'board' },
    fields: {
      field_description: ['Typed from the notes of the Clerk. Four pages of the meeting of November are here.'],
      field_edtf_date_created: ['1903-11-10'],
      field_extent: ['4 pages'],
      field_identifier: ['SQ-3-0011'],
      field_linked_agent: [{ term: 'Harbour Board of Saltmarsh Quay', rel_type: 'relators:aut' }],
      field_resource_type: ['Text'],
      field_rights: ['No known copyright restrictions'],
      field_subject: ['Harbours'],
    },
    files: filesOf(0, sheets[0] ?? (() => drawPage([])), [thumbnail]),
  };
  const pages = sheets.map((sheet, at): ArchiveObject => {
    const name = `${title}, page ${at + 1}`;
    return {
      ...common,
      ...{ title: name, model: 'Page', member_of: 'minute-book' },
      fields: { field_identifier: [`SQ-3-0011-${at + 1}`], field_resource_type: ['Text'], field_weight: [at + 1] },
      files: filesOf(at + 1, sheet, madeOf(name)),
    };
  });
  return [book, ...pages];
});
