/** Builds the engines of the documents that a user names, and joins them with that of the repository or serves them alone. */
import type { Flaw } from '../../basics/configuration-error.ts';
import type { ContractJudge, DocumentCollections, DocumentSummary, ServedContract } from '../../contract/contract.ts';
import { isRecord } from '../../basics/json.ts';
import {
  type HostedEngine,
  type HostedWorld,
  emptyBody,
  type PlainRequest,
  type EngineEvent,
  type ReplyChecks,
  type AnswerRequest,
  type HostedOperation,
  type HostedBackend,
} from '../../openapi/openapi-host.ts';
import { type Callers, type OpenedDocument, Refusal, refusalReply, shortened } from '../../openapi/openapi.ts';
import { reasonHeader, refusalHeader } from '../../openapi/openapi-terms.ts';
import { checkAddresses, pathsOfDocument, pathsOfRepository } from './document-addresses.ts';
import { type ServedDocument, serveDocument, type ServeDocumentOptions } from './served-document.ts';
import type { ProposedHandlers } from '../own-handlers/proposed-handlers.ts';
import { ownDocumentTexts } from '../sources/document-texts.ts';
import type { ServeDocuments } from '../engines/load-contract.ts';
import type { NamedDocument } from '../sources/named-document.ts';
import type { OwnDocument } from '../sources/own-document.ts';
import { readDocuments } from '../sources/read-documents.ts';
import type { CallbackSender } from '../events/send-callbacks.ts';

/** See `ServeDocuments`. */
export const serveDocuments: ServeDocuments = async (sources, options, repository) => {
  const { ownDocuments = [], document, proposals } = sources;
  const handlers = proposals?.handlers ?? new Map<string, never>();
  const others = repository?.contract.backend.operations ?? [];
  const { served, warnings } = await loadDocuments(ownDocuments, {
    ...{ ...options, handlers, others, callersOfApplication: repository?.callers, repository: repository?.engine },
    documentFile: sources.documentFile ?? 'openapi.yaml',
  });
  const operationIds = served.flatMap(({ operations }) => operations.map(({ id }) => id));
  if (repository === undefined) {
    const engine = joinEngines(served, nothingElse);
    return {
      engine,
      contract: contractOf(served, document, true),
      dryRun: dryRunOf(served, nothingElse, nothingElse.handle),
      texts: ownDocumentTexts(document),
      operationIds,
      warnings,
    };
  }
  const { contract, dryRun } = repository;
  const own = contractOf(served, contract.document, false);
  return {
    ...repository,
    engine: joinEngines(served, repository.engine),
    contract: {
      ...{ ...contract, judgeOf: own.judgeOf, documented: own.documented },
      backend: { ...contract.backend, operations: [...contract.backend.operations, ...own.backend.operations] },
    },
    dryRun: dryRunOf(served, repository.engine, dryRun),
    operationIds: [...repository.operationIds, ...operationIds],
    warnings: [...repository.warnings, ...warnings],
  };
};

/** The collections of documents that no server serves. Throws `ConfigurationError` for a document that cannot be served. */
export const readCollections = async (named: readonly NamedDocument[]): Promise<readonly DocumentCollections[]> => {
  const handlers = new Map<string, never>();
  const { served } = await loadDocuments(await readDocuments(named, true), {
    ...{ handlers, checkReplies: 'off', onEvent: () => undefined, others: [], documentFile: '' },
    repository: undefined,
  });
  return documentedBy(served, true).collections;
};

type LoadDocumentsOptions = {
  readonly handlers: ProposedHandlers;
  readonly checkReplies: ReplyChecks;
  readonly seed?: string | undefined;
  readonly onEvent: (event: EngineEvent) => void;
  readonly areAnswersHeard?: boolean | undefined;
  readonly sendCallback?: CallbackSender['send'] | undefined;
  /** The operations of the repository, where there is one. */
  readonly others: readonly HostedOperation[];
  /** What the application knows of the callers of operations that overlays add. */
  readonly callersOfApplication?: Callers<HostedWorld> | undefined;
  /** What answers its requests. */
  readonly repository: HostedEngine | undefined;
  readonly stateless?: boolean | undefined;
  /** The file of the repository's document. */
  readonly documentFile: string;
};

type LoadedDocuments = { readonly served: readonly ServedDocument[]; readonly warnings: readonly Flaw[] };

/** Throws `ConfigurationError` where two of them have the same path. */
const loadDocuments = async (own: readonly OwnDocument[], options: LoadDocumentsOptions): Promise<LoadedDocuments> => {
  const taken = new Set(options.others.map(({ id }) => id));
  const takenCollections = new Set<string>();
  const served: ServedDocument[] = [];
  // The repository has those of its overlays.
  const warnings = own.flatMap(({ opened, isOfRepository = false }) => (isOfRepository ? [] : opened.warnings));
  const owners = pathsOfRepository(
    options.others.map(({ path }) => path),
    options.documentFile,
  );
  for (const document of own) {
    const { opened, basePaths, basePathsOf, isOfRepository = false } = document;
    const callers = isOfRepository ? options.callersOfApplication : undefined;
    const one = await serveDocument(opened, {
      ...{ ...options, basePaths, basePathsOf, callers, takenIds: taken, takenCollections },
      requireParent: isOfRepository ? options.repository && parentsIn(options.repository) : undefined,
    });
    for (const { id } of one.operations) taken.add(id);
    for (const { name } of one.engine.collections.summaries) takenCollections.add(name);
    warnings.push(...collectionWarnings(one));
    if (!isOfRepository) warnings.push(...(await checkAddresses(document, one.engine, owners)));
    owners.push(...pathsOfDocument(document, one.engine));
    served.push(one);
  }
  return { served, warnings };
};

const collectionWarnings = ({ engine, opened }: ServedDocument): Flaw[] =>
  shortened(
    engine.collections.flaws.map(({ keys, message }) => ({
      ...{ ...opened.placeOf(keys), rule: 'collection', message },
      remedy: 'docs/use/own-documents.md says what a collection is.',
    })),
  );

/** A record above is there where the repository shows it to the client of a request. */
const parentsIn =
  (repository: HostedEngine): NonNullable<ServeDocumentOptions['requireParent']> =>
  async (path, request, world) => {
    const { headers, address, connection } = request;
    const kept = Object.entries(headers).filter(([name]) => credentialHeaders.has(name));
    const asked = { method: 'HEAD', path, query: '_format=json', headers: Object.fromEntries(kept), body: emptyBody };
    const { status } = await repository.handle({ ...asked, address, connection }, world);
    if (status < 400) return;
    throw status === 404
      ? new Refusal('absent', `There is no ${path}.`)
      : new Refusal('permission', `${path} is not for you.`, { statuses: [status] });
  };

const credentialHeaders: ReadonlySet<string> = new Set(['authorization', 'cookie']);

/** The document that has the operation of a request, or else its path. Undefined where it is for `rest`. */
const ownerIn = (
  documents: readonly ServedDocument[],
  rest: Pick<HostedEngine, 'hasPath'>,
  request: PlainRequest,
): ServedDocument | undefined => {
  const owner = documents.find(({ hasPath }) => hasPath(request.path));
  if (owner === undefined || owner.operationOf(request) !== undefined) return owner;
  // Overlays may add a method to a path of the repository.
  return rest.hasPath(request.path) ? undefined : owner;
};

const joinEngines = (documents: readonly ServedDocument[], rest: HostedEngine): HostedEngine => {
  const ownerOf = (request: PlainRequest): HostedEngine => ownerIn(documents, rest, request) ?? rest;
  return {
    operations: [...rest.operations, ...documents.flatMap(({ operations }) => operations)],
    hasPath: (path) => rest.hasPath(path) || documents.some((each) => each.hasPath(path)),
    operationOf: (request) => ownerOf(request).operationOf(request),
    handle: (request, world) => ownerOf(request).handle(request, world),
  };
};

const dryRunOf =
  (documents: readonly ServedDocument[], rest: Pick<HostedEngine, 'hasPath'>, dryRun: AnswerRequest): AnswerRequest =>
  (request, world) =>
    (ownerIn(documents, rest, request)?.dryRun ?? dryRun)(request, world);

/** What answers where no document has the path, and there is no repository. */
const nothingElse: HostedEngine = {
  operations: [],
  hasPath: () => false,
  operationOf: () => undefined,
  handle: ({ path }) => {
    const refusal = new Refusal('path', `No document has the path ${path.slice(0, 200)}.`);
    return Promise.resolve(refusalReply(refusal, undefined, undefined));
  },
};

/** The documents as what traffic, coverage and faults ask about operations. */
const contractOf = (
  documents: readonly ServedDocument[],
  document: ServedContract['document'],
  areAlone: boolean,
): ServedContract => {
  const operations = documents.flatMap((each) => each.operations);
  const backend: HostedBackend = {
    operations,
    headOf: () => undefined,
    readParameters: () => ({ values: { path: {}, query: {}, headers: {}, cookies: {} }, violations: [] }),
    bodyViolations: () => [],
    replyViolations: () => [],
    sampleOf: () => Promise.reject(new Error('Documents make their own samples.')),
  };
  const judges = new Map(documents.flatMap((each) => [...each.judges]));
  const judgeOf = (operation: HostedOperation): ContractJudge | undefined => judges.get(operation);
  return { backend, document, passwordOf: () => undefined, judgeOf, documented: documentedBy(documents, areAlone) };
};

const documentedBy = (
  documents: readonly ServedDocument[],
  areAlone: boolean,
): NonNullable<ServedContract['documented']> => {
  const own = documents.flatMap(({ engine }) => engine.operations);
  const names = own.flatMap(({ responses }) =>
    [...responses.values()].flatMap(({ headers }) => headers.map(({ name }) => name)),
  );
  // What each header says is the same in whatever case a document writes it.
  const answerHeaders = [
    ...new Map([reasonHeader, refusalHeader, ...names].map((name) => [name.toLowerCase(), name])).values(),
  ];
  return {
    ...{ answerHeaders, methods: [...new Set(own.map(({ method }) => method))], areAlone },
    documents: documents.filter(({ isOfRepository }) => !isOfRepository).map(summaryOf),
    collections: documents.map(collectionsOf),
  };
};

const summaryOf = ({ opened, basePath, engine: { operations } }: ServedDocument): DocumentSummary => {
  const first = operations.find(
    ({ method, parameters, path }) =>
      method === 'GET' && !path.includes('{') && !parameters.some(({ isRequired }) => isRequired),
  );
  return {
    title: titleOf(opened),
    version: textOr(infoOf(opened)['version'], ''),
    ...{ basePath, operations: operations.length, firstPath: first?.path },
  };
};

/** Their paths are those at which they are served. */
const collectionsOf = ({ engine, opened, basePath }: ServedDocument): DocumentCollections => {
  const { summaries, others } = engine.collections;
  return {
    ...{ ...engine.collections, document: titleOf(opened) },
    summaries: summaries.map(({ path, itemPath, ...summary }) => ({
      ...{ ...summary, path: `${basePath}${path}` },
      itemPath: itemPath === undefined ? undefined : `${basePath}${itemPath}`,
    })),
    others: others.map(({ path, reason }) => ({ path: `${basePath}${path}`, reason })),
  };
};

const infoOf = ({ document }: OpenedDocument): Readonly<Record<string, unknown>> =>
  isRecord(document['info']) ? document['info'] : {};

const titleOf = (opened: OpenedDocument): string => textOr(infoOf(opened)['title'], 'A document');

const textOr = (value: unknown, other: string): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : other;
