/** Compares what is neither of an operation nor of a schema: names that generated code has, addresses, other parts. */
import { listOf, partOf, type Part } from '../../core/document/document-tree.ts';
import { finding, type Finding, type Pass } from './finding.ts';
import { sameMeaning } from './same-meaning.ts';

/** Kinds of components of which generators make names: of the first all do, of the others some. */
const named = ['schemas', 'securitySchemes'] as const;
const namedBySome = ['parameters', 'requestBodies', 'responses', 'headers'] as const;

export const nameLosses = ({ before, after }: Pass): Finding[] =>
  [...named, ...namedBySome].flatMap((kind) => {
    const [had, has] = [before, after].map(({ document }) => partOf(partOf(document['components'])[kind]));
    const rule = named.some((each) => each === kind) ? 'name' : 'lesser-name';
    return Object.keys(had ?? {})
      .filter((name) => !(name in (has ?? {})))
      .map((subject) => finding(rule, { subject, place: '' }, kind));
  });

/** Base paths that no server of the document has any more. Hosts differ between installations. */
export const addressLosses = ({ before, after }: Pass): Finding[] => {
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
export const otherLosses = ({ before, after }: Pass): Finding[] =>
  ['webhooks', 'jsonSchemaDialect']
    .filter((part) => !sameMeaning(before, after, before.document[part], after.document[part]))
    .map((subject) => finding('other-part', { subject, place: '' }));
