/** Makes the document of a site from `openapi.yaml`. The other `specialise-*` files change operations, schemas and examples. */
import type { Site } from '../site/site.ts';
import type { DocumentObject } from './document.ts';
import { withFittingExamples, withLiveLinks, withoutUnused } from './specialise-examples.ts';
import { specialiseSchemas } from './specialise-fields.ts';
import { isOperationName, specialiseOperation } from './specialise-operations.ts';
import { sitePaths } from './specialise-paths.ts';
import { mapMembers, partOf } from './document-tree.ts';
import { siteParameters } from './site/site-parameters.ts';

/**
 * A copy of the document, with its references, as the site serves it. `openapi.yaml` describes the default site, so for
 * that site the result equals the input. `baseUrl` has no slash at its end. Throws `ConfigurationError` for a site that
 * cannot be described.
 */
export const specialise = (document: DocumentObject, site: Site, baseUrl: string): DocumentObject => {
  const schemas = specialiseSchemas(partOf(document.components['schemas']), site.model);
  const offered = specialisePaths(document, site);
  const paths = withFittingExamples(document, withLiveLinks(document, offered), schemas);
  const parameters = siteParameters(partOf(document.components['parameters']), site);
  const components = { ...document.components, parameters, schemas } as DocumentObject['components']; // maps of parts, as they were
  const servers = document.servers?.[0]?.url === baseUrl ? document.servers : [{ url: baseUrl }];
  return withoutUnused({ ...document, servers, paths, components });
};

type Paths = DocumentObject['paths'];

const specialisePaths = (document: DocumentObject, site: Site): Paths =>
  Object.fromEntries(
    sitePaths(document, site).flatMap(([path, item]) => {
      const offered = mapMembers(item, (member, name) =>
        isOperationName(name) ? specialiseOperation(document, site, name, partOf(member)) : member,
      );
      return Object.keys(offered).some(isOperationName) ? [[path, offered]] : [];
    }),
  );
