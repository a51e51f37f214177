/** The table of all handlers by operation. A new file of handlers gets a line here. */
import {
  contentOperations,
  type AnyHandler,
  type Handlers,
  type mocked,
  handlersOfReads,
} from '../src/repository/repository-engine.ts';
import type { Site } from '../src/repository/repository.ts';
import type { DocumentObject } from '../src/openapi/openapi-terms.ts';
import * as contentModel from './content-model.ts';
import * as content from './content.ts';
import * as linkset from './linkset.ts';
import { listHandlers, type ListId } from './lists.ts';
import * as records from './records.ts';
import * as session from './session.ts';
import * as token from './token.ts';
import * as upload from './upload.ts';
import * as workbench from './workbench.ts';

/**
 * Each export of a module of handlers answers the operation of its name. A missing operation is a compile error here. The handlers
 * of lists are made from the site's declarations.
 */
const handlers: Omit<Handlers, ListId> = {
  getPublicContent: content.getPublicContent,
  getExternalContent: content.getExternalContent,
  ...linkset,
  ...records,
  ...session,
  ...token,
  ...upload,
  ...contentModel,
  ...workbench,
};

/**
 * The handlers of a site by operation id: those of the contract, and those of the storages, lists, manifests and harvests that the site
 * declares. `document` is the document of the site. It may lack operations that have a handler here.
 */
export const handlersOfSite = (
  document: DocumentObject,
  site: Site,
): Readonly<Record<string, AnyHandler | typeof mocked>> =>
  ({
    ...handlers,
    ...content.contentHandlers(contentOperations(site)),
    ...listHandlers(document, site),
    ...handlersOfReads(site),
  }) as Readonly<Record<string, AnyHandler | typeof mocked>>; // `Handlers` has checked each handler against its operation
