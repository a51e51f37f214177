/** The control interface under `/_atoll`: its own document, the same engine, callers on this machine only (house 1.14). */
import { createHash } from 'node:crypto';
import { createBackend } from '../engine/backend.ts';
import { dereference } from '../document/dereference.ts';
import { resolveDocument, type DocumentObject } from '../document/document.ts';
import { createEngine, type Engine } from '../engine/engine.ts';
import { isRead, type PlainReply, type PlainRequest } from '../engine/exchange.ts';
import { messageReply, textReply } from '../engine/text-reply.ts';
import type { EngineEvent, ReplyChecks } from '../engine/finish.ts';
import type { AnyHandler } from '../engine/handler.ts';
import type { World } from '../world.ts';
import { apiPageReply, type ReadPagePart } from './api-page.ts';
import { clockHandlers } from './clock-handlers.ts';
import { controlRefusal } from './control-access.ts';
import { controlDocumentReply } from './control-document.ts';
import type { ControlHandlers } from './control-handlers.ts';
import { entityHandlers } from './entity-handlers.ts';
import { faultHandlers } from './fault-handlers.ts';
import type { FaultsByWorld } from '../faults/faults-by-world.ts';
import { serverHandlers } from './health-handlers.ts';
import { coverageHandlers } from './coverage-handlers.ts';
import type { ServedContract } from '../traffic/corrected-body.ts';
import { trafficHandlers } from './traffic-handlers.ts';
import type { WorldObserver } from '../coverage/world-observer.ts';
import { reloadHandlers } from './reload-handlers.ts';
import type { Reloads } from './reload-handlers.ts';
import { startPage, startPagePolicy, startPageScript } from './start-page.ts';
import { worldHandlers } from './world-handlers.ts';
import type { Worlds } from '../worlds/worlds.ts';

export type ControlOptions = {
  readonly controlDocument: DocumentObject;
  /** The document is known to be valid. */
  readonly isChecked?: boolean;
  readonly version: string;
  readonly worlds: Worlds;
  /** Opens the control interface to callers from elsewhere, and is asked of all. */
  readonly controlToken?: string | undefined;
  readonly checkReplies: ReplyChecks;
  readonly onEvent: (event: EngineEvent) => void;
  readonly faults: FaultsByWorld;
  readonly reloads: Reloads;
  readonly watching: WorldObserver;
  /** The repository's document as it is served at the moment. */
  readonly contract: () => ServedContract;
  /** The text of `openapi.yaml`, for the lines of its rules. */
  readonly documentText?: (() => Promise<string>) | undefined;
  /** The files of Swagger UI; no page without them. */
  readonly readPagePart?: ReadPagePart | undefined;
  /** Of the repository's document, as it is served at the moment. */
  readonly operationIds: () => readonly string[];
};

export type Control = { handle(request: PlainRequest, world: World): Promise<PlainReply> };

/** Builds the control interface. Whoever may not ask gets 403 whatever it is. */
export const createControl = async (options: ControlOptions): Promise<Control> => {
  const { controlDocument, isChecked } = options;
  const document = isChecked === true ? dereference(controlDocument) : await resolveDocument(controlDocument);
  const handlers: ControlHandlers = {
    ...serverHandlers(options.version),
    ...entityHandlers,
    ...worldHandlers(options.worlds),
    ...clockHandlers(options.worlds),
    ...reloadHandlers(options.reloads),
    ...faultHandlers(options.faults, options.operationIds),
    ...coverageHandlers(options),
    ...trafficHandlers({
      ...options,
      documentText: options.documentText,
      areRepliesChecked: options.checkReplies !== 'off',
    }),
  };
  const engine: Engine = createEngine({
    backend: await createBackend(document, Object.keys(handlers)),
    handlers: handlers as unknown as Record<string, AnyHandler>, // each is held to its own operation above
    middleware: [],
    isStrict: () => true,
    checkReplies: options.checkReplies,
    onEvent: options.onEvent,
  });
  return {
    handle: async (request, world) => {
      const refusal = controlRefusal(request, options.controlToken);
      if (refusal !== undefined) return messageReply(403, refusal);
      const read = isRead(request) ? await readReply(request.path, world, options) : undefined;
      return read ?? engine.handle(request, world);
    },
  };
};

/** What lies beside the operations: the documents and the pages. */
const readReply = async (path: string, world: World, options: ControlOptions): Promise<PlainReply | undefined> => {
  if (path === '/_atoll' || path === '/_atoll/') return pageReply(await startPage(world, options.version));
  return (
    (await controlDocumentReply(options.controlDocument, path, world.baseUrl)) ??
    (await apiPageReply(path, world, options.readPagePart))
  );
};

const pageReply = (page: string): PlainReply =>
  textReply('text/html; charset=UTF-8', page.replace('</html>', `<script>${startPageScript}</script>\n</html>`), {
    'Content-Security-Policy': startPagePolicy(createHash('sha256').update(startPageScript).digest('base64')),
  });
