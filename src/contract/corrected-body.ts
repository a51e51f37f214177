/** Corrects a JSON body that violates its schema. Missing values come from the document's examples. */
import type { Violation } from '../openapi/openapi-parts.ts';
import { readPointer, valueAt } from '../basics/json-pointer.ts';
import type { CollectionsOfDocument } from '../openapi/openapi.ts';
import { correctedValue, type DocumentObject, rawOperation } from '../openapi/openapi-terms.ts';
import type { ContractJudge, RequestJudgement } from './contract-judge.ts';
import type { RecordedExchange } from '../exchange/exchange.ts';
import type { KnownValues } from './requests/known-values.ts';
import type { Sandbox } from './requests/request-step.ts';
import type { HostedOperation, HostedBackend } from '../openapi/openapi-host.ts';
import type { Json } from '../basics/json.ts';

export type DocumentSummary = {
  readonly title: string;
  readonly version: string;
  /** The first path below which it is served, without a slash at its end. */
  readonly basePath: string;
  /** How many it has. */
  readonly operations: number;
  /** The path of a GET that needs no parameter. */
  readonly firstPath: string | undefined;
};

/** The collections of a document, and its title. */
export type DocumentCollections = CollectionsOfDocument & { readonly document: string };

/** The served document without references, and the validator compiled from it. */
export type ServedContract = {
  readonly backend: HostedBackend;
  readonly document: DocumentObject;
  /** Judges a request by itself, where its answer was ordered and says nothing of it. Undefined where nobody can. */
  readonly judgeByItself?: ((exchange: RecordedExchange) => RequestJudgement) | undefined;
  /** What requests that meet a status are made of besides the document. Undefined where there is nothing. */
  readonly knownValues?: ((sandbox: Sandbox) => Promise<KnownValues>) | undefined;
  /** The published password of a demo account. */
  readonly passwordOf: (account: string) => string | undefined;
  /** What documents of one's own are served, and what they let pages of other origins send and read. */
  readonly documented?:
    | {
        readonly answerHeaders: readonly string[];
        readonly methods: readonly string[];
        readonly documents: readonly DocumentSummary[];
        /** Those of each document whose records are remembered. */
        readonly collections: readonly DocumentCollections[];
        /** Whether there is no repository. */
        readonly areAlone: boolean;
      }
    | undefined;
  /** For the operations of documents of one's own. Undefined for those of the repository. */
  readonly judgeOf?: ((operation: HostedOperation) => ContractJudge | undefined) | undefined;
};

type CorrectedBody = {
  /** The client's own body when it has no violation, the document's example when the corrections do not help, undefined without one. */
  readonly body: Json | undefined;
  /** Everything in the client's body that had to be corrected. The validator itself stops at the first. */
  readonly violations: readonly Violation[];
};

const part = '/requestBody';

/** Corrects one violation after another. */
export const correctedBody = async (
  sent: Json | undefined,
  operation: HostedOperation,
  { backend, document }: ServedContract,
): Promise<CorrectedBody> => {
  const { schema, example } = bodyOf(operation, document);
  const { value, violations } = await correctedValue(
    typeof sent === 'object' && sent !== null ? sent : (example ?? {}),
    {
      example,
      check: (body) =>
        backend.bodyViolations(operation, body).map((each) => ({ ...each, pointer: each.pointer.slice(part.length) })),
      schemaOf: ({ rule }) => schemaAt(schema, rule?.schemaPath ?? ''),
      sampleOf: backend.sampleOf,
      mainMembers: ['value', 'target_id', 'uri'],
    },
  );
  const located = violations.map((each) => ({ ...each, pointer: part + each.pointer }));
  return { body: value as Json | undefined, violations: located }; // JSON with JSON in it
};

type Schema = { readonly [keyword: string]: unknown };

const bodyOf = (
  operation: HostedOperation,
  document: DocumentObject,
): { readonly schema: Schema; readonly example: Json | undefined } => {
  const media = rawOperation(document, operation)?.requestBody?.content['application/json'];
  const first = Object.values(media?.examples ?? {})[0]?.value;
  return { schema: media?.schema ?? {}, example: (media?.example ?? first) as Json | undefined }; // examples are JSON
};

/** The schema that contains a rule. */
const schemaAt = (schema: Schema, schemaPath: string): Schema => {
  const steps = readPointer(schemaPath).slice(0, -1);
  return (valueAt(schema, steps) ?? {}) as Schema; // the validator read a schema there
};
