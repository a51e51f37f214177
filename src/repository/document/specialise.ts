/** Makes the document of a site from `openapi.yaml`. Chooses its paths; the other `specialise-*` files change operations, schemas and examples. */
import { ConfigurationError } from '../../basics/configuration-error.ts';
import { pathShape } from '../site/record-list.ts';
import type { Site, StorageMount } from '../site/site.ts';
import { type ContentOperation, contentOperations } from './content-operations.ts';
import { type DocumentObject, mapMembers, type Part, partOf } from '../../openapi/openapi-terms.ts';
import { withSiteLists } from './lists/list-paths.ts';
import { siteParameters } from './site/site-parameters.ts';
import { withFittingExamples, withLiveLinks, withoutUnused } from './specialise-examples.ts';
import { specialiseSchemas } from './specialise-fields.ts';
import { isOperationName, specialiseOperation } from './specialise-operations.ts';

/** A path, and what the document says of it. */
export type SitePath = readonly [path: string, item: Part];

/**
 * A copy of the document, with its references, as the site serves it. `openapi.yaml` describes the default site, so for
 * that site the result equals the input. `baseUrl` has no slash at its end. `own` are the paths that only this site has.
 * Throws `ConfigurationError` for a site that cannot be described.
 */
export const specialise = (
  document: DocumentObject,
  site: Site,
  baseUrl: string,
  own: readonly SitePath[] = [],
): DocumentObject => {
  const schemas = specialiseSchemas(partOf(document.components['schemas']), site);
  const offered = specialisePaths(document, site, own);
  const paths = withFittingExamples(document, withLiveLinks(document, offered), schemas);
  const parameters = siteParameters(partOf(document.components['parameters']), site);
  const components = { ...document.components, parameters, schemas } as DocumentObject['components']; // maps of parts, as they were
  const servers = document.servers?.[0]?.url === baseUrl ? document.servers : [{ url: baseUrl }];
  return withoutUnused({ ...document, servers, paths, components });
};

type Paths = DocumentObject['paths'];

const specialisePaths = (document: DocumentObject, site: Site, own: readonly SitePath[]): Paths => {
  const entries = sitePaths(document, site);
  return Object.fromEntries(
    [...entries, ...freePaths(own, entries)].flatMap(([path, item]) => {
      const offered = mapMembers(item, (member, name) =>
        isOperationName(name) ? specialiseOperation(document, site, name, partOf(member)) : member,
      );
      return Object.keys(offered).some(isOperationName) ? [[path, offered]] : [];
    }),
  );
};

const freePaths = (own: readonly SitePath[], entries: readonly SitePath[]): readonly SitePath[] => {
  const taken = new Set(entries.map(([path]) => pathShape(path)));
  for (const [path] of own) {
    if (taken.has(pathShape(path)))
      throw new ConfigurationError(`living.yml: "${path}" is taken already. Choose another path.`);
    taken.add(pathShape(path));
  }
  return own;
};

/** The path items as this site has them, before their operations are specialised. */
const sitePaths = (document: DocumentObject, site: Site): readonly SitePath[] =>
  withSiteLists(document, site)
    .flatMap(([path, item]) => contentEntries(document.paths, [path, item], site))
    .map(([path, item]): SitePath => [path, site.modules.islandora ? item : withoutUploads(item)])
    .flatMap((entry) => mediaEntries(document.paths, entry, site))
    .map(([path, item]): SitePath => [path, hasIslandoraLinks(site) ? item : withPlatformLinks(item)]);

const hasIslandoraLinks = ({ linkHeaders, modules }: Site): boolean => linkHeaders && modules.islandora;

const contentAccess: Readonly<Record<string, StorageMount['access']>> = {
  getPublicContent: 'open',
  getExternalContent: 'guarded',
};

const accessOf = (item: Part): StorageMount['access'] | undefined =>
  contentAccess[String(partOf(item['get'])['operationId'])];

/** Content is under the prefix of each storage with its access, other paths stay. */
const contentEntries = (paths: Paths, [path, item]: SitePath, site: Site): readonly SitePath[] => {
  const access = accessOf(item);
  if (access === undefined) return [[path, item]];
  return contentOperations(site)
    .filter(({ mount }) => mount.access === access)
    .map((operation): SitePath => {
      const { mount } = operation;
      const taken = Object.entries(paths).find(
        ([other, each]) => accessOf(each) === undefined && other.startsWith(`${mount.prefix}/{`),
      );
      if (taken === undefined) return [`${mount.prefix}/{path}`, namedItem(item, operation)];
      throw new ConfigurationError(
        `site.yml: storages.${mount.scheme}.prefix: "${mount.prefix}" is where ${taken[0]} lies. Choose another prefix.`,
      );
    });
};

/** The operations of the contract, with ids and summaries of the storage. */
const namedItem = (item: Part, { mount, get, head }: ContentOperation): Part => {
  if (partOf(item['get'])['operationId'] === get) return item;
  const where = `a file in the storage \`${mount.scheme}\``;
  return {
    ...item,
    get: { ...partOf(item['get']), operationId: get, summary: `Read the bytes of ${where}` },
    head: { ...partOf(item['head']), operationId: head, summary: `The headers of the bytes of ${where}` },
  };
};

/** The routes of the module Islandora. */
const withoutUploads = (item: Part): Part =>
  mapMembers(item, (member, name) =>
    isOperationName(name) && String(partOf(member)['x-route']).startsWith('islandora.') ? undefined : member,
  );

const mediaPath = '/media/{media_id}';
const mediaEditPath = '/media/{media_id}/edit';

/** Without pages of their own, media are where they are edited: the same operations at another path. */
const mediaEntries = (paths: Paths, [path, item]: SitePath, site: Site): readonly SitePath[] => {
  if (site.standaloneMedia || (path !== mediaPath && path !== mediaEditPath)) return [[path, item]];
  if (path === mediaEditPath) return [];
  const atEdit = partOf(paths[mediaEditPath]);
  const moved = mapMembers(item, (member, name) => {
    if (!isOperationName(name)) return member;
    const { 'x-path-pattern': pattern, responses } = partOf(atEdit[name]);
    return { ...partOf(member), 'x-path-pattern': pattern, responses };
  });
  return [[mediaEditPath, moved]];
};

const islandoraLink = '#/components/headers/Link';
const platformLink = { $ref: '#/components/headers/PlatformLink' };

/** Without the links of the module Islandora, a record has those of the platform. The pages of a list keep theirs. */
const withPlatformLinks = (item: Part): Part =>
  mapMembers(item, (member, name) => {
    if (!isOperationName(name)) return member;
    const operation = partOf(member);
    const responses = mapMembers(partOf(operation['responses']), (response) => {
      const headers = partOf(partOf(response)['headers']);
      const hasThem = partOf(headers['Link'])['$ref'] === islandoraLink;
      return hasThem ? { ...partOf(response), headers: { ...headers, Link: platformLink } } : response;
    });
    return { ...operation, responses };
  });
