/** Loads the contract to serve: specialises the document for the site, applies overlays and handlers, and builds the engine. */
import type { ContractSources, SiteDocument } from '../sources/contract-sources.ts';
import * as contentModel from '../../../handlers/content-model.ts';
import * as content from '../../../handlers/content.ts';
import * as linkset from '../../../handlers/linkset.ts';
import { listHandlers, type ListId } from '../../../handlers/lists.ts';
import * as records from '../../../handlers/records.ts';
import * as session from '../../../handlers/session.ts';
import * as token from '../../../handlers/token.ts';
import * as upload from '../../../handlers/upload.ts';
import * as workbench from '../../../handlers/workbench.ts';
import type { Flaw } from '../../basics/configuration-error.ts';
import { lazyModule } from '../../basics/lazy-module.ts';
import { once } from '../../basics/once.ts';
import type { ServedContract } from '../../contract/corrected-body.ts';
import { contentOperations } from '../../core/document/content-operations.ts';
import type { DocumentObject } from '../../openapi/openapi-terms.ts';
import type {
  HostedEngine,
  HeaderValues,
  EngineEvent,
  ReplyChecks,
  AnswerRequest,
} from '../../openapi/openapi-host.ts';
import { writtenOperations } from '../../core/document/operation.ts';
import type { CreateBackend } from '../../core/engine/backend.ts';
import type { AnswerPage, EngineOptions } from '../../core/engine/engine-options.ts';
import { createEngine } from '../../core/engine/engine.ts';
import type { AnyHandler, Handlers, mocked } from '../../core/engine/handler.ts';
import { replyCacheByWorld, type ReplyCacheTally } from '../../core/engine/reply-cache.ts';
import type { Site } from '../../core/site/site.ts';
import { handlersOfReads } from '../../living/site-reads.ts';
import { withFileContent, withLinks } from '../http/content-middleware.ts';
import { type ProposedHandlers, requireOperations } from '../own-handlers/proposed-handlers.ts';
import type { Operation } from '../../openapi/openapi.ts';
import { repositoryHandler } from '../own-handlers/repository-handlers.ts';
import type { CallbackSender } from '../events/send-callbacks.ts';
import { documentTexts, type DocumentTexts } from '../sources/document-texts.ts';

/**
 * Each export of a handler module answers the operation of its name. A missing operation is a compile error here. The
 * handlers of lists are made from the site's declarations.
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

/** Where advice is shown: in traffic and coverage only, or in the header `Atoll-Advice` too. */
type AdviceChannel = 'traffic' | 'header';

export type LoadContractOptions = {
  readonly createBackend: CreateBackend;
  /** Throws `ConfigurationError` for a document or overlay that cannot be served. */
  readonly documentOfSite: (sources: ContractSources, baseUrl: string) => Promise<SiteDocument>;
  readonly baseUrl: string;
  readonly checkReplies: ReplyChecks;
  readonly advice?: AdviceChannel | undefined;
  /** Whether browsers get pages at the addresses of records. Default: true. */
  readonly pages?: boolean | undefined;
  /** Time limit for receiving a JSON body, in milliseconds. Default: 30 s. */
  readonly jsonMs?: number | undefined;
  /**
   * Limit of the reply cache of a view of the main world, in bytes. A view of a forked world gets 1/32 of it. 0 disables the caches.
   */
  readonly replyCacheBytes: number;
  readonly replyCacheTally?: ReplyCacheTally | undefined;
  readonly onEvent: (event: EngineEvent) => void;
  /** See `FinishOptions`. */
  readonly areAnswersHeard?: boolean | undefined;
  /** Handlers that replace the program's own, by operation id. */
  readonly handlers?: Readonly<Partial<Handlers>> | undefined;
  /** For the samples of documents of one's own. */
  readonly seed?: string | undefined;
  /** Whether such documents answer from examples alone. Default: false. */
  readonly stateless?: boolean | undefined;
  /** Sends the callbacks of such documents. When left out they are only shown. */
  readonly sendCallback?: CallbackSender['send'] | undefined;
  /** Where a server serves documents of one's own. */
  readonly serveDocuments?: ServeDocuments | undefined;
};

/** Joins the documents of a user with the repository, where there is one. */
export type ServeDocuments = (
  sources: ContractSources,
  options: LoadContractOptions,
  repository: LoadedContract | undefined,
) => Promise<LoadedContract>;

export type LoadedContract = {
  readonly engine: HostedEngine;
  readonly contract: ServedContract;
  /** Answers as the engine does, but reports and keeps nothing. */
  readonly dryRun: AnswerRequest;
  readonly texts: DocumentTexts;
  /** Of all operations that a handler may have. */
  readonly operationIds: readonly string[];
  /** Allowed, but probably a mistake. */
  readonly warnings: readonly Flaw[];
};

/** Throws `ConfigurationError` for a document, overlay or handler that cannot be served. */
export const loadContract = async (sources: ContractSources, options: LoadContractOptions): Promise<LoadedContract> => {
  const loaded = await loadAll(sources, options);
  requireOperations(sources.proposals?.handlers ?? new Map<string, never>(), loaded.operationIds);
  return loaded;
};

const loadAll = async (sources: ContractSources, options: LoadContractOptions): Promise<LoadedContract> => {
  const { ownDocuments = [] } = sources;
  if (sources.hasRepository === false) return documentsOf(options)({ ...sources, ownDocuments }, options, undefined);
  const siteDocument = await options.documentOfSite(sources, options.baseUrl);
  const repository = loadRepository(sources, options, siteDocument);
  const { added } = siteDocument;
  if (ownDocuments.length === 0 && added === undefined) return repository;
  const ofOverlays =
    added === undefined
      ? []
      : [
          {
            ...{ file: 'an overlay', opened: added, basePaths: [''], isOfRepository: true },
            basePathsOf: ({ servers = [''] }: Operation) => servers,
          },
        ];
  return documentsOf(options)({ ...sources, ownDocuments: [...ofOverlays, ...ownDocuments] }, options, repository);
};

const documentsOf = ({ serveDocuments }: LoadContractOptions): ServeDocuments => {
  if (serveDocuments === undefined) throw new Error('This server serves no documents of a user.');
  return serveDocuments;
};

const loadRepository = (
  sources: ContractSources,
  options: LoadContractOptions,
  { document, resolved, slow, warnings }: SiteDocument,
): LoadedContract => {
  const proposed: ProposedHandlers = sources.proposals?.handlers ?? new Map<string, never>();
  const ids = operationIdsOf(resolved);
  const own = Object.fromEntries(
    [...proposed].flatMap(([id, loaded]) => {
      const handler = ids.includes(id) ? repositoryHandler(loaded) : undefined;
      return handler === undefined ? [] : [[id, handler]];
    }),
  );
  const known = handlersOfSite(resolved, sources.site);
  const offered: Readonly<Record<string, unknown>> = { ...known, ...options.handlers, ...own };
  // The site may lack operations. Their handlers are left out.
  const operationIds = ids.filter((id) => offered[id] !== undefined);
  const backend = options.createBackend(resolved, operationIds, slow);
  const engineOptions: EngineOptions = {
    backend,
    handlers: Object.fromEntries(operationIds.map((id) => [id, offered[id]])) as Record<
      string,
      AnyHandler | typeof mocked
    >, // `Handlers` has checked each handler against its operation
    middleware: [withLinks, withFileContent],
    replyCache:
      options.replyCacheBytes === 0 ? undefined : replyCacheByWorld(options.replyCacheBytes, options.replyCacheTally),
    jsonMs: options.jsonMs,
    // The real site is lenient with requests for its own operations. Operations that an overlay adds are checked strictly.
    strict: new Set(operationIds.filter((id) => !Object.hasOwn(known, id))),
    checkReplies: options.checkReplies,
    headers: siteHeaders(sources.site),
    methodOverride: sources.site.methodOverride,
    adviceHeader: options.advice === 'header',
    pages: options.pages === false ? undefined : lazyPages,
    onEvent: options.onEvent,
    areAnswersHeard: options.areAnswersHeard,
  };
  const engine = createEngine(engineOptions);
  const passwordOf: ServedContract['passwordOf'] = (account) =>
    sources.site.accounts.find(({ name }) => name === account)?.demoPassword;
  const quiet = once(() =>
    createEngine({ ...engineOptions, replyCache: undefined, checkReplies: 'off', onEvent: () => undefined }),
  );
  return {
    ...{ engine, contract: { backend, document: resolved, passwordOf } },
    dryRun: (request, world) => quiet().handle(request, world),
    ...{ texts: documentTexts(document, sources.site.model), operationIds: ids, warnings },
  };
};

/** Much quicker than to read the operations, which the backend does. */
const operationIdsOf = (document: DocumentObject): string[] =>
  writtenOperations(document).map(({ operation }) => String(operation['operationId']));

/** By operation id. The site may lack some of the operations. */
const handlersOfSite = (document: DocumentObject, site: Site) => ({
  ...handlers,
  ...content.contentHandlers(contentOperations(site)),
  ...listHandlers(document, site),
  ...handlersOfReads(site),
});

/** What the real site adds to every answer of its own. The date tells caches of HTTP/1.0 not to keep it. */
const siteHeaders = ({ langcode }: Site): HeaderValues => ({
  Expires: 'Sun, 19 Nov 1978 05:00:00 GMT',
  'Content-language': langcode,
});

/** Most servers are never asked for a page. */
const loadPages = lazyModule(() => import('../../core/pages/answer-page.ts'), 'answerPage');
const lazyPages: AnswerPage = async (request, world) => (await loadPages()).answerPage(request, world);
