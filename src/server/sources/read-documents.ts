/** Reads the documents that a user names, with the paths below which each is served. */
import { fileURLToPath } from 'node:url';
import { ConfigurationError, type Flaw } from '../../basics/configuration-error.ts';
import { isRecord } from '../../basics/json.ts';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import { applyOverlays, type Overlay, overlayLineOf } from './overlay.ts';
import { type OpenedDocument, type Overlaid, readDocument, serverPaths } from '../../openapi/openapi.ts';
import { diskSource } from './disk-source.ts';
import type { NamedDocument } from './named-document.ts';
import { isReserved, type OwnDocument } from './own-document.ts';

type ReadDocumentsOptions = {
  /** They lie over the first document. */
  readonly overlays?: readonly Overlay[] | undefined;
  /** Learns each file before it is read, also those that are not there. */
  readonly onFile?: ((file: string) => void) | undefined;
};

const overlaidBy = async (
  document: Readonly<Record<string, unknown>>,
  overlays: readonly Overlay[],
): Promise<Overlaid> => {
  const { document: changed, applied, warnings } = await applyOverlays(document as DocumentObject, overlays); // it is checked afterwards
  return { document: changed, warnings, placeOf: (keys) => overlayLineOf(keys, applied) };
};

/** The bases of a document, and those of an operation, whose servers replace those of the document. */
const placement = (
  document: OpenedDocument['document'],
  prefix: string | undefined,
  isAlone: boolean,
): Pick<OwnDocument, 'basePaths' | 'basePathsOf'> => {
  // A prefix is the user's word, which goes before that of the document.
  if (prefix !== undefined) return { basePaths: [prefix] };
  const withRoot = (paths: readonly string[]): readonly string[] => (isAlone ? [...new Set(['', ...paths])] : paths);
  const basePaths = withRoot(serverPaths(document));
  return { basePaths, basePathsOf: ({ servers }) => (servers === undefined ? basePaths : withRoot(servers)) };
};

/** No request for them reaches the document. */
const unreachablePaths = ({ document, placeOf }: OpenedDocument, basePaths: readonly string[]): Flaw[] =>
  Object.keys(isRecord(document['paths']) ? document['paths'] : {})
    .filter((path) => basePaths.every((base) => isReserved(`${base}${path}`)))
    .map((path) => ({
      ...placeOf(['paths', path]),
      rule: 'reserved-path',
      message: `${path} is not served: it is the server's own path.`,
      remedy: 'Serve the document elsewhere: --document /api=FILE.',
    }));

/**
 * Alone, a document is at the root and below the path of its servers; next to the repository below that path alone. Throws
 * `ConfigurationError` for a document that cannot be served.
 */
export const readDocuments = async (
  named: readonly NamedDocument[],
  isAlone: boolean,
  { overlays = [], onFile = () => undefined }: ReadDocumentsOptions = {},
): Promise<OwnDocument[]> => {
  const read = await Promise.all(
    named.map(async ({ file, prefix }, index): Promise<OwnDocument> => {
      const opened = await readDocument(diskSource(file), {
        onFile: (address) => onFile(fileURLToPath(address)),
        overlay: index > 0 || overlays.length === 0 ? undefined : (document) => overlaidBy(document, overlays),
      });
      const placed = placement(opened.document, prefix, isAlone);
      const warnings = [...opened.warnings, ...unreachablePaths(opened, placed.basePaths)];
      return { file, opened: { ...opened, warnings }, ...placed };
    }),
  );
  if (new Set(read.map(({ file }) => file)).size < read.length)
    throw new ConfigurationError('--document names the same file twice.');
  return read;
};
