/** The composition root: what is put together in which order, by ordinary calls. */
import express, { type Express } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { deleteFile, getFile } from '../handlers/file.ts';
import { getExternalContent, getPublicContent } from '../handlers/content.ts';
import {
  createMedia,
  deleteMedia,
  deleteMediaByEditPath,
  getMedia,
  getMediaByEditPath,
  updateMedia,
  updateMediaByEditPath,
} from '../handlers/media.ts';
import { createNode, deleteNode, getNode, updateNode } from '../handlers/node.ts';
import { getLoginStatus, getRestSessionToken, getSessionToken, login, logout } from '../handlers/session.ts';
import { createTerm, deleteTerm, getTerm, updateTerm } from '../handlers/term.ts';
import { getToken } from '../handlers/token.ts';
import { putMediaSource, putNodeMedia } from '../handlers/upload.ts';
import { getUser } from '../handlers/user.ts';
import { getTermFromTermName, getTermFromUri } from '../handlers/term-lookup.ts';
import { listNodeMedia, listNodeMembers } from '../handlers/node-lists.ts';
import { uploadFile } from '../handlers/file-upload.ts';
import { getMediaLinkset, getNodeLinkset } from '../handlers/linkset.ts';
import { providerNames, type ProviderName } from './access/principal.ts';
import { createBackend, type SecurityHandler } from './contract/backend.ts';
import { dereference } from './contract/dereference.ts';
import { resolveDocument, type DocumentObject } from './contract/document.ts';
import { createEngine, type Engine } from './contract/engine.ts';
import type { PlainReply, PlainRequest } from './contract/exchange.ts';
import type { EngineEvent, ReplyChecks } from './contract/finish.ts';
import type { AnyHandler, Handlers, mocked } from './contract/handler.ts';
import { operationsOf } from './contract/operation.ts';
import { keptRepliesByWorld } from './contract/kept-replies.ts';
import { specialise } from './contract/specialise.ts';
import { createControl } from './control/control.ts';
import type { BodyLimits } from './http/arriving-body.ts';
import { corsHeaders, isPreflight, preflightReply, type CorsOrigins } from './http/cors.ts';
import { withFileContent } from './http/file-content.ts';
import { withLinks } from './http/links.ts';
import { plainRequest, writeReply } from './http/node-exchange.ts';
import { securityHeaders } from './http/security-headers.ts';
import { Problem } from './problem.ts';
import type { Site } from './site/site.ts';
import type { World } from './world.ts';

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

export type AppOptions = {
  /** The world that a request is for. */
  readonly worldOf: (request: PlainRequest) => World;
  readonly site: Site;
  readonly baseUrl: string;
  /** The document of the default site, with its references, and the control interface's. */
  readonly document: DocumentObject;
  readonly controlDocument: DocumentObject;
  /** Both documents are known to be valid, and the first to be this site's already, but for its address. */
  readonly isChecked?: boolean;
  readonly version: string;
  readonly checkReplies: ReplyChecks;
  readonly cors: CorsOrigins;
  /** How long a JSON body may take to arrive whole, in milliseconds; 30 s. */
  readonly jsonMs?: number | undefined;
  /** Memory for replies that need not be made again, in bytes; 0 keeps none. */
  readonly keptBytes: number;
  readonly onEvent: (event: EngineEvent) => void;
  /** What went wrong outside the engine: a connection that broke while it was answered. */
  readonly onError: (error: unknown) => void;
  /** Handlers in place of the program's own, by operation id; for teams that try something out. */
  readonly handlers?: Readonly<Partial<Handlers>> | undefined;
};

/** One security handler a provider: the world that the request is for answers. */
const security = Object.fromEntries(
  providerNames.map((name): [ProviderName, SecurityHandler] => [
    name,
    (source, world) => world.access.providers.find((provider) => provider.name === name)?.recognise(source),
  ]),
);

/** Puts the program together. The result is an Express application that nobody listens to yet. */
export const createApp = async (options: AppOptions): Promise<Express> => {
  const document =
    options.isChecked === true
      ? { ...options.document, servers: [{ url: options.baseUrl }] }
      : specialise(options.document, options.site, options.baseUrl);
  const engine = await contractEngine(document, options);
  const control = once(() => createControl(options));
  const texts = documentTexts(document);
  // One layer: Express tries its layers in turn, and each costs as much as the whole look-up of a kept reply.
  const answer: Answer = (request) => {
    if (request.path.startsWith('/openapi.') && isRead(request)) {
      const text = texts.get(request.path);
      if (text !== undefined) return text();
    }
    return request.path === '/_atoll' || request.path.startsWith('/_atoll/')
      ? control().then((made) => made.handle(request, options.worldOf(request)))
      : engine.handle(request, options.worldOf(request));
  };
  return express().disable('x-powered-by').disable('etag').use(serve(options, answer));
};

const isRead = ({ method }: PlainRequest): boolean => method === 'GET' || method === 'HEAD';

/** The document as its readers want it, written when the first one asks: YAML takes longer than the rest of the start. */
const documentTexts = (document: DocumentObject): ReadonlyMap<string, () => Promise<PlainReply>> =>
  new Map([
    ['/openapi.json', once(async () => textReply('application/json', JSON.stringify(document, null, 2)))],
    [
      '/openapi.yaml',
      once(async () => {
        const { stringify } = await import('yaml');
        return textReply('application/yaml', stringify(document, { aliasDuplicateObjects: false }));
      }),
    ],
  ]);

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
};

/** The engine on the site's document. Operations that the site does not have lose their handler. */
const contractEngine = async (document: DocumentObject, options: AppOptions): Promise<Engine> => {
  const resolved = options.isChecked === true ? dereference(document) : await resolveDocument(document);
  const offered: Readonly<Record<string, unknown>> = { ...handlers, ...options.handlers };
  const operationIds = operationsOf(resolved).flatMap(({ id }) => (offered[id] === undefined ? [] : [id]));
  const backend = await createBackend(resolved, { operationIds, security });
  const present = operationIds.map((id) => [id, offered[id]]);
  return createEngine({
    backend,
    // The mapped type has held each handler to its own operation; the engine calls them all alike.
    handlers: Object.fromEntries(present) as Record<string, AnyHandler | typeof mocked>, // see above
    middleware: [withLinks, withFileContent],
    keptReplies: options.keptBytes === 0 ? undefined : keptRepliesByWorld(options.keptBytes),
    jsonMs: options.jsonMs,
    checkReplies: options.checkReplies,
    onEvent: options.onEvent,
  });
};

type Answer = (request: PlainRequest) => Promise<PlainReply>;

const textReply = (mediaType: string, body: string): PlainReply => ({
  status: 200,
  headers: { 'Content-Type': mediaType, 'Content-Length': String(Buffer.byteLength(body)) },
  body,
});

/** Mounts an answer in Express: reads the head, answers preflights, adds the headers of every answer, writes. */
const serve = (options: AppOptions, answer: Answer) => {
  const limits = bodyLimits(options.site);
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      const plain = plainRequest(request, response, limits);
      const reply = isPreflight(plain) ? preflightReply(plain, options.cors) : await answer(plain);
      const isForeign = plain.headers['origin'] !== undefined;
      const everywhere = isForeign ? { ...securityHeaders, ...corsHeaders(plain, options.cors) } : securityHeaders;
      await writeReply(request, response, reply, everywhere);
    } catch (error) {
      failed(response, error, options);
    }
  };
};

const bodyLimits = ({ uploads }: Site): BodyLimits => ({
  idleMs: uploads.idleSeconds * 1000,
  minBytesPerSecond: uploads.minBytesPerSecond,
});

const failed = (response: ServerResponse, error: unknown, { onError }: AppOptions): void => {
  if (!(error instanceof Problem)) onError(error);
  if (response.headersSent) response.destroy();
  else {
    const problem = error instanceof Problem ? error : new Problem(500, 'The answer could not be written.');
    const body = JSON.stringify({ message: problem.message });
    response.writeHead(problem.status, { 'Content-Type': 'application/json', Connection: 'close' }).end(body);
  }
};
