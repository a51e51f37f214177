/** Loads the contract to serve: that of the application, and the documents of a user. */
import type { BasicChallenge } from '../http/basic-challenge.ts';
import type { ContractSources } from '../sources/contract-sources.ts';
import type { Flaw } from '../../basics/configuration-error.ts';
import type { ServedContract } from '../../contract/contract.ts';
import type { HostedEngine, EngineEvent, HostedWorld, ReplyChecks, AnswerRequest } from '../../openapi/openapi-host.ts';
import type { ReplyCacheTally } from '../../basics/work-tally.ts';
import { requireOperations } from '../own-handlers/proposed-handlers.ts';
import type { Callers, OpenedDocument, Operation } from '../../openapi/openapi.ts';
import type { CallbackSender } from '../events/send-callbacks.ts';
import type { DocumentTexts } from '../sources/document-texts.ts';

/** Where advice is shown: in traffic and coverage only, or in the header `Atoll-Advice` too. */
type AdviceChannel = 'traffic' | 'header';

export type LoadContractOptions = {
  /** Where not every refusal has a challenge, the document does not promise it. */
  readonly basicChallenge?: BasicChallenge | undefined;
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
  /** For the samples of documents of one's own. */
  readonly seed?: string | undefined;
  /** Whether such documents answer from examples alone. Default: false. */
  readonly stateless?: boolean | undefined;
  /** Sends the callbacks of such documents. When left out they are only shown. */
  readonly sendCallback?: CallbackSender['send'] | undefined;
  /** Where a server serves documents of one's own. */
  readonly serveDocuments?: ServeDocuments | undefined;
  readonly application: { readonly load?: LoadApplication | undefined };
};

/** What an application answers, and what the documents of its overlays need of it. */
export type LoadedApplication = LoadedContract & {
  /** The operations that overlays add. Undefined without any. */
  readonly added?: OpenedDocument | undefined;
  /** What it knows of the callers of these operations. */
  readonly callers: Callers<HostedWorld>;
};

export type LoadApplication = (sources: ContractSources, options: LoadContractOptions) => Promise<LoadedApplication>;

/** Joins the documents of a user with the application, where there is one. */
export type ServeDocuments = (
  sources: ContractSources,
  options: LoadContractOptions,
  application: LoadedApplication | undefined,
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
  const { load } = options.application;
  if (load === undefined) return documentsOf(options)({ ...sources, ownDocuments }, options, undefined);
  const application = await load(sources, options);
  const { added } = application;
  if (ownDocuments.length === 0 && added === undefined) return application;
  const ofOverlays =
    added === undefined
      ? []
      : [
          {
            ...{ file: 'an overlay', opened: added, basePaths: [''], isOfRepository: true },
            basePathsOf: ({ servers = [''] }: Operation) => servers,
          },
        ];
  return documentsOf(options)({ ...sources, ownDocuments: [...ofOverlays, ...ownDocuments] }, options, application);
};

const documentsOf = ({ serveDocuments }: LoadContractOptions): ServeDocuments => {
  if (serveDocuments === undefined) throw new Error('This server serves no documents of a user.');
  return serveDocuments;
};
