/** The repository as it is served: a site's document, what a team proposes beside it, and the engine on both. */
import { deleteFile, getFile } from '../../handlers/file.ts';
import { getExternalContent, getPublicContent } from '../../handlers/content.ts';
import {
  createMedia,
  deleteMedia,
  deleteMediaByEditPath,
  getMedia,
  getMediaByEditPath,
  updateMedia,
  updateMediaByEditPath,
} from '../../handlers/media.ts';
import { createNode, deleteNode, getNode, updateNode } from '../../handlers/node.ts';
import { getLoginStatus, getRestSessionToken, getSessionToken, login, logout } from '../../handlers/session.ts';
import { createTerm, deleteTerm, getTerm, updateTerm } from '../../handlers/term.ts';
import { getToken } from '../../handlers/token.ts';
import { putMediaSource, putNodeMedia } from '../../handlers/upload.ts';
import { getUser } from '../../handlers/user.ts';
import { getTermFromTermName, getTermFromUri } from '../../handlers/term-lookup.ts';
import { listNodeMedia, listNodeMembers } from '../../handlers/node-lists.ts';
import { uploadFile } from '../../handlers/file-upload.ts';
import { getMediaLinkset, getNodeLinkset } from '../../handlers/linkset.ts';
import { createBackend } from '../engine/backend.ts';
import { checkDocument } from '../document/check-document.ts';
import { dereference } from '../document/dereference.ts';
import { resolveDocument, type DocumentObject } from '../document/document.ts';
import { createEngine, type Engine } from '../engine/engine.ts';
import type { EngineEvent, ReplyChecks } from '../engine/finish.ts';
import type { AnyHandler, Handlers, mocked } from '../engine/handler.ts';
import { requireOperations, type ProposedHandlers } from './handler-folder.ts';
import { operationsOf } from '../document/operation.ts';
import { replyCacheByWorld } from '../engine/reply-cache.ts';
import { applyOverlays, type Overlay } from '../document/overlay.ts';
import { specialise } from '../document/specialise.ts';
import type { ServedContract } from '../traffic/corrected-body.ts';
import { withFileContent } from '../http/content-middleware.ts';
import { withLinks } from '../http/link-middleware.ts';
import { documentTexts, type DocumentTexts } from './document-texts.ts';
import type { Flaw } from '../site/read-yaml.ts';
import type { Site } from '../site/site.ts';

/** Every operation of the contract. A new operation in the document does not compile until it stands here. */
const handlers: Handlers = {
  getNodeLinkset,
  getMediaLinkset,
  getNode,
  createNode,
  updateNode,
  deleteNode,
  getMedia,
  updateMedia,
  deleteMedia,
  getFile,
  deleteFile,
  getTerm,
  getUser,
  putNodeMedia,
  putMediaSource,
  getPublicContent,
  getExternalContent,
  getToken,
  login,
  logout,
  getLoginStatus,
  getSessionToken,
  createMedia,
  uploadFile,
  createTerm,
  updateTerm,
  deleteTerm,
  getTermFromUri,
  getTermFromTermName,
  listNodeMedia,
  listNodeMembers,
  getMediaByEditPath,
  updateMediaByEditPath,
  deleteMediaByEditPath,
  getRestSessionToken,
};

/** What a team proposes: overlays over the document, handlers for what they add. */
export type Proposals = { readonly overlays: readonly Overlay[]; readonly handlers: ProposedHandlers };

/** What the repository is made of, and what may change while it is served. */
export type ContractSources = {
  readonly site: Site;
  /** The document of the default site, with its references. */
  readonly document: DocumentObject;
  /** It is known to be valid, and to be this site's already, but for its address. */
  readonly isChecked?: boolean;
  /** Where it stands; for the places of faults. */
  readonly documentFile?: string | undefined;
  readonly proposals?: Proposals | undefined;
};

export type LoadContractOptions = {
  readonly baseUrl: string;
  readonly checkReplies: ReplyChecks;
  /** How long a JSON body may take to arrive whole, in milliseconds; 30 s. */
  readonly jsonMs?: number | undefined;
  /** Memory for replies that need not be made again, in bytes; 0 keeps none. */
  readonly replyCacheBytes: number;
  readonly onEvent: (event: EngineEvent) => void;
  /** Handlers in place of the program's own, by operation id. */
  readonly handlers?: Readonly<Partial<Handlers>> | undefined;
};

/** The repository at one moment; a request that is under way ends on the one that it began on. */
export type LoadedContract = {
  readonly engine: Engine;
  readonly contract: ServedContract;
  readonly texts: DocumentTexts;
  /** What is allowed, but seldom meant. */
  readonly warnings: readonly Flaw[];
};

/** Puts it together. Throws `ConfigurationError` for a document, overlay or handler that cannot be served. */
export const loadContract = async (sources: ContractSources, options: LoadContractOptions): Promise<LoadedContract> => {
  const { document, resolved, warnings } = await readyDocument(sources, options.baseUrl);
  const proposed: ProposedHandlers = sources.proposals?.handlers ?? new Map<string, never>();
  const operations = operationsOf(resolved);
  requireOperations(
    proposed,
    operations.map(({ id }) => id),
  );
  const own = Object.fromEntries([...proposed].map(([id, { handler }]) => [id, handler]));
  const offered: Readonly<Record<string, unknown>> = { ...handlers, ...options.handlers, ...own };
  // Operations that the site does not have lose their handler.
  const operationIds = operations.flatMap(({ id }) => (offered[id] === undefined ? [] : [id]));
  const backend = await createBackend(resolved, operationIds);
  const engine = createEngine({
    backend,
    // The mapped type has held each handler to its own operation; the engine calls them all alike.
    handlers: Object.fromEntries(operationIds.map((id) => [id, offered[id]])) as Record<
      string,
      AnyHandler | typeof mocked
    >, // see above
    middleware: [withLinks, withFileContent],
    replyCache: options.replyCacheBytes === 0 ? undefined : replyCacheByWorld(options.replyCacheBytes),
    jsonMs: options.jsonMs,
    // The leniency of the reference is for what the reference has.
    isStrict: ({ id }) => !Object.hasOwn(handlers, id),
    checkReplies: options.checkReplies,
    onEvent: options.onEvent,
  });
  return { engine, contract: { backend, document: resolved }, texts: documentTexts(document), warnings };
};

type ReadyDocument = {
  readonly document: DocumentObject;
  readonly resolved: DocumentObject;
  readonly warnings: readonly Flaw[];
};

/** The document of the site, with its overlays, and the same with its references resolved. */
const readyDocument = async (sources: ContractSources, baseUrl: string): Promise<ReadyDocument> => {
  const { isChecked = false, site, documentFile = 'openapi.yaml', proposals } = sources;
  const own = isChecked
    ? { ...sources.document, servers: [{ url: baseUrl }] }
    : specialise(sources.document, site, baseUrl);
  if (proposals !== undefined && proposals.overlays.length > 0) {
    const { document, applied, warnings } = await applyOverlays(own, proposals.overlays);
    return { document, resolved: await checkDocument(document, { file: documentFile, applied }), warnings };
  }
  return { document: own, resolved: isChecked ? dereference(own) : await resolveDocument(own), warnings: [] };
};
