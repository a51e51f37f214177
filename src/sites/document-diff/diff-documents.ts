/** Compares two OpenAPI documents: every change with its kind, who it breaks, and why. */
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { isRecord, listOf } from '../../basics/json.ts';
import { type Part, partOf } from '../../openapi/openapi-terms.ts';
import { withBundleLosses } from './compare-bundles.ts';
import { operationLosses } from './compare-operations.ts';
import { schemeLosses } from './compare-security.ts';
import type { DocumentChange, JudgedParty } from './document-change.ts';
import { isOfBundle, readerOf } from './document-reader.ts';
import { changesOf, finding, type Finding, type Pass } from './finding.ts';
import { sameMeaning } from './same-meaning.ts';

/** Kinds of components of which generators make names: of the first all do, of the others some. */
const named = ['schemas', 'securitySchemes'] as const;
const namedBySome = ['parameters', 'requestBodies', 'responses', 'headers'] as const;

const nameLosses = ({ before, after }: Pass): Finding[] =>
  [...named, ...namedBySome].flatMap((kind) => {
    const [had, has] = [before, after].map(({ document }) => partOf(partOf(document['components'])[kind]));
    const rule = named.some((each) => each === kind) ? 'name' : 'lesser-name';
    return Object.keys(had ?? {})
      .filter((name) => !(name in (has ?? {})) && !isOfBundle(had?.[name]))
      .map((subject) => finding(rule, { subject, place: '' }, kind));
  });

/** Base paths that no server of the document has any more. Hosts differ between installations. */
const addressLosses = ({ before, after }: Pass): Finding[] => {
  const paths = basePathsOf(after.document);
  return basePathsOf(before.document)
    .filter((path) => !paths.includes(path))
    .map((path) => finding('base-path', { subject: 'servers', place: '' }, path));
};

const basePathsOf = (document: Part): string[] => {
  const urls = listOf(document['servers']).map((server) => String(partOf(server)['url']));
  return (urls.length === 0 ? ['/'] : urls).map((url) =>
    url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '').replace(/\/*$/, '/'),
  );
};

/** Parts that are only compared as wholes. */
const otherLosses = ({ before, after }: Pass): Finding[] =>
  ['webhooks', 'jsonSchemaDialect']
    .filter((part) => !sameMeaning(before, after, before.document[part], after.document[part]))
    .map((subject) => finding('other-part', { subject, place: '' }));

/** `judgeFor`: whose view `kind` is. Default: clients of the earlier document. */
export type DiffOptions = { readonly judgeFor?: JudgedParty | undefined };

/**
 * Every change from one document to another, each once. Both are documents of OpenAPI 3.0 or 3.1 with their references.
 * Texts and examples are not compared, except the relations in examples of `Link`. Throws `ConfigurationError` for what is no such document, and for a reference that leads nowhere.
 */
export const diffDocuments = (
  before: unknown,
  after: unknown,
  { judgeFor = 'client' }: DiffOptions = {},
): DocumentChange[] => {
  const [old, now] = [readerOf(checkDocumentVersion(before)), readerOf(checkDocumentVersion(after))];
  const lost = lossesOf({ before: old, after: now, isForward: true, seen: unseen() });
  const gained = lossesOf({ before: now, after: old, isForward: false, seen: unseen() });
  return changesOf(lost, gained, judgeFor);
};

const unseen = (): Pass['seen'] => ({ sent: new Set(), received: new Set() });

const lossesOf = (pass: Pass): readonly Finding[] =>
  withBundleLosses(pass, [
    ...operationLosses(pass),
    ...schemeLosses(pass),
    ...nameLosses(pass),
    ...addressLosses(pass),
    ...otherLosses(pass),
  ]);

/** Throws `ConfigurationError` for a value that is not a document of OpenAPI 3.0 or 3.1. `name` comes before the reason. */
export const checkDocumentVersion = (value: unknown, name?: string): Part => {
  if (isRecord(value) && /^3\.[01]\b/.test(String(value['openapi']))) return value;
  const version = isRecord(value) ? (value['openapi'] ?? value['swagger']) : undefined;
  const reason =
    version === undefined
      ? 'it is no OpenAPI document, it has no member "openapi".'
      : `it is a document of version ${JSON.stringify(version)}. Write it as OpenAPI 3.0 or 3.1.`;
  throw new ConfigurationError(`${name ?? 'The document'}: ${reason}`);
};
