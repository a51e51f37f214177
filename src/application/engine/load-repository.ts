/** Loads what answers the requests of the repository: its document for the site, handlers, and the engine. */
import {
  loadBundleSchemas,
  answerPageLate,
  type EngineOptions,
  type Backend,
  createEngine,
  type AnyHandler,
  type Handlers,
  type mocked,
  replyCacheByWorld,
  withFileContent,
  withLinks,
  type CreateBackend,
} from '../../repository/repository-engine.ts';
import { handlersOfSite } from '../../../handlers/handlers.ts';
import { once } from '../../basics/once.ts';
import type { ServedContract } from '../../contract/contract.ts';
import { type DocumentObject, writtenOperations } from '../../openapi/openapi-terms.ts';
import type { HeaderValues } from '../../openapi/openapi-host.ts';
import { repositorySite, type Site } from '../../repository/repository.ts';
import {
  type LoadApplication,
  type LoadContractOptions,
  type LoadedApplication,
  type ContractSources,
  type SiteDocument,
  withPossibleChallenge,
  type ProposedHandlers,
  documentTexts,
} from '../../server/server-application.ts';
import { collectKnownValues } from '../control/known-values.ts';
import { createPathRouter } from '../../openapi/openapi-parts.ts';
import { judgeByItself } from './judge-by-itself.ts';
import { repositoryCallers } from './repository-callers.ts';
import { repositoryHandler } from './repository-handlers.ts';

/** How the document of a site is made. Throws `ConfigurationError` for a document or an overlay that cannot be served. */
export type DocumentOfSite = (sources: ContractSources, baseUrl: string) => Promise<SiteDocument>;

/** How a host loads the repository. */
export type RepositoryLoading = {
  readonly documentOfSite: DocumentOfSite;
  readonly createBackend: CreateBackend;
  /** Handlers that replace the repository's own, by operation id. */
  readonly handlers?: Readonly<Partial<Handlers>> | undefined;
};

/** Loads the repository. Throws `ConfigurationError` as `documentOfSite` does. */
export const repositoryLoader =
  (loading: RepositoryLoading): LoadApplication =>
  async (given, options) => {
    const document = withPossibleChallenge(given.document, options.basicChallenge);
    const made = await loading.documentOfSite({ ...given, document }, options.baseUrl);
    return loadRepository({ ...given, site: repositorySite(given.site) }, made, { ...options, ...loading });
  };

type RepositorySources = Pick<ContractSources, 'proposals'> & { readonly site: Site };

const loadRepository = async (
  sources: RepositorySources,
  { document, resolved, slow, added, warnings }: SiteDocument,
  options: LoadContractOptions & Omit<RepositoryLoading, 'documentOfSite'>,
): Promise<LoadedApplication> => {
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
    pages: options.pages === false ? undefined : answerPageLate,
    onEvent: options.onEvent,
    areAnswersHeard: options.areAnswersHeard,
  };
  const engine = createEngine(engineOptions);
  const quiet = once(() =>
    createEngine({ ...engineOptions, replyCache: undefined, checkReplies: 'off', onEvent: () => undefined }),
  );
  return {
    ...{ engine, contract: contractOf(resolved, backend, sources.site) },
    dryRun: (request, world) => quiet().handle(request, world),
    ...{ texts: documentTexts(document, completed(document, sources.site)), operationIds: ids, warnings },
    ...{ added, callers: repositoryCallers(sources.site.name) },
  };
};

const contractOf = (document: DocumentObject, backend: Backend, site: Site): ServedContract => {
  const router = once(() => createPathRouter(backend.operations));
  return {
    ...{ backend, document, knownValues: collectKnownValues },
    passwordOf: (account) => site.accounts.find(({ name }) => name === account)?.demoPassword,
    judgeByItself: (exchange) => judgeByItself(exchange, { router: router(), backend }),
  };
};

const completed =
  (document: DocumentObject, { model }: Site) =>
  async (): Promise<DocumentObject> => {
    const { withBundleSchemas } = await loadBundleSchemas();
    return withBundleSchemas(document, model);
  };

/** Much quicker than to read the operations, which the backend does. */
const operationIdsOf = (document: DocumentObject): string[] =>
  writtenOperations(document).map(({ operation }) => String(operation['operationId']));

/** What the real site adds to every answer of its own. The date tells caches of HTTP/1.0 not to keep it. */
const siteHeaders = ({ langcode }: Site): HeaderValues => ({
  Expires: 'Sun, 19 Nov 1978 05:00:00 GMT',
  'Content-language': langcode,
});
