/** Lists the terms that the interface cannot do without: the uses of media, the models of objects, the displays. */
import type { RawTerm, TermSource } from './raw-terms.ts';

type Standard = readonly [name: string, uri: string, description: string];

const standard: Readonly<Record<string, readonly Standard[]>> = {
  islandora_media_use: [
    ['Extracted Text', 'http://pcdm.org/use#ExtractedText', 'The words of an object, read out of another of its files'],
    [
      'Intermediate File',
      'http://pcdm.org/use#IntermediateFile',
      'A file made on the way from an original to a service file',
    ],
    ['Original File', 'http://pcdm.org/use#OriginalFile', 'The file an object was first deposited with'],
    ['Preservation Master File', 'http://pcdm.org/use#PreservationMasterFile', 'The best copy, kept for the long term'],
    ['Service File', 'http://pcdm.org/use#ServiceFile', 'A copy of moderate quality for everyday viewing or listening'],
    ['Thumbnail Image', 'http://pcdm.org/use#ThumbnailImage', 'A small image that stands for an object in lists'],
    ['Transcript', 'http://pcdm.org/use#Transcript', 'The words of a recording or a page, written out by hand'],
  ],
  islandora_models: [
    ['Audio', 'http://purl.org/coar/resource_type/c_18cc', 'A recording that is made to be listened to'],
    [
      'Binary',
      'http://purl.org/coar/resource_type/c_1843',
      'An object that is kept as it is, without a viewer of its own',
    ],
    ['Collection', 'http://purl.org/dc/dcmitype/Collection', 'A group of objects that belong together'],
    [
      'Compound Object',
      'http://vocab.getty.edu/aat/300242735',
      'One object made of several, each with files of its own',
    ],
    ['Digital Document', 'https://schema.org/DigitalDocument', 'A text in electronic form, to be read page by page'],
    ['Image', 'http://purl.org/coar/resource_type/c_c513', 'A picture, drawn or photographed'],
    ['Newspaper', 'https://schema.org/Newspaper', 'A newspaper as a whole; its issues are its members'],
    ['Page', 'http://id.loc.gov/ontologies/bibframe/part', 'One page of a book or an issue'],
    ['Paged Content', 'https://schema.org/Book', 'A book, whose pages are its members'],
    ['Publication Issue', 'https://schema.org/PublicationIssue', 'One issue of a newspaper or journal'],
    ['Video', 'http://purl.org/coar/resource_type/c_12ce', 'A recording of moving images, with or without sound'],
  ],
  islandora_display: [
    ['Open Seadragon', 'http://openseadragon.github.io', 'Shows images in an OpenSeadragon viewer'],
    ['PDFjs', 'http://mozilla.github.io/pdf.js', 'Shows PDF documents in a PDF.js viewer'],
  ],
};

export const hasStandardTerms = (vocabulary: string): boolean => Object.hasOwn(standard, vocabulary);

/** Those of the vocabularies that a site has. */
export const standardTerms = (vocabularies: readonly string[]): TermSource => ({
  where: 'standard terms',
  terms: vocabularies.flatMap((vocabulary) =>
    (standard[vocabulary] ?? []).map(([name, uri, description]): RawTerm => ({
      ...{ vocabulary, name, description, parents: [] },
      fields: { field_external_uri: [{ uri }], field_authority_link: [{ uri }] },
    })),
  ),
});
