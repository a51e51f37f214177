/** The control interface under `/_atoll`: its own document, the same engine, callers on this machine only (house 1.14). */
import { createHash } from 'node:crypto';
import { createBackend } from '../contract/backend.ts';
import { dereference } from '../contract/dereference.ts';
import { resolveDocument, type DocumentObject } from '../contract/document.ts';
import { createEngine, type Engine } from '../contract/engine.ts';
import type { PlainReply, PlainRequest } from '../contract/exchange.ts';
import type { EngineEvent, ReplyChecks } from '../contract/finish.ts';
import type { AnyHandler, HandlerFor } from '../contract/handler.ts';
import type { World } from '../world.ts';
import { pageOfEntities, readEntityType } from './entities.ts';
import type { operations } from './generated.ts';
import { startPage, startPagePolicy, startPageScript } from './start-page.ts';

type ControlHandlers = { readonly [Id in keyof operations]: HandlerFor<operations[Id]> };

export type ControlOptions = {
  readonly controlDocument: DocumentObject;
  /** The document is known to be valid. */
  readonly isChecked?: boolean;
  readonly version: string;
  readonly checkReplies: ReplyChecks;
  readonly onEvent: (event: EngineEvent) => void;
};

export type Control = { handle(request: PlainRequest, world: World): Promise<PlainReply> };

/** Builds the control interface. Callers from elsewhere get 403 whatever they ask. */
export const createControl = async (options: ControlOptions): Promise<Control> => {
  const { controlDocument, isChecked } = options;
  const document = isChecked === true ? dereference(controlDocument) : await resolveDocument(controlDocument);
  const handlers: ControlHandlers = {
    getHealth: async (_request, world) => async () => ({
      status: 200,
      mediaType: 'application/json',
      body: { status: 'ok', durability: world.durability, version: options.version },
    }),
    listEntities: async ({ query }, world) => {
      const type = readEntityType(query.type ?? 'node') ?? 'node';
      const wanted = { type, bundle: query.bundle, page: Number(query.page ?? 0) };
      return async () => ({
        status: 200,
        mediaType: 'application/json',
        body: await pageOfEntities(world.store, world.baseUrl, wanted),
      });
    },
  };
  const engine: Engine = createEngine({
    backend: await createBackend(document, { operationIds: Object.keys(handlers), security: {} }),
    handlers: handlers as unknown as Record<string, AnyHandler>, // each is held to its own operation above
    middleware: [],
    checkReplies: options.checkReplies,
    onEvent: options.onEvent,
  });
  return {
    handle: async (request, world) => {
      if (!isFromHere(request)) return jsonReply(403, 'The control interface answers this machine only.');
      if (isStartPage(request)) return pageReply(await startPage(world, options.version));
      return engine.handle(request, world);
    },
  };
};

/** Neither through a proxy nor under a name that somebody else gave to this machine (DNS rebinding). */
const isFromHere = ({ address, headers }: PlainRequest): boolean =>
  isLoopback(address) &&
  loopbackHost.test(headers['host'] ?? '') &&
  headers['forwarded'] === undefined &&
  headers['x-forwarded-for'] === undefined;

const loopbackHost = /^(([a-z0-9-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

const isLoopback = (address: string): boolean => address === '::1' || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(address);

const isStartPage = ({ method, path }: PlainRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && (path === '/_atoll' || path === '/_atoll/');

const jsonReply = (status: number, message: string): PlainReply => ({
  status,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ message }),
});

const pageReply = (page: string): PlainReply => ({
  status: 200,
  headers: {
    'Content-Type': 'text/html; charset=UTF-8',
    'Content-Security-Policy': startPagePolicy(createHash('sha256').update(startPageScript).digest('base64')),
  },
  body: page.replace('</html>', `<script>${startPageScript}</script>\n</html>`),
});
