/** What answers a request, without any server: the repository, the control interface, the documents. */
import type { DocumentObject } from './contract/document.ts';
import type { Engine } from './contract/engine.ts';
import { isRead, type PlainReply, type PlainRequest } from './contract/exchange.ts';
import { messageReply } from './contract/text-reply.ts';
import type { ReadPagePart } from './control/api-page.ts';
import { createControl } from './control/control.ts';
import type { FaultsByWorld } from './control/faults-by-world.ts';
import { once } from './control/once.ts';
import type { Reloads } from './control/reloads.ts';
import type { Watching } from './control/watching.ts';
import type { InWorld, Located, Locate } from './control/world-place.ts';
import type { Worlds } from './control/worlds.ts';
import { serveRepository, type ContractOptions, type ContractSources } from './served-repository.ts';
import type { Flaw } from './site/read-yaml.ts';

export type AnswerOptions = ContractOptions &
  ContractSources & {
    /** The world that a request is for. */
    readonly locate: Locate;
    /** What the control interface makes and drops. */
    readonly worlds: Worlds;
    /** Opens the control interface to callers from elsewhere, and is asked of all. */
    readonly controlToken?: string | undefined;
    readonly faults: FaultsByWorld;
    /** What is seen of the requests of each world. */
    readonly watching: Watching;
    /** How the document and what belongs to it are read anew. */
    readonly reloads: Reloads;
    /** The text of `openapi.yaml`, for the lines of its rules. */
    readonly documentText?: (() => Promise<string>) | undefined;
    /** The files of Swagger UI, for the page of the interface. */
    readonly readPagePart?: ReadPagePart | undefined;
    readonly controlDocument: DocumentObject;
    readonly version: string;
  };

/** Answers a request whole, but for the headers that every answer has. */
export type Answer = (request: PlainRequest) => Promise<PlainReply>;

/** What answers, and how other sources take the place of its own. */
export type Answering = {
  readonly answer: Answer;
  readonly warnings: readonly Flaw[];
  /**
   * Puts together a repository of other sources. Throws `ConfigurationError` and changes nothing when they cannot be served.
   * From `use` on it answers every new request; those under way end on the old one.
   */
  prepare(sources: ContractSources): Promise<{ readonly warnings: readonly Flaw[]; readonly use: () => void }>;
};

/** Puts together what answers. */
export const createAnswer = async (options: AnswerOptions): Promise<Answering> => {
  let served = await serveRepository(options, options);
  const operationIds = (): readonly string[] => served.engine.operations.map(({ id }) => id);
  const control = once(() => createControl({ ...options, operationIds, contract: () => served.contract }));
  return {
    warnings: served.warnings,
    prepare: async (sources) => {
      const next = await serveRepository(sources, options);
      return {
        warnings: next.warnings,
        use: () => {
          served = next;
        },
      };
    },
    answer: (sent) => {
      const located = options.locate(sent);
      if (located === undefined) return Promise.resolve(messageReply(404, 'There is no such world.'));
      const { request, place } = located;
      const text = isRead(request) ? served.texts(request.path, place.world.baseUrl) : undefined;
      if (text !== undefined) return text;
      if (request.path === '/_atoll' || request.path.startsWith('/_atoll/')) {
        return control().then((made) => made.handle(request, place.world));
      }
      const time = place.ownTime?.();
      const reply = throughAll(located, served.engine);
      return time === undefined ? reply : reply.then((made) => dated(made, time));
    },
  };
};

/** Dated by a clock that the world has of its own (RFC 9110 §6.6.1); otherwise the listener dates its answers. */
const dated = (reply: PlainReply, time: number): PlainReply => ({
  ...reply,
  headers: { ...reply.headers, Date: new Date(time).toUTCString() },
  isLasting: false,
});

/** What stands around a world's repository, outermost first, and within it the repository. */
const throughAll = ({ request, place: { around, world } }: Located, engine: Engine): Promise<PlainReply> => {
  if (around.length === 0) return engine.handle(request, world);
  const [only] = around;
  // Nearly always: somebody watches, and no fault is asked for.
  if (around.length === 1 && only !== undefined) return only(request, world, engine.handle, engine.operationOf);
  const outermost = around.reduceRight<InWorld>(
    (inner, one) => (asked, within) => one(asked, within, inner, engine.operationOf),
    engine.handle,
  );
  return outermost(request, world);
};
