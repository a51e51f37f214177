/** Makes the engine of a document whose schemas Ajv compiles, each when it is first needed, with collections and with what looks at requests. */
import { createCollections } from './collections/collections.ts';
import { type CollectionsOfDocument, ofDocument } from './collections/summary.ts';
import { correctedRequest, type RequestCorrection } from './corrections/corrected-request.ts';
import {
  type MatchedOperation,
  type PastRequest,
  requestFaults,
  type SentRequest,
  sentRequestFaults,
} from './corrections/request-faults.ts';
import { createPlaces, type Places } from './document/places.ts';
import {
  type AnsweringEngine,
  type AnsweringOptions,
  assembleEngine,
  type EngineTools,
} from './engine-with-schemas.ts';
import type { EngineRequest } from './exchange.ts';
import { ajvCompiler } from './schemas/compiler.ts';
import { dialectOf } from './schemas/dialect.ts';
import { createReferences } from './schemas/references.ts';
import { createSchemas, type MakeExpression } from './schemas/schemas.ts';
import type { Violation } from './schemas/violations.ts';

export type EngineOptions<World> = AnsweringOptions<World> & {
  /** Makes the expressions of patterns, which look at a text for a bounded time. When left out they take the time that they take. */
  readonly regExp?: MakeExpression | undefined;
  /** Called for a schema that cannot be compiled. */
  readonly onUnusable?: ((schema: unknown, reason: string) => void) | undefined;
};

export type Engine<World> = AnsweringEngine<World> & {
  /** What is wrong with a request that was answered before, and how it would be right. Undefined where no operation has its path. */
  readonly correct: (request: PastRequest) => Promise<RequestCorrection> | undefined;
  /** The faults alone, at once. None where no operation has the path. */
  readonly faultsIn: (request: PastRequest) => readonly Violation[];
  /** The faults of a request whose body is at hand, of any media type. None where no operation has the path. */
  readonly checkRequest: (request: SentRequest) => Promise<readonly Violation[]>;
  /** Where the document says what a request or a reply violates. */
  readonly places: Places;
  /** Those whose records are remembered, and what is none. */
  readonly collections: CollectionsOfDocument;
};

export const createEngine = <World>({ regExp, onUnusable, ...options }: EngineOptions<World>): Engine<World> => {
  const { document } = options;
  const schemas = createSchemas({
    ...{ references: createReferences(document), dialect: dialectOf(document), regExp },
    createCompiler: ajvCompiler({ onUnusable }),
  });
  const loadForms = () => import('./request/form-body.ts');
  const { engine, tools } = assembleEngine(options, { schemas, loadForms, createCollections });
  const { references, collections } = tools;
  return {
    ...{ ...engine, places: createPlaces({ document, references, schemas }), collections: ofDocument(collections) },
    ...createChecks(tools),
  };
};

/** What looks at requests without answering them. */
const createChecks = <World>({
  find,
  schemas,
  sample,
  answers,
  loadForms,
  bodyLimits: limits,
}: EngineTools<World>): Pick<Engine<World>, 'correct' | 'faultsIn' | 'checkRequest'> => {
  const matchOf = ({ method, path }: Pick<EngineRequest, 'method' | 'path'>): MatchedOperation | undefined => {
    const found = find(method, path);
    return found && { operation: found.value.operation, base: found.base, pieces: found.pieces };
  };
  return {
    correct: (request) => {
      const matched = matchOf(request);
      return matched && correctedRequest(request, matched, { schemas, sample, answers });
    },
    faultsIn: (request) => {
      const matched = matchOf(request);
      return matched === undefined ? [] : requestFaults(request, matched, schemas);
    },
    checkRequest: async (request) => {
      const matched = matchOf(request);
      return matched === undefined ? [] : sentRequestFaults(request, matched, { schemas, limits, loadForms });
    },
  };
};
