/** The document of a site, made from `openapi.yaml`: its paths and servers. Operations, schemas and examples have files of their own. */
import { ConfigurationError } from '../site/read-yaml.ts';
import type { Site, StorageMount } from '../site/site.ts';
import type { DocumentObject } from './document.ts';
import { withFittingExamples, withLiveLinks, withoutUnused } from './specialise-examples.ts';
import { specialiseSchemas } from './specialise-fields.ts';
import { isOperationName, specialiseOperation } from './specialise-operations.ts';
import { mapMembers, partOf, type Part } from './document-tree.ts';

/**
 * The document that a site serves. Takes and returns a document with its references and changes nothing in the given
 * one; `openapi.yaml` is the document of the default site, so specialising it by that one returns its equal.
 * `baseUrl` has no slash at its end. Throws `ConfigurationError` for a site that cannot be described.
 */
export const specialise = (document: DocumentObject, site: Site, baseUrl: string): DocumentObject => {
  const schemas = specialiseSchemas(partOf(document.components['schemas']), site.model);
  const offered = specialisePaths(document, site);
  const paths = withFittingExamples(document, withLiveLinks(document, offered), schemas);
  const parameters = withMediaTypes(partOf(document.components['parameters']), site);
  const components = { ...document.components, parameters, schemas } as DocumentObject['components']; // maps of parts, as they were
  const servers = document.servers?.[0]?.url === baseUrl ? document.servers : [{ url: baseUrl }];
  return withoutUnused({ ...document, servers, paths, components });
};

type Paths = DocumentObject['paths'];

const specialisePaths = (document: DocumentObject, site: Site): Paths =>
  Object.fromEntries(
    Object.entries(document.paths).flatMap(([path, item]) => {
      const place = contentPlace(document, item, path, site);
      const offered = mapMembers(item, (member, name) =>
        isOperationName(name) ? specialiseOperation(document, site, name, partOf(member)) : member,
      );
      return place !== undefined && Object.keys(offered).some(isOperationName) ? [[place, offered]] : [];
    }),
  );

const contentAccess: Readonly<Record<string, StorageMount['access']>> = {
  getPublicContent: 'open',
  getExternalContent: 'guarded',
};

/**
 * Where a path lies in this site: content lies under the prefix of its storage, everything else stays.
 * open: of several storages with the same access only the first is described; operation ids are given once.
 */
const contentPlace = (document: DocumentObject, item: Part, path: string, site: Site): string | undefined => {
  const access = accessOf(item);
  if (access === undefined) return path;
  const mount = site.storages.find((storage) => storage.access === access);
  if (mount === undefined) return undefined;
  const taken = Object.entries(document.paths).find(
    ([other, each]) => accessOf(each) === undefined && other.startsWith(`${mount.prefix}/{`),
  );
  if (taken === undefined) return `${mount.prefix}/{path}`;
  throw new ConfigurationError(
    `site.yml: storages.${mount.scheme}.prefix: "${mount.prefix}" is where ${taken[0]} lies. Choose another prefix.`,
  );
};

const accessOf = (item: Part): StorageMount['access'] | undefined =>
  contentAccess[String(partOf(item['get'])['operationId'])];

/** The media types that a new media can have. */
const withMediaTypes = (parameters: Part, site: Site): Part => {
  const before = partOf(parameters['MediaType']);
  const ids = site.model.bundles('media').map(({ id }) => id);
  const kept = mapMembers(partOf(before['examples']), (example) =>
    ids.some((id) => id === partOf(example)['value']) ? example : undefined,
  );
  const known = Object.values(kept).map((example) => partOf(example)['value']);
  const added = ids.filter((id) => !known.includes(id)).map((id): [string, Part] => [id, { value: id }]);
  return { ...parameters, MediaType: { ...before, examples: { ...kept, ...Object.fromEntries(added) } } };
};
